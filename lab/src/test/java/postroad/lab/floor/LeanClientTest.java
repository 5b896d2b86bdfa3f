package postroad.lab.floor;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import postroad.nostr.relay.EchoServer;

final class LeanClientTest {
    private EchoServer echo;
    private LeanClient client;

    @BeforeEach
    void connect() throws IOException {
        echo = EchoServer.start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        client = LeanClient.open(echo.address());
    }

    @AfterEach
    void disconnect() throws IOException {
        client.close();
        echo.close();
    }

    @Test
    void readsExactlyTheFramesThatWereAskedFor() throws IOException {
        client.send(Ask.echo(3, 700, 130).frames());

        for (int i = 0; i < 3; i++) {
            client.read();
            assertThat(client.text()).isEqualTo("x".repeat(700));
        }
        assertThat(client.hasMore()).isFalse();
    }

    @Test
    void readsFramesOfEveryFormOfLength() throws IOException {
        for (int bytes : new int[] {1, 125, 126, 65_535, 65_536, 300_000}) {
            client.send(Ask.echo(2, bytes, 130).frames());
            client.read();
            assertThat(client.length()).isEqualTo(bytes);
            client.read();
            assertThat(client.length()).isEqualTo(bytes);
        }
    }

    @Test
    void anAnswerWithAnotherNumberOfRowsIsAnError() throws IOException {
        byte[] none = {};
        byte[] other = {'?'};
        Ask ask = Ask.echo(4, 10, 130);
        Ask wrong = new Ask(none, ask.frames(), "x".getBytes(US_ASCII), other, 2, false);

        assertThat(ask.time(client)).isPositive();
        assertThatThrownBy(() -> wrong.time(client)).hasMessageContaining("0 rows instead of 2");
    }
}
