package postroad.wire;

import java.time.Duration;

/// What a simulated wire does to bytes.
///
/// @param rtt the round trip; each way takes half of it
/// @param bitsPerSecond how fast bytes go onto the wire; 0 is as fast as they are written
/// @param jitter how much later than that they may come, evenly spread; their order stays
/// @param seed what the jitter is drawn from
public record WireShape(Duration rtt, long bitsPerSecond, Duration jitter, long seed) {
    public WireShape {
        if (rtt.isNegative() || jitter.isNegative() || bitsPerSecond < 0) {
            throw new IllegalArgumentException("a wire takes no negative time");
        }
    }

    /// A wire of this round trip, and nothing else.
    public static WireShape ofRtt(Duration rtt) {
        return new WireShape(rtt, 0, Duration.ZERO, 0);
    }

    long oneWayNanos() {
        return rtt.toNanos() / 2;
    }

    /// How long so many bytes take to go onto the wire.
    long nanosFor(long bytes) {
        return bitsPerSecond == 0 ? 0 : Math.round(bytes * 8e9 / bitsPerSecond);
    }
}
