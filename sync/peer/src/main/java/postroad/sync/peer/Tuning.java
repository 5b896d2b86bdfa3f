package postroad.sync.peer;

import java.time.Duration;

/// What a side may choose for itself in a session, without the peer's word.
///
/// @param bytesPerSecond the most it writes to all links together; 0 for no limit
/// @param silence a link on which nothing came for so long, or nothing of what waits went, counts as dead
/// @param workers threads that read, hash and compress, or write
public record Tuning(long bytesPerSecond, Duration silence, int workers) {
    /// No limit, three minutes, two workers.
    public static final Tuning DEFAULT = new Tuning(0, Duration.ofMinutes(3), 2);

    /// Checks the ranges.
    public Tuning {
        if (bytesPerSecond < 0 || silence.isNegative() || silence.isZero() || workers < 1) {
            throw new IllegalArgumentException("no tuning: " + bytesPerSecond + ", " + silence + ", " + workers);
        }
    }

    /// The same with another limit.
    public Tuning withBytesPerSecond(long limit) {
        return new Tuning(limit, silence, workers);
    }

    /// The same with another silence.
    public Tuning withSilence(Duration time) {
        return new Tuning(bytesPerSecond, time, workers);
    }
}
