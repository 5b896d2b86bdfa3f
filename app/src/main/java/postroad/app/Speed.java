package postroad.app;

import java.util.ArrayDeque;

/// How many bytes a second there were over the last seconds, of a number of bytes that grows. Owned
/// by whoever guards its calls.
final class Speed {
    private static final long WINDOW_NANOS = 5_000_000_000L;
    /// Over less than this it says nothing of what is to come.
    private static final long TELLING_NANOS = 900_000_000L;

    private record Sample(long nanos, long bytes) {}

    private final ArrayDeque<Sample> samples = new ArrayDeque<>();

    /// There are `bytes` at the time `now`.
    ///
    /// @param waits whether it is no wonder when they are no more than before: that is not measured
    void measure(long bytes, long now, boolean waits) {
        if (waits && !samples.isEmpty() && samples.getLast().bytes() == bytes) {
            samples.clear();
        }
        samples.addLast(new Sample(now, bytes));
        while (samples.size() > 2 && now - samples.getFirst().nanos() > WINDOW_NANOS) {
            samples.removeFirst();
        }
    }

    /// Bytes a second.
    double rate() {
        long bytes = samples.getLast().bytes() - samples.getFirst().bytes();
        return measured() == 0 ? 0 : bytes * 1e9 / measured();
    }

    private long measured() {
        return samples.getLast().nanos() - samples.getFirst().nanos();
    }

    /// Whether they grow at all.
    boolean moves() {
        return rate() >= 1;
    }

    /// Whether the time that the rest takes can be told.
    boolean tells() {
        return moves() && measured() >= TELLING_NANOS;
    }
}
