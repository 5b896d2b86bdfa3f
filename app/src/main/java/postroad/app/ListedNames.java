package postroad.app;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import postroad.sync.core.Kind;
import postroad.sync.core.Shown;
import postroad.sync.core.TreePath;
import postroad.sync.folder.EntryFilter;
import postroad.sync.folder.Item;
import postroad.sync.folder.Reason;
import postroad.sync.folder.Tree;
import postroad.sync.folder.Walker;
import postroad.sync.peer.Names;

/// The names that `--files-from` lists, with the folders that they lie in, as a walk would come upon them. A folder
/// that is listed is sent without what lies in it.
final class ListedNames implements Names {
    private final Tree tree;
    private final EntryFilter filter;
    private final Iterator<TreePath> paths;
    private final Set<TreePath> folders = new HashSet<>();
    private final Set<TreePath> excluded = new HashSet<>();
    private boolean complete = true;

    ListedNames(Tree tree, EntryFilter filter, List<TreePath> listed) {
        this.tree = tree;
        this.filter = filter;
        this.paths = withFolders(listed).iterator();
    }

    private static Set<TreePath> withFolders(List<TreePath> listed) {
        Set<TreePath> all = new TreeSet<>();
        for (TreePath path : listed) {
            TreePath at = path;
            while (all.add(at) && !at.isTop()) {
                at = at.parent();
            }
        }
        return all;
    }

    /// Reads a list: names one a line, or each before a NUL; `./` before and `/` behind a name say nothing.
    ///
    /// @throws Failure if a name is none
    static List<TreePath> parse(byte[] content, boolean byNul) {
        List<TreePath> paths = new ArrayList<>();
        byte end = (byte) (byNul ? 0 : '\n');
        int from = 0;
        for (int at = 0; at <= content.length; at++) {
            if (at == content.length || content[at] == end) {
                add(paths, Arrays.copyOfRange(content, from, at));
                from = at + 1;
            }
        }
        return paths;
    }

    private static void add(List<TreePath> paths, byte[] name) {
        int from = 0;
        int to = name.length;
        while (to - from >= 2 && name[from] == '.' && name[from + 1] == '/') {
            from += 2;
        }
        while (to > from && name[to - 1] == '/') {
            to--;
        }
        boolean isRoot = to - from == 1 && name[from] == '.';
        if (from == to || isRoot) {
            return;
        }
        try {
            paths.add(TreePath.of(Arrays.copyOfRange(name, from, to)));
        } catch (IllegalArgumentException e) {
            throw new Failure("the list of --files-from has " + Shown.of(name) + ": " + e.getMessage()
                    + "; names are relative to PATH");
        }
    }

    @Override
    public Item next() {
        while (paths.hasNext()) {
            Optional<Item> item = look(paths.next());
            if (item.isPresent()) {
                complete &= !(item.get() instanceof Item.Fault);
                return item.get();
            }
        }
        return new Item.End(complete);
    }

    private Optional<Item> look(TreePath path) {
        Optional<TreePath> parent = path.isTop() ? Optional.empty() : Optional.of(path.parent());
        if (parent.filter(excluded::contains).isPresent()) {
            excluded.add(path);
            return Optional.empty();
        }
        if (parent.isPresent() && !folders.contains(parent.get())) {
            return Optional.of(new Item.Fault(
                    Optional.of(path),
                    path.toString(),
                    Reason.VANISHED,
                    "it does not lie in a folder that can be sent"));
        }
        Item item = Walker.look(tree, path);
        Kind kind = item instanceof Item.Found(var entry, var stat) ? entry.kind() : Kind.FILE;
        if (filter.excludes(path, kind)) {
            excluded.add(path);
            return Optional.empty();
        }
        if (kind == Kind.FOLDER) {
            folders.add(path);
        }
        return Optional.of(item);
    }
}
