package postroad.nostr.relay;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import postroad.nostr.core.RelayUrl;

@ExtendWith(Leaks.class)
class HttpSideTest {
    private static TestRelay relay;

    @BeforeAll
    static void start() {
        relay = TestRelay.start();
    }

    @AfterAll
    static void stop() {
        relay.close();
    }

    @Test
    void describesItselfAsNip11Asks() throws IOException {
        String answer = ask(relay, "GET / HTTP/1.1\r\nHost: x\r\nAccept: application/nostr+json\r\n\r\n");
        JsonNode document = body(answer);

        assertThat(answer).startsWith("HTTP/1.1 200 ").contains("content-type: application/nostr+json");
        assertThat(document.get("name").asText()).isEqualTo("Postroad relay");
        assertThat(document.get("supported_nips").toString()).isEqualTo("[1,9,11,40,42,45,62,67,70,91]");
        JsonNode limitation = document.get("limitation");
        assertThat(limitation.get("max_message_length").asInt()).isEqualTo(1 << 20);
        assertThat(limitation.get("max_subscriptions").asInt()).isEqualTo(64);
        assertThat(limitation.get("max_limit").asInt()).isEqualTo(5_000);
        assertThat(limitation.get("default_limit").asInt()).isEqualTo(500);
        assertThat(limitation.get("created_at_upper_limit").asInt()).isEqualTo(900);
        assertThat(limitation.has("created_at_lower_limit")).isFalse();
        assertThat(limitation.get("auth_required").asBoolean()).isFalse();
    }

    @Test
    void sendsCorsHeadersWithEveryAnswerAndOnPreflight() throws IOException {
        // The whole address as the target, and a type in capitals, mean the same.
        String whole = ask(relay, "GET http://x/?a=b HTTP/1.1\r\nHost: x\r\nAccept: Application/Nostr+JSON\r\n\r\n");
        assertThat(whole).startsWith("HTTP/1.1 200 OK");
        String document = ask(relay, "GET / HTTP/1.1\r\nHost: x\r\nAccept: application/nostr+json\r\n\r\n");
        String preflight = ask(relay, "OPTIONS / HTTP/1.1\r\nHost: x\r\nOrigin: https://c.example\r\n\r\n");

        for (String answer : List.of(document, preflight)) {
            assertThat(answer)
                    .contains("access-control-allow-origin: *")
                    .contains("access-control-allow-headers: *")
                    .contains("access-control-allow-methods: GET, HEAD, OPTIONS");
        }
        assertThat(preflight).startsWith("HTTP/1.1 204 ");
    }

    @Test
    void readsARequestThatComesByteByByteAndNothingBehindIt() throws IOException {
        String get = "GET / HTTP/1.1";
        String request = String.join("\r\n", "", get, "Host: x", "Accept: application/nostr+json", "") + "\r\n";
        try (RawClient client = RawClient.tcp(relay.address())) {
            for (int i = 0; i < request.length() - 1; i++) {
                client.raw(request.substring(i, i + 1));
            }
            client.raw("\n" + request + get);
            String answers = client.readAll();

            assertThat(answers).startsWith("HTTP/1.1 200 ");
            assertThat(answers.split("HTTP/1.1 ", -1)).hasSize(2);
        }
    }

    @Test
    void refusesAWebSocketWithABody() throws IOException {
        String upgrade = String.join(
                "\r\n",
                "GET / HTTP/1.1",
                "Host: x",
                "Upgrade: websocket",
                "Connection: Upgrade",
                "Sec-WebSocket-Version: 13",
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
                "");

        assertThat(ask(relay, upgrade + "Transfer-Encoding: chunked\r\n\r\n")).startsWith("HTTP/1.1 400 ");
        assertThat(ask(relay, upgrade + "Content-Length: 5\r\n\r\n")).startsWith("HTTP/1.1 400 ");
    }

    @Test
    void showsBrowsersAPageThatLoadsNothing() throws IOException {
        String page = ask(relay, "GET / HTTP/1.1\r\nHost: my.relay:99\r\nAccept: text/html,*/*\r\n\r\n");

        assertThat(page)
                .startsWith("HTTP/1.1 200 ")
                .contains("text/html", "<h1>Postroad relay</h1>", "ws://my.relay:99", "1, 9, 11")
                .doesNotContain("src=", "href=", "<script");
    }

