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
    /// The defaults.
    public static final Timeouts DEFAULT = new Timeouts(
            Duration.ofSeconds(10),
            Duration.ofSeconds(55),
            Duration.ofSeconds(120),
            Duration.ofSeconds(60),
            Duration.ofSeconds(60),
            Duration.ofSeconds(10));
}
