package postroad.wire;

import java.io.IOException;
import java.nio.channels.NetworkChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/// Chooses the congestion control of one socket where the system offers it to this user; elsewhere the
/// system's stays.
///
/// When the system's is the wanted one already, nothing is loaded or called.
final class Congestion {
    private static final Path SYSTEM = Path.of("/proc/sys/net/ipv4/tcp_congestion_control");

    private Congestion() {}

    /// Asks for `wanted` on a connected or listening socket, on a thread of its own; the facts wait for
    /// it.
    static Supplier<LinkFacts> choose(NetworkChannel channel, Optional<String> wanted) {
        Optional<String> system = system();
        LinkFacts unchanged = new LinkFacts(Optional.empty(), system, false);
        if (system.isEmpty() || wanted.isEmpty() || wanted.equals(system)) {
            return () -> unchanged;
        }
        return CompletableFuture.supplyAsync(
                () -> set(channel, wanted.get()) ? new LinkFacts(Optional.empty(), wanted, true) : unchanged,
                task -> Thread.ofPlatform().daemon().name("congestion").start(task))::join;
    }

    private static Optional<String> system() {
        try {
            return Optional.of(Files.readString(SYSTEM).strip()).filter(name -> !name.isEmpty());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static boolean set(NetworkChannel channel, String name) {
        try {
            return NativeSockets.setCongestion(channel, name);
        } catch (IOException | RuntimeException | LinkageError e) {
            // The connection does well with the system's; the facts say that nothing was chosen.
            return false;
        }
    }
}