    @Test
    void escapesWhatTheOperatorAndTheBrowserSay() throws IOException {
        var settings = TestRelay.defaults()
                .with(s -> s.info = new RelayInfo(
                        "<b>&\"",
                        "d",
                        Optional.empty(),
                        Optional.of("<script>"),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        "1"));
        try (TestRelay odd = TestRelay.start(settings)) {
            String page = ask(odd, "GET / HTTP/1.1\r\nHost: <i>\r\nAccept: text/html\r\n\r\n");

            assertThat(page)
                    .contains("&lt;b&gt;&amp;&quot;", "&lt;script&gt;", "&lt;i&gt;")
                    .doesNotContain("<b>", "<script>", "<i>");
        }
    }

    @Test
    void answersHeadWithoutABody() throws IOException {
        String answer = ask(relay, "HEAD / HTTP/1.1\r\nHost: x\r\nAccept: application/nostr+json\r\n\r\n");

        assertThat(answer).startsWith("HTTP/1.1 200 ").endsWith("\r\n\r\n").containsPattern("content-length: [1-9]");
    }

    @Test
    void refusesTheRestWithAHint() throws IOException {
        assertThat(ask(relay, "GET / HTTP/1.1\r\nHost: x\r\n\r\n"))
                .startsWith("HTTP/1.1 426 ")
                .contains("upgrade: websocket", "connect with a WebSocket");
        assertThat(ask(relay, "GET /other HTTP/1.1\r\nHost: x\r\n\r\n")).startsWith("HTTP/1.1 404 ");
        assertThat(ask(relay, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nhi"))
                .startsWith("HTTP/1.1 405 ")
                .contains("allow: GET, HEAD, OPTIONS");
        assertThat(ask(relay, "GET / HTTP/1.1\r\nHost: x\r\nX-Long: " + "y".repeat(20_000) + "\r\n\r\n"))
                .startsWith("HTTP/1.1 400 ");
        assertThat(ask(relay, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999\r\n\r\n" + "z".repeat(99_999)))
                .startsWith("HTTP/1.1 405 ");
        assertThat(ask(relay, "nonsense\r\n\r\n")).startsWith("HTTP/1.1 400 ");
    }

    @Test
    void upgradesByTheRfcsOwnExample() throws IOException {
        try (RawClient client = RawClient.tcp(relay.address())) {
            String answer = client.upgrade();

            assertThat(answer)
                    .startsWith("HTTP/1.1 101 ")
                    .contains("sec-websocket-accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
                    .doesNotContain("extensions");
            assertThat(client.nextMessage().get(0).asText()).isEqualTo("AUTH");
        }
    }

    @Test
    void refusesAnUpgradeThatIsWrong() throws IOException {
        String good = upgrade("/", "websocket", "keep-alive, Upgrade");

        assertThat(ask(relay, good.replace("Version: 13", "Version: 8")))
                .startsWith("HTTP/1.1 426 ")
                .contains("sec-websocket-version: 13");
        assertThat(ask(relay, good.replace("dGhl", "d"))).startsWith("HTTP/1.1 400 ");
        assertThat(ask(relay, good.replace("HTTP/1.1", "HTTP/1.0"))).contains(" 400 ");
        assertThat(ask(relay, good.replace("GET", "POST"))).startsWith("HTTP/1.1 400 ");
        assertThat(ask(relay, good.replace("GET / ", "GET /x "))).startsWith("HTTP/1.1 404 ");
        assertThat(ask(relay, good.replace("keep-alive, Upgrade", "close"))).startsWith("HTTP/1.1 400 ");
    }

    @Test
    void takesFramesThatComeTogetherWithTheRequest() throws IOException {
        try (RawClient client = RawClient.tcp(relay.address())) {
            byte[] frame = RawClient.masked(0x81, "[\"REQ\",\"early\",{\"limit\":0}]".getBytes(US_ASCII));
            String request = upgrade("/?x=1", "WebSocket", "upgrade");
            byte[] both = Arrays.copyOf(request.getBytes(US_ASCII), request.length() + frame.length);
            System.arraycopy(frame, 0, both, request.length(), frame.length);

            client.raw(both);

            assertThat(client.readHead()).startsWith("HTTP/1.1 101 ");
            assertThat(client.next()).startsWith("[\"AUTH\"");
            assertThat(client.next()).isEqualTo("[\"EOSE\",\"early\"]");
        }
    }

    @Test
    void servesThePathOfItsOwnAddress() throws IOException {
        var settings = TestRelay.defaults()
                .with(s ->
                        s.urls = Set.of(RelayUrl.parse("wss://x.example/nostr").orElseThrow()));
        try (TestRelay behindProxy = TestRelay.start(settings)) {
            assertThat(ask(behindProxy, "GET /nostr/ HTTP/1.1\r\nHost: x\r\n\r\n"))
                    .startsWith("HTTP/1.1 426 ");
            assertThat(ask(behindProxy, "GET /nostr2 HTTP/1.1\r\nHost: x\r\n\r\n"))
                    .startsWith("HTTP/1.1 404 ");
        }
    }

    @Test
    void agreesOnDeflateWithoutContextOnly() {
        assertThat(deflate("permessage-deflate")).isTrue();
        assertThat(deflate("permessage-deflate; client_max_window_bits")).isTrue();
        assertThat(deflate("x-other, permessage-deflate; client_max_window_bits=9; server_no_context_takeover"))
                .isTrue();
        assertThat(deflate("permessage-deflate; server_max_window_bits=10")).isFalse();
        assertThat(deflate("permessage-deflate; server_max_window_bits=10, permessage-deflate"))
                .isTrue();
        assertThat(deflate("permessage-deflate; what=ever")).isFalse();
        assertThat(deflate("x-webkit-deflate-frame")).isFalse();
    }

    @Test
    void namesTheWindowToWhoAsksForIt() {
        String window = "permessage-deflate; server_no_context_takeover; client_no_context_takeover"
                + "; server_max_window_bits=15";
        assertThat(answer("permessage-deflate; server_max_window_bits=15")).contains(window);
        assertThat(answer("permessage-deflate; client_max_window_bits; server_max_window_bits = \"15\""))
                .contains(window);
        assertThat(answer("permessage-deflate; server_max_window_bits=10, permessage-deflate"))
                .contains(Handshake.DEFLATE);
        assertThat(answer("permessage-deflate; server_max_window_bits=15; server_max_window_bits=15"))
                .as("a parameter twice")
                .isEmpty();
    }

    @Test
    void tellsAHandshakeThatTakesTooLong() throws IOException {
        var settings = TestRelay.defaults().with(s -> s.handshake = Duration.ofSeconds(1));
        try (TestRelay hasty = TestRelay.start(settings);
                RawClient silent = RawClient.tcp(hasty.address());
                RawClient slow = RawClient.tcp(hasty.address());
                RawClient endless = RawClient.tcp(hasty.address())) {
            slow.raw("GET / HTTP/1.1\r\nHost: ");
            // Empty lines may stand before a request, which then does not come.
            endless.raw("\r\n\r\n");

            for (RawClient late : List.of(silent, slow, endless)) {
                assertThat(late.readAll())
                        .startsWith("HTTP/1.1 408 ")
                        .containsIgnoringCase("connection: close")
                        .endsWith("\r\n\r\nthe request took longer than 1 s\n");
            }
        }
    }

    /// Not when the time for a request is over: whoever speaks TLS here by mistake waits for the answer.
    @ParameterizedTest
    @ValueSource(strings = {"16030100", "0d0a160301", "80", "00"})
    void answersWhatIsNoHttpAtOnce(String begin) throws IOException {
        var settings = TestRelay.defaults().with(s -> s.handshake = Duration.ofMinutes(5));
        try (TestRelay patient = TestRelay.start(settings);
                RawClient client = RawClient.tcp(patient.address())) {
            client.raw(HexFormat.of().parseHex(begin));

            assertThat(client.readAll()).startsWith("HTTP/1.1 400 ").contains("this is not HTTP");
        }
    }

    @Test
    void turnsConnectionsAwayBeyondTheirTotal() throws IOException {
        var settings = TestRelay.defaults().with(s -> s.connections = 2);
        try (TestRelay small = TestRelay.start(settings);
                RawClient first = small.client();
                RawClient third = freedPlace(small)) {
            try (RawClient tooMany = RawClient.tcp(small.address())) {
                assertThat(tooMany.readAll())
                        .startsWith("HTTP/1.1 503 ")
                        .contains("this relay has all the connections it takes");
            }
            assertThat(first.isQuiet()).isTrue();
            assertThat(third.isQuiet()).isTrue();
        }
    }

    /// Takes the last place and gives it back; the connection that has it then.
    private static RawClient freedPlace(TestRelay relay) throws IOException {
        RawClient second = relay.client();
        second.frame(0x88, new byte[] {3, (byte) 232});
        second.nextClose();
        second.readAll();
        while (true) {
            RawClient next = RawClient.tcp(relay.address());
            if (next.upgrade().startsWith("HTTP/1.1 101 ")) {
                next.next();
                second.close();
                return next;
            }
            next.close();
        }
    }

    @Test
    void turnsConnectionsAwayBeyondTheBounds() throws IOException {
        var settings = TestRelay.defaults().with(s -> {
            s.connections = 3;
            s.connectionsPerAddress = 2;
        });
        try (TestRelay small = TestRelay.start(settings);
                RawClient first = small.client();
                RawClient second = small.client();
                RawClient third = RawClient.tcp(small.address())) {
            assertThat(third.readAll()).startsWith("HTTP/1.1 429 ").contains("at most 2 connections");
            assertThat(first.isQuiet()).isTrue();
            assertThat(second.isQuiet()).isTrue();
        }
    }

    @Test
    void countsClientsBehindATrustedProxyByTheirOwnAddress() throws IOException {
        var settings = TestRelay.defaults().with(s -> {
            s.trustedProxies = List.of("127.0.0.0/8", "10.1.0.0/16");
            s.connectionsPerAddress = 1;
        });
        try (TestRelay proxied = TestRelay.start(settings);
                RawClient one = proxied.client("X-Forwarded-For: 9.9.9.9, 203.0.113.1, 10.1.2.3");
                RawClient two = proxied.client("X-Forwarded-For: 203.0.113.2");
                RawClient same = RawClient.tcp(proxied.address());
                RawClient sameNet = RawClient.tcp(proxied.address());
                RawClient six = proxied.client("X-Forwarded-For: 2001:db8:1:2::1")) {
            assertThat(same.upgrade("X-Forwarded-For: 203.0.113.1")).startsWith("HTTP/1.1 429 ");
            assertThat(sameNet.upgrade("X-Forwarded-For: [2001:db8:1:2:ffff::9]:443"))
                    .as("the same /64")
                    .startsWith("HTTP/1.1 429 ");
            assertThat(List.of(one.isQuiet(), two.isQuiet(), six.isQuiet())).containsOnly(true);
        }
    }

    @Test
    void believesNoForwardedAddressFromStrangers() throws IOException {
        var settings = TestRelay.defaults().with(s -> s.connectionsPerAddress = 1);
        try (TestRelay open = TestRelay.start(settings);
                RawClient one = open.client("X-Forwarded-For: 203.0.113.1");
                RawClient two = RawClient.tcp(open.address())) {
            assertThat(two.readAll()).startsWith("HTTP/1.1 429 ");
            assertThat(one.isQuiet()).isTrue();
        }
    }

    @Test
    void servesWithTheSelectorToo() throws IOException {
        try (TestRelay nio = TestRelay.start(TestRelay.defaults(), Transport.selector());
                RawClient client = nio.client()) {
            assertThat(client.request("s", "{}")).isEmpty();
            assertThat(nio.server().transport()).isEqualTo("selector");
        }
    }

    private static boolean deflate(String offer) {
        return answer(offer).equals(Optional.of(Handshake.DEFLATE));
    }

    private static Optional<String> answer(String offer) {
        var request = new io.netty.handler.codec.http.DefaultHttpRequest(
                io.netty.handler.codec.http.HttpVersion.HTTP_1_1, io.netty.handler.codec.http.HttpMethod.GET, "/");
        request.headers()
                .set("Upgrade", "websocket")
                .set("Connection", "Upgrade")
                .set("Sec-WebSocket-Version", "13")
                .set("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==")
                .set("Sec-WebSocket-Extensions", offer);
        return Handshake.judge(request, true) instanceof Handshake.Agreed agreed
                ? agreed.extensions()
                : Optional.empty();
    }

    private static String upgrade(String path, String upgrade, String connection) {
        return "GET " + path + " HTTP/1.1\r\nHost: x\r\nUpgrade: " + upgrade + "\r\nConnection: " + connection
                + "\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
    }

    private static String ask(TestRelay relay, String request) throws IOException {
        try (RawClient client = RawClient.tcp(relay.address())) {
            client.raw(request);
            return client.readAll();
        }
    }

    private static JsonNode body(String answer) throws IOException {
        return new ObjectMapper().readTree(answer.substring(answer.indexOf("\r\n\r\n") + 4));
    }
}
