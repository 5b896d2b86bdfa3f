package postroad.nostr.relay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What a bad or broken client meets: a reason, and nobody else is harmed.
@ExtendWith(Leaks.class)
class ProtocolTest {
    private TestRelay relay;
    private RawClient client;
    private RawClient healthy;

    @BeforeEach
    void start() throws IOException {
        relay = TestRelay.start(TestRelay.defaults().with(s -> s.loops = 1));
        client = relay.client();
        healthy = relay.client();
    }

    @AfterEach
    void stop() throws IOException {
        assertThat(healthy.request("still served", "{}")).isEmpty();
        healthy.close();
        client.close();
        relay.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "hello",
                "{}",
                "[]",
                "[1]",
                "[\"REQ\"",
                "[\"REQ\",7,{}]",
                "[\"CLOSE\"]",
                "[\"CLOSE\",\"\"]",
                "null",
                "[\"EVENT\",{}] tail"
            })
    void answersWhatIsNoMessageWithANotice(String message) throws IOException {
        client.send(message);

        assertThat(client.next()).matches("\\[\"(NOTICE|OK)\",.*\"[a-z]+: .*\"]");
        assertThat(client.isQuiet()).isTrue();
    }

    @Test
    void answersUnknownVerbsWithTheirId() throws IOException {
        client.send("[\"NEG-OPEN\",\"n\",{},\"61\"]");
        assertThat(client.next()).startsWith("[\"NEG-ERR\",\"n\",\"unsupported: ");
        client.send("[\"FETCH\",\"f\",{}]");
        assertThat(client.next()).startsWith("[\"NOTICE\",\"unsupported: FETCH");
        assertThat(client.next()).startsWith("[\"CLOSED\",\"f\",\"unsupported: FETCH");
        client.send("[\"PLAIN\"]");
        assertThat(client.next()).startsWith("[\"NOTICE\",\"unsupported: PLAIN");
        client.send("[\"NEG-CLOSE\",\"n\"]");
        assertThat(client.isQuiet()).isTrue();
    }

    @Test
    void namesTheSubscriptionIdThatIsTooLong() throws IOException {
        String longest = "ü".repeat(64);
        assertThat(client.request(longest, "{\"limit\":0}")).isEmpty();

        client.send("[\"REQ\",\"" + longest + "x\",{}]");
        assertThat(client.next()).startsWith("[\"CLOSED\",\"" + longest + "x\",\"invalid: ");
        client.send("[\"REQ\",\"\",{}]");
        assertThat(client.next()).startsWith("[\"CLOSED\",\"\",\"invalid: ");
    }

    @ParameterizedTest
    @CsvSource({
        "0x82,1003", // binary
        "0x83,1002", // an opcode nobody defined
        "0xc1,1002", // compressed, though that was not agreed on
        "0x80,1002", // continues nothing
        "0x09,1002" // a ping in pieces
    })
    void endsTheConnectionThatBreaksTheProtocol(String first, int code) throws IOException {
        client.frame(Integer.decode(first), "x".getBytes(UTF_8));

        RawClient.Frame close = client.nextClose();

        assertThat(close.closeCode()).isEqualTo(code);
        assertThat(close.closeReason()).isNotEmpty();
        assertThat(client.readAll()).isEmpty();
    }

    @Test
    void endsOnUnmaskedFramesAndBadUtf8() throws IOException {
        client.raw(new byte[] {(byte) 0x81, 2, '[', ']'});
        assertThat(client.nextClose().closeCode()).isEqualTo(1002);
        try (RawClient other = relay.client()) {
            other.frame(0x81, new byte[] {'"', (byte) 0xc3, '"'});
            assertThat(other.nextClose().closeCode()).isEqualTo(1007);
        }
    }

    @Test
    void refusesALongMessageBeforeItHasComeAndTheReasonArrives() throws IOException {
        byte[] frame = RawClient.masked(0x81, new byte[10 << 20]);
        Thread sender = Thread.startVirtualThread(() -> {
            try {
                client.raw(frame);
            } catch (IOException e) {
                // The relay may hang up while we still send.
            }
        });

        RawClient.Frame close = client.nextClose();

        assertThat(close.closeCode()).isEqualTo(1009);
        assertThat(close.closeReason()).contains("1048576");
        client.close();
        assertThat(joined(sender)).isTrue();
    }

    @Test
    void refusesADeflateBomb() throws IOException {
        try (RawClient packed = relay.client("Sec-WebSocket-Extensions: permessage-deflate")) {
            packed.frame(0xc1, FrameReaderTest.deflate(new byte[20 << 20]));

            assertThat(packed.nextClose().closeCode()).isEqualTo(1009);
        }
    }

    @Test
    void answersOnePongForAFloodOfPings() throws IOException {
        ByteArrayOutputStream flood = new ByteArrayOutputStream();
        for (int i = 0; i < 5_000; i++) {
            flood.write(RawClient.masked(0x89, ("p" + i).getBytes(UTF_8)));
        }
        client.raw(flood.toByteArray());
        client.send("[\"REQ\",\"end\",{\"limit\":0}]");

        int pongs = 0;
        String last = "";
        RawClient.Frame frame = client.nextFrame();
        while (!frame.text().startsWith("[\"EOSE\"")) {
            assertThat(frame.opcode()).isEqualTo(RawClient.PONG);
            last = frame.text();
            pongs++;
            frame = client.nextFrame();
        }
        if (!last.equals("p4999")) {
            last = client.nextFrame().text();
        }

        assertThat(last).isEqualTo("p4999");
        assertThat(pongs).isLessThan(500);
    }

    @Test
    void takesAHundredThousandClosesOfNothing() throws IOException {
        ByteArrayOutputStream closes = new ByteArrayOutputStream();
        for (int i = 0; i < 100_000; i++) {
            closes.write(RawClient.masked(0x81, ("[\"CLOSE\",\"c" + i + "\"]").getBytes(UTF_8)));
        }
        client.raw(closes.toByteArray());

        assertThat(client.isQuiet()).isTrue();
        assertThat(relay.server().stats().messages().get("CLOSE")).isEqualTo(100_000);
    }

    @Test
    void servesOthersWhileOneConnectionKeepsItBusy() throws Exception {
        ByteArrayOutputStream requests = new ByteArrayOutputStream();
        for (int i = 0; i < 20_000; i++) {
            requests.write(
                    RawClient.masked(0x81, ("[\"REQ\",\"s\",{\"kinds\":[" + (30_000 + i) + "]}]").getBytes(UTF_8)));
        }
        Thread sender = Thread.startVirtualThread(() -> {
            try {
                client.raw(requests.toByteArray());
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });

        for (int i = 0; i < 100; i++) {
            assertThat(healthy.request("h", "{\"kinds\":[1]}")).isEmpty();
        }
        for (int i = 0; i < 20_000; i++) {
            assertThat(client.next()).startsWith("[\"EOSE\",\"s\"");
        }
        assertThat(joined(sender)).isTrue();
    }

    @Test
    void survivesRandomBytes() throws IOException {
        Random random = new Random(5);
        for (int round = 0; round < 100; round++) {
            byte[] bytes = new byte[random.nextInt(300)];
            random.nextBytes(bytes);
            try (RawClient wild = relay.client()) {
                wild.raw(bytes);
            }
            try (RawClient wild = RawClient.tcp(relay.address())) {
                wild.raw(bytes);
            }
        }
    }

    @Test
    void pingsASilentConnectionAndEndsItWhenNothingComesBack() throws IOException {
        var settings = TestRelay.defaults().with(s -> {
            s.ping = Duration.ofMillis(150);
            s.idle = Duration.ofMillis(600);
        });
        try (TestRelay alert = TestRelay.start(settings);
                RawClient silent = alert.client()) {
            assertThat(silent.nextFrame().opcode()).isEqualTo(RawClient.PING);
            RawClient.Frame close = silent.nextClose();

            assertThat(close.closeCode()).isEqualTo(1008);
            assertThat(close.closeReason()).contains("not even a pong");
        }
    }

    @Test
    void keepsAConnectionThatAnswersPings() throws IOException {
        var settings = TestRelay.defaults().with(s -> {
            s.ping = Duration.ofMillis(50);
            s.idle = Duration.ofMillis(400);
        });
        try (TestRelay alert = TestRelay.start(settings);
                RawClient alive = alert.client()) {
            for (int i = 0; i < 12; i++) {
                assertThat(alive.nextFrame().opcode()).isEqualTo(RawClient.PING);
                alive.frame(0x8a, new byte[0]);
            }
            assertThat(alert.server().stats().openConnections()).isEqualTo(1);
        }
    }

    @Test
    void endsAMessageThatTrickles() throws IOException {
        var settings = TestRelay.defaults().with(s -> s.message = Duration.ofMillis(200));
        try (TestRelay hasty = TestRelay.start(settings);
                RawClient slow = hasty.client()) {
            slow.raw(new byte[] {(byte) 0x81, (byte) 0xfe, 1, 0});

            RawClient.Frame close = slow.nextClose();

            assertThat(close.closeCode()).isEqualTo(1008);
            assertThat(close.closeReason()).startsWith("the message took longer");
        }
    }

    @Test
    void closesTogetherWithTheClient() throws IOException {
        client.frame(0x88, new byte[] {3, (byte) 0xe9});

        RawClient.Frame close = client.nextClose();

        assertThat(close.closeCode()).isEqualTo(1001);
        assertThat(client.readAll()).isEmpty();
    }

    @Test
    void forgetsAConnectionThatIsGone() throws IOException {
        client.request("s", "{}");
        client.close();

        // The relay's loop is the only one, and it serves in order: two round trips later the end was seen.
        while (relay.server().stats().openConnections() > 1) {
            assertThat(healthy.isQuiet()).isTrue();
        }
        relay.ingest(List.of(relay.event(1, TestRelay.NOW, 20_001, "to nobody")));
        assertThat(relay.server().stats().delivered()).isZero();
    }

    private static boolean joined(Thread thread) {
        try {
            return thread.join(Duration.ofSeconds(20));
        } catch (InterruptedException e) {
            return false;
        }
    }
}
