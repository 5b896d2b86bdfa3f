package postroad.nostr.relay;

import java.time.Duration;

/// What the relay waits for, and how long.
///
/// @param handshake from accept to the end of the HTTP request
/// @param ping how long a connection may be silent before the relay pings it
/// @param idle how long it may be silent in all, pings unanswered, before it is closed
/// @param message from the first byte of a WebSocket message to its last
/// @param stall how long a full outbox may make no progress
/// @param stop how long work in flight may take after the relay was told to stop
public record Timeouts(
        Duration handshake, Duration ping, Duration idle, Duration message, Duration stall, Duration stop) {
    /// Refuses what is no time to wait, and a connection that would end before it is pinged.
    public Timeouts {
        for (Duration timeout : new Duration[] {handshake, ping, idle, message, stall, stop}) {
            if (timeout.isNegative() || timeout.isZero()) {
                throw new IllegalArgumentException("a time-out must be longer than nothing: " + timeout);
            }
        }
        if (idle.compareTo(ping) < 0) {
            throw new IllegalArgumentException("the idle time-out, " + idle.toSeconds()
                    + " s, must not be shorter than the time to a ping, " + ping.toSeconds() + " s");
        }
    }

    /// The defaults.
    public static final Timeouts DEFAULT = new Timeouts(
            Duration.ofSeconds(10),
            Duration.ofSeconds(55),
            Duration.ofSeconds(120),
            Duration.ofSeconds(60),
            Duration.ofSeconds(60),
            Duration.ofSeconds(10));
}
