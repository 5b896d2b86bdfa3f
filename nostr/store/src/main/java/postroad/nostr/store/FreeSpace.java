package postroad.nostr.store;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/// How much room a disk has left, asked for no more often than matters.
///
/// Asking the system costs about 4 us: a tenth of a batch of one event that is not synced, a hundredth of one that
/// is. So while there is plenty the answer holds for 20 ms, in which nothing near all of it can be written; with
/// less, each question is asked. Any thread may ask.
final class FreeSpace {
    private static final long FRESH_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /// Plenty is this many times what is asked for.
    private static final long PLENTY = 4;

    private final LongSupplier disk;
    private final LongSupplier clock;
    private volatile Reading last = new Reading(0, 0);

    private record Reading(long bytes, long at) {}

    /// @param disk free bytes, as the system says now
    /// @param clock nanoseconds, as [System#nanoTime]
    FreeSpace(LongSupplier disk, LongSupplier clock) {
        this.disk = disk;
        this.clock = clock;
    }

    /// Whether fewer than `bytes` are free.
    boolean isBelow(long bytes) {
        if (bytes <= 0) {
            return false;
        }
        long now = clock.getAsLong();
        Reading reading = last;
        if (reading.bytes / PLENTY < bytes || now - reading.at >= FRESH_NANOS) {
            reading = new Reading(disk.getAsLong(), now);
            last = reading;
        }
        return reading.bytes < bytes;
    }
}
