package postroad.sync.peer;

import postroad.sync.core.ProtocolException;
import postroad.sync.core.StopCode;

/// How many bytes of memory the other side may make a session keep: folders to its end, chunks until their file is
/// done. Thread-safe.
final class Room {
    /// Shares of the heap, in eighths.
    private static final int EIGHTHS = 3;

    private final long most;
    private long taken;

    Room(long most) {
        this.most = most;
    }

    /// What a session may keep with this program's heap.
    static Room ofSession() {
        return new Room(Runtime.getRuntime().maxMemory() / 8 * EIGHTHS);
    }

    /// Takes `bytes` for `what`.
    ///
    /// @throws ProtocolException with LIMIT if that is more than there is
    synchronized void take(long bytes, String what) {
        if (bytes > most - taken) {
            throw new ProtocolException(
                    StopCode.LIMIT, what + " take more memory than the " + (most >> 20) + " MiB there are for it");
        }
        taken += bytes;
    }

    /// Gives back what was taken.
    synchronized void give(long bytes) {
        taken -= bytes;
    }

    /// What is taken, for tests.
    synchronized long taken() {
        return taken;
    }
}
