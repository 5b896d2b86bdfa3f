package postroad.wire;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/// How TCP bears an outage.
///
/// Left to itself it waits twice as long before each new try (RFC 6298, 5.5), so that after an outage of
/// a minute a connection may rest for another one. Where Linux has the option (from 6.15), a connection
/// that has lasted for some seconds tries again every few seconds, and is not given up for that sooner
/// than before.
final class Patience {
    private static final Path SYSTEM = Path.of("/proc/sys/net/ipv4/tcp_rto_max_ms");

    /// A short session is over before it would pay for the call.
    private static final Duration AFTER = Duration.ofSeconds(3);

    private static final int LONGEST_WAIT_MILLIS = 4_000;

    /// As long as Linux tries without the option.
    private static final int GIVE_UP_MILLIS = 924_000;

    private Patience() {}

    /// Has it done in a few seconds, if the connection still stands by then.
    static void give(SocketChannel channel) {
        if (Files.exists(SYSTEM)) {
            var _ = Links.after(AFTER, () -> set(channel));
        }
    }

    /// False when it was not done: the connection is gone, or the system refuses.
    static boolean set(SocketChannel channel) {
        try {
            return channel.isOpen() && NativeSockets.setPatience(channel, LONGEST_WAIT_MILLIS, GIVE_UP_MILLIS);
        } catch (IOException | RuntimeException | LinkageError e) {
            // It has just been closed, or does with the system's waits.
            return false;
        }
    }
}
