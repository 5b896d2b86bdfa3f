package postroad.app.control;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;

/// Binds and finds the Unix domain socket of a node.
///
/// The system takes socket names of about a hundred bytes only. A longer one is reached through a short symbolic link
/// to its folder, made for the moment of the call.
final class ControlSocket {
    /// Below the shortest limit there is: macOS has 104 bytes with the final zero.
    private static final int MAX_NAME = 100;

    private static final String STAGE = ".control-";

    private ControlSocket() {}

    /// Listens at `socket`, readable and writable for the owner only from its first moment, in place of a socket that
    /// a killed node left there. The caller knows that no other node runs: it holds the store.
    static ServerSocketChannel bind(Path socket) throws IOException {
        Path folder = socket.toAbsolutePath().getParent();
        removeStages(folder);
        ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        // A fresh folder is the owner's alone, so nobody connects before the mode is set.
        Path stage = Files.createTempDirectory(folder, STAGE);
        Path bound = stage.resolve("s");
        try {
            withShortName(bound, name -> channel.bind(UnixDomainSocketAddress.of(name)));
            Files.setPosixFilePermissions(bound, PosixFilePermissions.fromString("rw-------"));
            Files.move(bound, socket, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            return channel;
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        } finally {
            Files.deleteIfExists(bound);
            Files.deleteIfExists(stage);
        }
    }

    /// Connects to the node that listens at `socket`; empty when none does.
    static Optional<SocketChannel> connect(Path socket) throws IOException {
        if (!Files.exists(socket)) {
            return Optional.empty();
        }
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            withShortName(socket.toAbsolutePath(), name -> channel.connect(UnixDomainSocketAddress.of(name)));
            return Optional.of(channel);
        } catch (ConnectException e) {
            // A killed node's socket: the file is there, and nobody behind it.
            channel.close();
            return Optional.empty();
        } catch (IOException e) {
            channel.close();
            throw new ControlException("cannot use the control socket " + socket + ": " + e.getMessage(), e);
        }
    }

    private static void removeStages(Path folder) throws IOException {
        try (DirectoryStream<Path> stages = Files.newDirectoryStream(folder, STAGE + "*")) {
            for (Path stage : stages) {
                Files.deleteIfExists(stage.resolve("s"));
                Files.deleteIfExists(stage);
            }
        }
    }

    private static void withShortName(Path name, Use use) throws IOException {
        if (name.toString().getBytes(UTF_8).length <= MAX_NAME) {
            use.with(name);
            return;
        }
        Path folder = Files.createTempDirectory("pr-");
        Path link = folder.resolve("h");
        try {
            Files.createSymbolicLink(link, name.getParent());
            use.with(link.resolve(name.getFileName()));
        } finally {
            Files.deleteIfExists(link);
            Files.deleteIfExists(folder);
        }
    }

    @FunctionalInterface
    private interface Use {
        void with(Path name) throws IOException;
    }
}
