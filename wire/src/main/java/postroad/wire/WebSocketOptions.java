package postroad.wire;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/// How a WebSocket link is opened and bounded.
///
/// @param connectTimeout from the first attempt to a TCP connection, over all addresses of the host
/// @param handshakeTimeout from there to the end of the TLS and HTTP handshakes
/// @param readTimeout how long [WebSocketLink#receive] waits; zero for ever
/// @param maxMessageBytes longest message taken, fragments joined
/// @param noDelay whether TCP_NODELAY is set; without it a small request may wait 40 ms for nothing
/// @param tls who is trusted behind `wss`; the platform's certificate authorities where absent
/// @param headers further lines of the HTTP request
public record WebSocketOptions(
        Duration connectTimeout,
        Duration handshakeTimeout,
        Duration readTimeout,
        int maxMessageBytes,
        boolean noDelay,
        Optional<SSLContext> tls,
        Map<String, String> headers) {
    /// The defaults: ten seconds for each step of opening, no read time-out, messages of up to 16 MiB.
    public static final WebSocketOptions DEFAULT = new WebSocketOptions(
            Duration.ofSeconds(10), Duration.ofSeconds(10), Duration.ZERO, 16 << 20, true, Optional.empty(), Map.of());

    /// Copies the map and refuses what cannot be sent or waited for.
    public WebSocketOptions {
        headers = Map.copyOf(headers);
        if (connectTimeout.isNegative() || connectTimeout.isZero()) {
            throw new IllegalArgumentException("the connect time-out must be positive");
        }
        if (handshakeTimeout.isNegative() || handshakeTimeout.isZero()) {
            throw new IllegalArgumentException("the handshake time-out must be positive");
        }
        if (readTimeout.isNegative()) {
            throw new IllegalArgumentException("the read time-out must not be negative");
        }
        if (maxMessageBytes < 1) {
            throw new IllegalArgumentException("the longest message must have at least one byte");
        }
        headers.forEach((name, value) -> {
            if (!isPrintable(name) || name.indexOf(':') >= 0 || name.indexOf(' ') >= 0 || !isPrintable(value)) {
                throw new IllegalArgumentException("not an HTTP header: " + name + ": " + value);
            }
        });
    }

    /// The same with another connect time-out.
    public WebSocketOptions withConnectTimeout(Duration time) {
        return new WebSocketOptions(time, handshakeTimeout, readTimeout, maxMessageBytes, noDelay, tls, headers);
    }

    /// The same with another handshake time-out.
    public WebSocketOptions withHandshakeTimeout(Duration time) {
        return new WebSocketOptions(connectTimeout, time, readTimeout, maxMessageBytes, noDelay, tls, headers);
    }

    /// The same with another read time-out.
    public WebSocketOptions withReadTimeout(Duration time) {
        return new WebSocketOptions(connectTimeout, handshakeTimeout, time, maxMessageBytes, noDelay, tls, headers);
    }

    /// The same with another bound on messages.
    public WebSocketOptions withMaxMessageBytes(int bytes) {
        return new WebSocketOptions(connectTimeout, handshakeTimeout, readTimeout, bytes, noDelay, tls, headers);
    }

    /// The same with TCP_NODELAY set or not.
    public WebSocketOptions withNoDelay(boolean set) {
        return new WebSocketOptions(connectTimeout, handshakeTimeout, readTimeout, maxMessageBytes, set, tls, headers);
    }

    /// The same with other certificate authorities.
    public WebSocketOptions withTls(SSLContext context) {
        return new WebSocketOptions(
                connectTimeout, handshakeTimeout, readTimeout, maxMessageBytes, noDelay, Optional.of(context), headers);
    }

    /// The same with other request headers.
    public WebSocketOptions withHeaders(Map<String, String> lines) {
        return new WebSocketOptions(
                connectTimeout, handshakeTimeout, readTimeout, maxMessageBytes, noDelay, tls, lines);
    }

    private static boolean isPrintable(String text) {
        return !text.isEmpty() && text.chars().allMatch(c -> c >= 0x20 && c < 0x7f);
    }
}
