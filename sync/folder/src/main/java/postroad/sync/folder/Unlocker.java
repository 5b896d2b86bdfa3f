package postroad.sync.folder;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// Opens folders and files that their owner, this user, has locked, for as long as somebody works in them: only their
/// owner's bits are added, and the mode comes back when the last holder lets go.
///
/// One for each tree, so that a walk and a commit that hold the same folder do not lock it under each other. A mode is
/// given back to the very folder that it was taken from, whatever has its name by then. A process that is killed in
/// between leaves a folder open to its owner, no one else; the next session finds its mode different and sets it.
///
/// Safe for several threads.
final class Unlocker {
    private static final int FOLDER_OF_OWNER = 0700;
    private static final int READ_OF_OWNER = 0400;

    private final Map<Inode, Held> open = new HashMap<>();

    private record Inode(long device, long number) {
        static Inode of(EntryStat stat) {
            return new Inode(stat.device(), stat.inode());
        }
    }

    /// A folder that is open for as long as this has holders.
    final class Held implements AutoCloseable {
        private final Inode inode;
        private final int handle;
        private final int mode;
        private int holders = 1;

        private Held(Inode inode, int handle, int mode) {
            this.inode = inode;
            this.handle = handle;
            this.mode = mode;
        }

        /// Lets go of it; the last holder locks it again.
        @Override
        public void close() {
            release(this);
        }
    }

    /// Opens the folder `name`; empty when it is not locked, or is not this user's to open.
    synchronized Optional<Held> hold(int parent, byte[] name) {
        int seen = Posix.open(parent, name, Posix.PATH | Posix.DIRECTORY | Posix.NOFOLLOW, 0);
        if (seen < 0) {
            return Optional.empty();
        }
        try {
            return Posix.stat(seen) < 0 ? Optional.empty() : hold(seen, Posix.lastStat());
        } finally {
            Posix.close(seen);
        }
    }

    private Optional<Held> hold(int seen, EntryStat stat) {
        Held known = open.get(Inode.of(stat));
        if (known != null) {
            known.holders++;
            return Optional.of(known);
        }
        boolean locked = (stat.mode() & FOLDER_OF_OWNER) != FOLDER_OF_OWNER;
        if (!locked || stat.owner() != Posix.user() || Posix.chmodSeen(seen, stat.mode() | FOLDER_OF_OWNER) < 0) {
            return Optional.empty();
        }
        int handle = Posix.reopen(seen, 0);
        if (handle < 0) {
            Posix.chmodSeen(seen, stat.mode());
            return Optional.empty();
        }
        Held held = new Held(Inode.of(stat), handle, stat.mode());
        open.put(held.inode, held);
        return Optional.of(held);
    }

    private synchronized void release(Held held) {
        held.holders--;
        if (held.holders == 0) {
            open.remove(held.inode);
            Posix.chmod(held.handle, held.mode);
            Posix.close(held.handle);
        }
    }

    /// Opens the file `name` to read it though its owner took away the right to, if it is `version` still; that moves
    /// its
    /// ctime. Gives a handle, or an error number with a minus sign.
    synchronized int openFile(int folder, byte[] name, EntryStat version) {
        int seen = Posix.open(folder, name, Posix.PATH | Posix.NOFOLLOW, 0);
        if (seen < 0) {
            return seen;
        }
        try {
            int known = Posix.stat(seen);
            if (known < 0) {
                return known;
            }
            EntryStat stat = Posix.lastStat();
            boolean mayOpen = stat.type() == EntryStat.Type.FILE && stat.owner() == Posix.user();
            return mayOpen && stat.isSameVersion(version) ? openFile(folder, name, seen, stat) : -Errno.EACCES;
        } finally {
            Posix.close(seen);
        }
    }

    private static int openFile(int folder, byte[] name, int seen, EntryStat stat) {
        int result = Posix.chmodSeen(seen, stat.mode() | READ_OF_OWNER);
        if (result < 0) {
            return result;
        }
        int handle = Posix.open(folder, name, Posix.READ | Posix.NOFOLLOW | Posix.NONBLOCK, 0);
        Posix.chmodSeen(seen, stat.mode());
        if (handle >= 0 && (Posix.stat(handle) < 0 || Posix.lastStat().inode() != stat.inode())) {
            Posix.close(handle);
            return -Errno.EACCES;
        }
        return handle;
    }
}
