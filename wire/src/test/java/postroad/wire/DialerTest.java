package postroad.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import org.junit.jupiter.api.Test;

class DialerTest {
    @Test
    void takesTheFamiliesInTurns() throws Exception {
        InetAddress four1 = InetAddress.getByName("192.0.2.1");
        InetAddress four2 = InetAddress.getByName("192.0.2.2");
        InetAddress six1 = InetAddress.getByName("2001:db8::1");
        InetAddress six2 = InetAddress.getByName("2001:db8::2");
        InetAddress six3 = InetAddress.getByName("2001:db8::3");

        assertThat(Dialer.interleave(List.of(four1, four2, six1, six2, six3)))
                .containsExactly(six1, four1, six2, four2, six3);
    }

    @Test
    void setsNoDelayUnlessToldOtherwise() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 2, InetAddress.getLoopbackAddress())) {
            String url = "ws://" + server.getInetAddress().getHostAddress() + ":" + server.getLocalPort();
            try (Socket usual = Dialer.dial(WebSocketUrl.parse(url), WebSocketOptions.DEFAULT);
                    Socket other = Dialer.dial(WebSocketUrl.parse(url), WebSocketOptions.DEFAULT.withNoDelay(false))) {
                assertThat(usual.getTcpNoDelay()).isTrue();
                assertThat(other.getTcpNoDelay()).isFalse();
            }
        }
    }
}
