package postroad.sync.peer;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/// Holds all writers of a session to a rate together (`--bwlimit`). Thread-safe.
///
/// Lets a quarter of a second's bytes through at once, then makes each write wait its turn.
final class Pace {
    private static final long BURST_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private final double nanosPerByte;
    private final LongSupplier nanos;
    private long next;

    /// @param bytesPerSecond the rate; 0 for none
    Pace(long bytesPerSecond, LongSupplier nanos) {
        this.nanosPerByte = bytesPerSecond == 0 ? 0 : 1e9 / bytesPerSecond;
        this.nanos = nanos;
        this.next = nanos.getAsLong();
    }

    /// Waits until `bytes` more may go.
    void await(int bytes) throws InterruptedException {
        if (nanosPerByte == 0) {
            return;
        }
        long wait = waitFor(bytes);
        if (wait > 0) {
            TimeUnit.NANOSECONDS.sleep(wait);
        }
    }

    /// How long to wait before `bytes` may go, in nanoseconds; they count as gone.
    synchronized long waitFor(int bytes) {
        long now = nanos.getAsLong();
        next = Math.max(next, now - BURST_NANOS);
        long wait = next - now;
        next += (long) (bytes * nanosPerByte);
        return Math.max(0, wait);
    }
}
