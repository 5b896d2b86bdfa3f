package postroad.sync.folder;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import postroad.sync.core.TreePath;

/// The folders of a tree that were used last, held open: many files lie in few folders.
///
/// Safe for several threads. At most [#KEPT] stay open while nobody uses them.
final class Folders implements AutoCloseable {
    /// How many are kept.
    static final int KEPT = 256;
    /// The longest piece of a path that is resolved at once; longer paths go from folder to folder.
    private static final int PIECE = Scratch.PATH_BYTES - 1;

    private static final int FLAGS = Posix.PATH | Posix.DIRECTORY | Posix.NOFOLLOW;

    private final Folder root;
    private final Map<TreePath, Folder> kept = new LinkedHashMap<>(16, 0.75f, true);
    private volatile boolean stepwise;

    /// @param stepwise whether to open one component after the other, as kernels without `openat2` need it
    Folders(int root, boolean stepwise) {
        this.root = new Folder(Optional.of(this), root, 1);
        this.stepwise = stepwise;
    }

    /// The root's handle, which stays open until [#close].
    int rootHandle() {
        return root.handle;
    }

    /// The folder that `path` lies in.
    Folder parentOf(TreePath path) throws TreeException {
        return path.isTop() ? root() : folder(path.parent());
    }

    /// The root as one more user of it.
    synchronized Folder root() {
        root.holders++;
        return root;
    }

    /// The folder at `path`; the caller closes it.
    Folder folder(TreePath path) throws TreeException {
        Optional<Folder> held = held(path);
        if (held.isPresent()) {
            return held.get();
        }
        int handle = open(path);
        if (handle < 0) {
            throw TreeException.of(-handle, path.toString());
        }
        return keep(path, handle);
    }

    /// Forgets all that is kept, so that each folder is looked up anew.
    synchronized void forget() {
        kept.values().forEach(this::release);
        kept.clear();
    }

    /// Forgets `path` and what lies below it, because it is no longer there.
    synchronized void forget(TreePath path) {
        Iterator<Map.Entry<TreePath, Folder>> entries = kept.entrySet().iterator();
        while (entries.hasNext()) {
            Map.Entry<TreePath, Folder> entry = entries.next();
            if (entry.getKey().equals(path) || entry.getKey().isBelow(path)) {
                entries.remove();
                release(entry.getValue());
            }
        }
    }

    private synchronized Optional<Folder> held(TreePath path) {
        Optional<Folder> folder = Optional.ofNullable(kept.get(path));
        folder.ifPresent(found -> found.holders++);
        return folder;
    }

    /// One holder is the caller, one the map.
    private synchronized Folder keep(TreePath path, int handle) {
        Folder folder = new Folder(Optional.of(this), handle, 2);
        Folder before = kept.put(path, folder);
        if (before != null) {
            release(before);
        }
        if (kept.size() > KEPT) {
            Iterator<Folder> eldest = kept.values().iterator();
            Folder oldest = eldest.next();
            eldest.remove();
            release(oldest);
        }
        return folder;
    }

    synchronized void release(Folder folder) {
        folder.holders--;
        if (folder.holders == 0) {
            Posix.close(folder.handle);
        }
    }

    /// A handle for the folder at `path`, or an error number with a minus sign.
    private int open(TreePath path) {
        byte[] bytes = path.toBytes();
        int handle = root.handle;
        int from = 0;
        while (from < bytes.length) {
            int to = stepwise ? endOfName(bytes, from) : endOfPiece(bytes, from);
            int next = openPiece(handle, bytes, from, to);
            if (next == -Errno.ENOSYS || next == -Errno.EPERM && !stepwise) {
                stepwise = true;
                continue;
            }
            if (handle != root.handle) {
                Posix.close(handle);
            }
            if (next < 0) {
                return next;
            }
            handle = next;
            from = to + 1;
        }
        return handle;
    }

    /// `openat2` gives up with `EAGAIN` when the tree is moved about under it; one name at a time never does.
    private int openPiece(int folder, byte[] bytes, int from, int to) {
        if (stepwise) {
            return Posix.open(folder, bytes, from, to, FLAGS, 0);
        }
        int next = Posix.openBeneath(folder, bytes, from, to, FLAGS);
        for (int again = 0; next == -Errno.EAGAIN && again < 8; again++) {
            next = Posix.openBeneath(folder, bytes, from, to, FLAGS);
        }
        return next;
    }

    private static int endOfName(byte[] bytes, int from) {
        int at = from;
        while (at < bytes.length && bytes[at] != '/') {
            at++;
        }
        return at;
    }

    private static int endOfPiece(byte[] bytes, int from) {
        if (bytes.length - from <= PIECE) {
            return bytes.length;
        }
        int at = from + PIECE;
        while (bytes[at] != '/') {
            at--;
        }
        return at;
    }

    /// Those in use are closed by their last user.
    @Override
    public synchronized void close() {
        forget();
        release(root);
    }
}
