package postroad.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WebSocketUrlTest {
    @ParameterizedTest
    @CsvSource({
        "ws://relay.example, false, relay.example, 80, /, relay.example",
        "wss://relay.example, true, relay.example, 443, /, relay.example",
        "wss://relay.example:443/, true, relay.example, 443, /, relay.example",
        "WS://127.0.0.1:7447, false, 127.0.0.1, 7447, /, 127.0.0.1:7447",
        "ws://[::1]:7447/a%20b?c=d, false, ::1, 7447, /a%20b?c=d, [::1]:7447",
        "wss://relay.example:8443/path, true, relay.example, 8443, /path, relay.example:8443",
    })
    void readsSchemeHostPortAndPath(
            String text, boolean secure, String host, int port, String target, String hostHeader) {
        WebSocketUrl url = WebSocketUrl.parse(text);

        assertThat(url).isEqualTo(new WebSocketUrl(secure, host, port, target));
        assertThat(url.hostHeader()).isEqualTo(hostHeader);
    }

    @ParameterizedTest
    @CsvSource({
        "http://relay.example, begins with ws://",
        "https://relay.example, begins with wss://",
        "relay.example:7447, must begin with ws:// or wss://",
        "localhost, must begin with ws:// or wss://",
        "ws://, not a relay URL",
        "ws://user@relay.example, expected ws://HOST",
        "ws://relay.example:0, port 0",
        "ws://relay.example:70000, port 70000",
        "ws://two words, not a relay URL",
    })
    void saysWhatIsWrongWithAUrl(String text, String reason) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> WebSocketUrl.parse(text))
                .withMessageContaining(reason);
    }

    @Test
    void acceptKeyIsThatOfTheStandard() {
        assertThat(Handshake.accept("dGhlIHNhbXBsZSBub25jZQ==")).isEqualTo("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
    }
}
