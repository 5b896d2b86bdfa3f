package postroad.wire;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/// How links are opened.
///
/// @param connectTimeout until a TCP connection stands, over all addresses of a name
/// @param handshakeTimeout until TLS stands on it
/// @param congestion the congestion control to ask for where the system offers it to this user; empty
/// leaves the system's
/// @param handshakes how many handshakes a listener has unfinished at a time; one more ends the oldest
/// @param handshakesPerAddress how many of them from one address (IPv6: one /64); one more is closed at
/// once
public record LinkOptions(
        Duration connectTimeout,
        Duration handshakeTimeout,
        Optional<String> congestion,
        int handshakes,
        int handshakesPerAddress) {
    /// Ten seconds for each step, BBR where it may be had.
    public static final LinkOptions DEFAULT =
            new LinkOptions(Duration.ofSeconds(10), Duration.ofSeconds(10), Optional.of("bbr"), 128, 32);

    public LinkOptions {
        if (!connectTimeout.isPositive() || !handshakeTimeout.isPositive()) {
            throw new IllegalArgumentException("times must be positive");
        }
        Objects.requireNonNull(congestion);
        if (handshakes < 1 || handshakesPerAddress < 1) {
            throw new IllegalArgumentException("a listener needs room for one handshake at least");
        }
    }

    public LinkOptions withConnectTimeout(Duration time) {
        return new LinkOptions(time, handshakeTimeout, congestion, handshakes, handshakesPerAddress);
    }

    public LinkOptions withHandshakeTimeout(Duration time) {
        return new LinkOptions(connectTimeout, time, congestion, handshakes, handshakesPerAddress);
    }

    public LinkOptions withCongestion(Optional<String> name) {
        return new LinkOptions(connectTimeout, handshakeTimeout, name, handshakes, handshakesPerAddress);
    }

    public LinkOptions withHandshakes(int all, int perAddress) {
        return new LinkOptions(connectTimeout, handshakeTimeout, congestion, all, perAddress);
    }
}
