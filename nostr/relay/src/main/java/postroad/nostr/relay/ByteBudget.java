package postroad.nostr.relay;

import java.util.concurrent.atomic.AtomicLong;

/// Memory of one sort that all connections take from: how much is taken, and from where on it is too much.
///
/// Each connection's own bound is generous, so that a single client is served well; this one holds when
/// many use up theirs at once. Nothing waits for room: whoever takes looks here, and asks for less or gives
/// up. Any thread may call.
final class ByteBudget {
    private final long most;
    private final AtomicLong taken = new AtomicLong();

    /// @param most how many bytes may be taken
    ByteBudget(long most) {
        this.most = most;
    }

    /// Takes `bytes`, or gives them back when negative.
    void add(long bytes) {
        if (bytes != 0) {
            taken.addAndGet(bytes);
        }
    }

    /// How many bytes are taken.
    long taken() {
        return taken.get();
    }

    /// Whether more than half is taken.
    boolean isTight() {
        return taken.get() > most / 2;
    }

    /// Whether more is taken than there is.
    boolean isExceeded() {
        return taken.get() > most;
    }

    /// Whether `bytes` more would be too much.
    boolean wouldExceed(long bytes) {
        return taken.get() + bytes > most;
    }
}
