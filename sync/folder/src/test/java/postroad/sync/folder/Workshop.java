package postroad.sync.folder;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import postroad.sync.core.LinkTarget;
import postroad.sync.core.TreePath;

/// Makes trees for tests, with any bytes as names.
final class Workshop {
    private Workshop() {}

    static byte[] bytes(Path path) {
        return path.toString().getBytes(StandardCharsets.UTF_8);
    }

    /// Each char of `text` as one byte.
    static TreePath path(String text) {
        return TreePath.of(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    static void file(Tree tree, TreePath path, String content) throws IOException {
        file(tree, path, content.getBytes(StandardCharsets.UTF_8));
    }

    static void file(Tree tree, TreePath path, byte[] content) throws IOException {
        try (Folder parent = tree.folders().parentOf(path)) {
            int flags = Posix.READ_WRITE | Posix.CREATE | Posix.EXCLUSIVE;
            int handle = Tree.checked(Posix.open(parent.handle, path.name(), flags, 0644), path);
            try (FileHandle file = new FileHandle(handle, path)) {
                file.write(0, content, 0, content.length);
            }
        }
    }

    static byte[] content(Tree tree, TreePath path) throws IOException {
        try (FileHandle file = tree.openForReading(path)) {
            byte[] content = new byte[(int) file.stat().size()];
            file.read(0, content, 0, content.length);
            return content;
        }
    }

    static String text(Tree tree, TreePath path) throws IOException {
        return new String(content(tree, path), StandardCharsets.UTF_8);
    }

    static void folder(Tree tree, String path) throws IOException {
        tree.makeFolder(path(path), 0755);
    }

    static void link(Tree tree, String path, String target) throws IOException {
        tree.makeLink(path(path), LinkTarget.of(target.getBytes(StandardCharsets.UTF_8)));
    }

    static List<Item> walked(Tree tree) {
        return walked(tree, EntryFilter.NOTHING);
    }

    static List<Item> walked(Tree tree, EntryFilter filter) {
        try (Walker walker = new Walker(tree, filter)) {
            return walked(walker);
        }
    }

    private static List<Item> walked(Walker walker) {
        List<Item> items = new ArrayList<>();
        do {
            items.add(walker.next());
        } while (!(items.getLast() instanceof Item.End));
        return items;
    }

    static List<TreePath> found(List<Item> items) {
        List<TreePath> paths = new ArrayList<>();
        for (Item item : items) {
            if (item instanceof Item.Found found) {
                paths.add(found.entry().path());
            }
        }
        return paths;
    }

    /// Removes all that is in `tree`: names that Java cannot say are no business of the test framework's.
    static void clear(Tree tree) throws IOException {
        List<TreePath> all = new ArrayList<>();
        List<Item> items;
        try (Walker walker = Walker.unlocking(tree, EntryFilter.NOTHING)) {
            items = walked(walker);
        }
        for (Item item : items) {
            switch (item) {
                case Item.Found found -> all.add(found.entry().path());
                case Item.Skipped skipped -> all.add(skipped.path());
                case Item.Fault _, Item.End _ -> {}
            }
        }
        try (Unlocked unlocked = new Unlocked(tree)) {
            for (TreePath path : all) {
                unlocked.unlock(path);
            }
            remove(tree, all);
        }
    }

    private static void remove(Tree tree, List<TreePath> all) throws IOException {
        for (TreePath path : all.reversed()) {
            boolean isFolder = tree.stat(path).orElseThrow().type() == EntryStat.Type.FOLDER;
            if (isFolder) {
                tree.removeFolder(path);
            } else {
                tree.removeFile(path);
            }
        }
    }
}
