package postroad.sync.folder;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import postroad.sync.core.TreePath;

/// The folder that keeps what a session replaces or deletes, under the same paths.
///
/// Never replaces anything itself: a name that is taken gets a number, and a file where a folder is needed is an error.
final class Backup {
    private static final int MOST_VERSIONS = 1_000;

    private final Tree tree;

    Backup(Tree tree) {
        this.tree = tree;
    }

    /// Where something was put.
    static final class Place implements AutoCloseable {
        private final Folder folder;
        private final byte[] name;

        Place(Folder folder, byte[] name) {
            this.folder = folder;
            this.name = name;
        }

        Folder folder() {
            return folder;
        }

        byte[] name() {
            return name;
        }

        @Override
        public void close() {
            folder.close();
        }
    }

    /// What takes a free name there: 0, or an error number with a minus sign; [Errno#EEXIST] asks for another name.
    @FunctionalInterface
    interface Taking {
        int take(int folder, byte[] name);
    }

    /// Lets `taking` take the first free name for `path`; the caller closes the place.
    Place put(TreePath path, Taking taking) throws TreeException {
        if (!path.isTop()) {
            makeFolders(path.parent());
        }
        Folder folder = tree.folders().parentOf(path);
        try {
            byte[] name = path.name();
            int result = taking.take(folder.handle, name);
            for (int version = 1; result == -Errno.EEXIST && version < MOST_VERSIONS; version++) {
                name = numbered(path.name(), version);
                result = taking.take(folder.handle, name);
            }
            Tree.checked(result, "the copy in " + tree + " of " + path);
            return new Place(folder, name);
        } catch (TreeException e) {
            folder.close();
            throw e;
        }
    }

    void makeFolders(TreePath path) throws TreeException {
        if (tree.stat(path).isPresent()) {
            return;
        }
        if (!path.isTop()) {
            makeFolders(path.parent());
        }
        try {
            tree.makeFolder(path, 0700);
        } catch (TreeException e) {
            if (e.reason() != Reason.EXISTS) {
                throw e;
            }
        }
    }

    private static byte[] numbered(byte[] name, int version) {
        byte[] number = (".~" + version + "~").getBytes(StandardCharsets.US_ASCII);
        int kept = Math.min(name.length, TreePath.MAX_NAME - number.length);
        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        joined.writeBytes(Arrays.copyOf(name, kept));
        joined.writeBytes(number);
        return joined.toByteArray();
    }
}
