package postroad.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class PatienceTest {
    @Test
    void aStandingConnectionTakesItAndAClosedOneDoesNot() throws Exception {
        assumeTrue(Files.exists(Path.of("/proc/sys/net/ipv4/tcp_rto_max_ms")), "Linux before 6.15, or another system");
        try (ServerSocketChannel server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            SocketChannel dialed = SocketChannel.open(server.getLocalAddress());
            try (SocketChannel accepted = server.accept()) {
                assertThat(Patience.set(dialed)).isTrue();
                assertThat(Patience.set(accepted)).isTrue();

                dialed.close();
                assertThat(Patience.set(dialed)).isFalse();
            }
        }
    }
}
