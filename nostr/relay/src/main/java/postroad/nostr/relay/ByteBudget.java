package postroad.nostr.relay;

import java.util.concurrent.atomic.AtomicLong;

/// Memory of one sort that all connections take from: how much is taken, and from where on it is too much.
///
/// Each connection's own bound is generous, so that a single client is served well; this one holds when
/// many use up theirs at once. Nothing waits for room: whoever takes looks here, and asks for less or gives
/// up. Any thread may call.
final class ByteBudget {
    /// What each may have however little there is for all.
    private static final long ALWAYS = 4 << 10;

    /// Which part of what is left for all one may have.
    private static final int SHARE = 8;

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

    /// Whether one who has taken `own` may take `bytes` more: the less is left for all, the less one may have,
    /// so that many who take what they can leave something for who comes later.
    boolean isFair(long own, long bytes) {
        long after = own + bytes;
        return after <= ALWAYS || after <= (most - taken.get()) / SHARE;
    }

    /// How much of `share` one may still have when more is taken than there is: all of it at the limit, nothing
    /// when half as much again is taken.
    long shrunk(long share) {
        double over = taken.get() / (double) most - 1;
        return (long) (share * Math.clamp(1 - 2 * over, 0, 1));
    }

    /// Whether half as much again is taken as there is.
    boolean isFarExceeded() {
        return taken.get() - most > most / 2;
    }
}
