package postroad.app;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import postroad.sync.core.Kind;
import postroad.sync.core.SessionOptions;
import postroad.sync.core.Shown;
import postroad.sync.core.TreePath;
import postroad.sync.folder.Item;
import postroad.sync.folder.Reason;
import postroad.sync.folder.Tree;
import postroad.sync.folder.TreeException;
import postroad.sync.folder.Walker;
import postroad.sync.peer.Names;

/// What `send` sends: the contents of a folder, names of it that are listed, or one file.
final class SendSource implements AutoCloseable {
    private final Tree tree;
    private final Optional<TreePath> file;
    private final Optional<List<TreePath>> listed;

    private SendSource(Tree tree, Optional<TreePath> file, Optional<List<TreePath>> listed) {
        this.tree = tree;
        this.file = file;
        this.listed = listed;
    }

    /// Opens the folder or file at `path`.
    ///
    /// @throws Failure if there is nothing that can be sent
    static SendSource open(byte[] path, Optional<List<TreePath>> listed) {
        try {
            return new SendSource(Tree.open(path), Optional.empty(), listed);
        } catch (TreeException e) {
            if (e.reason() != Reason.KIND) {
                throw new Failure(e.getMessage(), e);
            }
        }
        if (listed.isPresent()) {
            throw new Failure(Shown.of(path) + " is a file; --files-from is for a folder");
        }
        return ofFile(path);
    }

    private static SendSource ofFile(byte[] path) {
        try {
            Tree tree = Tree.open(parentOf(path));
            TreePath name = TreePath.of(nameOf(path));
            Item item = Walker.look(tree, name);
            if (item instanceof Item.Found(var entry, var stat) && entry.kind() == Kind.FILE) {
                return new SendSource(tree, Optional.of(name), Optional.empty());
            }
            tree.close();
            throw new Failure(Shown.of(path) + ": " + whyNot(item));
        } catch (TreeException | IllegalArgumentException e) {
            throw new Failure(e.getMessage(), e);
        }
    }

    private static String whyNot(Item item) {
        return switch (item) {
            case Item.Found found -> "a link; name the file or folder that it leads to";
            case Item.Skipped(TreePath path, String why) -> why + ", which cannot be sent";
            case Item.Fault fault -> fault.why();
            case Item.End end -> "there is nothing";
        };
    }

    /// Whether it is one file.
    boolean isFile() {
        return file.isPresent();
    }

    Tree tree() {
        return tree;
    }

    /// The options with what follows from this source.
    SessionOptions adapted(SessionOptions options) {
        SessionOptions adapted = options.withSingle(file.isPresent());
        return file.isPresent() || listed.isPresent() ? adapted.withDelete(false) : adapted;
    }

    /// Its names, anew each time.
    Names names(SessionOptions options) {
        if (listed.isPresent()) {
            return new ListedNames(tree, options.patterns()::excludes, listed.get());
        }
        if (file.isPresent()) {
            return new Names() {
                private boolean looked;

                @Override
                public Item next() {
                    Item item = looked ? new Item.End(true) : Walker.look(tree, file.get());
                    looked = true;
                    return item;
                }
            };
        }
        return new Walker(tree, options.patterns()::excludes)::next;
    }

    @Override
    public void close() {
        tree.close();
    }

    /// The folder that a path of the system lies in.
    static byte[] parentOf(byte[] path) {
        int slash = slashBeforeName(path);
        return slash < 0 ? new byte[] {'.'} : Arrays.copyOf(path, Math.max(1, slash));
    }

    /// The last component of a path of the system.
    static byte[] nameOf(byte[] path) {
        return Arrays.copyOfRange(path, slashBeforeName(path) + 1, endOfName(path));
    }

    private static int slashBeforeName(byte[] path) {
        int slash = endOfName(path) - 1;
        while (slash >= 0 && path[slash] != '/') {
            slash--;
        }
        return slash;
    }

    private static int endOfName(byte[] path) {
        int end = path.length;
        while (end > 1 && path[end - 1] == '/') {
            end--;
        }
        return end;
    }
}
