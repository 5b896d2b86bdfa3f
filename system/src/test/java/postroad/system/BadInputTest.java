package postroad.system;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import postroad.lab.fuzz.Frame;
import postroad.lab.fuzz.Fuzzer;
import postroad.lab.fuzz.GoodMessages;
import postroad.lab.fuzz.Health;
import postroad.lab.fuzz.Neighbour;
import postroad.lab.fuzz.RawConnection;
import postroad.lab.fuzz.TrialRelay;
import postroad.nostr.core.Event;
import postroad.nostr.core.EventDraft;
import postroad.nostr.core.Signer;
import postroad.nostr.core.Tag;
import postroad.nostr.kit.Keys;
import postroad.nostr.relay.Limits;

/// Bad input of every kind over real sockets: each gets its reason, with the caller's own id where there is
/// one, and a healthy connection beside it goes on getting answers. All against one relay, which must be
/// well at the end.
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class BadInputTest {
    private static final Signer AUTHOR = new Keys(3).signer(0);
    private static final long TIME = 1_700_000_000;

    /// What may stay in use beside what a warm-up has already made: an array grown to the longest message
    /// here and there, a pool's next chunks, what the tests themselves keep. Measured: 0.6 MB alone, 8.2 MB
    /// in a busy whole run.
    private static final long SLACK_BYTES = 24 << 20;

    private static final int WARM_UP_CONNECTIONS = 400;

    @TempDir
    private static Path folder;

    private static TrialRelay relay;
    private static Health health;
    private static long usedBefore;

    private Neighbour neighbour;
    private RawConnection connection;

    @BeforeAll
    static void start() throws Exception {
        relay = TrialRelay.start(folder.resolve("store"), Limits.DEFAULT);
        health = Health.watch();
        new Fuzzer(relay.address(), GoodMessages.of(1, 300)).run(1, Duration.ofSeconds(30), WARM_UP_CONNECTIONS);
        usedBefore = Health.usedBytes();
    }

    @AfterAll
    static void theRelayIsWell() {
        try {
            assertThat(health.complaints()).isEmpty();
            assertThat(relay.problems()).isEmpty();
            assertThat(Health.usedBytes()).as("memory returns").isLessThan(usedBefore + SLACK_BYTES);
        } finally {
            health.close();
            relay.close();
        }
    }

    @BeforeEach
    void connect() throws IOException {
        neighbour = Neighbour.begin(relay.address());
        connection = RawConnection.open(relay.address());
    }

    @AfterEach
    void nobodyElseWasHarmed() throws Exception {
        neighbour.demandAnswer();
        neighbour.close();
        connection.close();
    }

    @Test
    void whatIsNotJsonGetsANotice() throws IOException {
        for (String text : List.of("hello", "", "{", "[", "[]", "{}", "null", "[1]", "[\"REQ\"", "[\"REQ\",", "]")) {
            connection.sendText(text);

            assertThat(connection.awaitText("[\"NOTICE\"")).as(text).contains("invalid: ");
        }
        demandServed();
    }

    @Test
    void deepNestingGetsItsReason() throws IOException {
        connection.sendText("[".repeat(200_000));
        assertThat(connection.awaitText("[\"NOTICE\"")).contains("invalid: ");

        String event = event("deep").json().replace("\"tags\":[]", "\"tags\":" + "[".repeat(100_000));
        connection.sendText("[\"EVENT\"," + event + "]");
        assertThat(connection.awaitText("[\"OK\"")).contains("false").contains("invalid: ");

        connection.sendText("[\"REQ\",\"deep\",{\"a\":" + "{\"a\":".repeat(100_000) + "1" + "}".repeat(100_000) + "}]");
        assertThat(connection.awaitText("[\"CLOSED\",\"deep\"")).contains(": ");
        demandServed();
    }

    @Test
    void hugeNumbersGetTheirReason() throws IOException {
        for (String number : List.of("1" + "0".repeat(400), "9".repeat(50_000), "1e400")) {
            demandEventRefused("\"created_at\":" + TIME, "\"created_at\":" + number);
            demandEventRefused("\"kind\":1", "\"kind\":" + number);
            demandFilterRefused("{\"since\":" + number + "}");
            demandFilterRefused("{\"kinds\":[" + number + "]}");
        }
        demandEventRefused("\"created_at\":" + TIME, "\"created_at\":18446744073709551616");
        connection.sendText("[\"REQ\",\"far ahead\",{\"since\":18446744073709551616}]");
        assertThat(connection.awaitText("[")).startsWith("[\"EOSE\",\"far ahead\"");
    }

    @Test
    void loneSurrogatesAreRefused() throws IOException {
        for (String text : List.of("\\ud800", "\\udc00", "\\ud800\\ud800", "\\udc00\\ud800", "\\ud83dx")) {
            demandEventRefused("\"content\":\"\"", "\"content\":\"" + text + "\"");
            connection.sendText("[\"REQ\",\"" + text + "\",{}]");
            assertThat(connection.awaitText("[")).contains("invalid: ");
        }
    }

    @Test
    void aNulByteIsRefusedButItsEscapeIsText() throws IOException {
        demandEventRefused("\"content\":\"\"", "\"content\":\"\u0000\"");

        Event event = AUTHOR.sign(new EventDraft(TIME, 1, List.of(Tag.of("t", "a\u0000b")), "a\u0000b"));
        connection.sendText("[\"EVENT\"," + event.json() + "]");
        assertThat(connection.awaitText("[\"OK\",\"" + event.id().hex() + "\"")).contains("true");

        connection.sendText("[\"REQ\",\"nul\",{\"#t\":[\"a\\u0000b\"]}]");
        assertThat(connection.awaitText("[\"EVENT\",\"nul\""))
                .contains(event.id().hex())
                .doesNotContain("\u0000");
    }

    @Test
    void duplicateKeysAreRefused() throws IOException {
        demandEventRefused("\"kind\":1", "\"kind\":1,\"kind\":1");
        demandEventRefused("\"content\":\"\"", "\"content\":\"\",\"content\":\"x\"");
        demandFilterRefused("{\"kinds\":[1],\"kinds\":[2]}");
        demandFilterRefused("{\"#e\":[],\"#e\":[]}");
    }

    @Test
    void upperCaseIdsAreRefused() throws IOException {
        Event event = event("upper case");
        String upper = event.id().hex().toUpperCase(Locale.ROOT);
        connection.sendText("[\"EVENT\"," + event.json().replace(event.id().hex(), upper) + "]");
        assertThat(connection.awaitText("[\"OK\""))
                .contains(upper)
                .contains("false")
                .contains("invalid: ");

        demandFilterRefused("{\"ids\":[\"" + upper + "\"]}");
        demandFilterRefused("{\"authors\":[\"" + upper + "\"]}");
        demandFilterRefused("{\"#e\":[\"" + upper + "\"]}");
        demandFilterRefused("{\"#p\":[\"" + upper + "\"]}");
    }

    @Test
    void kindsOutOfRangeAreRefused() throws IOException {
        for (String kind : List.of("-1", "65536", "1.0", "1e0", "01", "\"1\"", "null", "true")) {
            demandEventRefused("\"kind\":1", "\"kind\":" + kind);
            demandFilterRefused("{\"kinds\":[" + kind + "]}");
        }
    }

    @Test
    void timesThatAreNoPlainNumbersAreRefused() throws IOException {
        for (String time : List.of("1e9", "-1", "1700000000.0", "01", "\"1\"", "null")) {
            demandEventRefused("\"created_at\":" + TIME, "\"created_at\":" + time);
            demandFilterRefused("{\"since\":" + time + "}");
            demandFilterRefused("{\"until\":" + time + "}");
            demandFilterRefused("{\"limit\":" + time + "}");
        }
    }

    @Test
    void aFrameOfTenMegabytesEndsTheConnectionWithItsReason() throws IOException {
        sendCarelessly(Frame.text("[\"EVENT\",{\"content\":\"" + "x".repeat(10 << 20) + "\"}]")
                .bytes(7));

        demandEnd(1009);
    }

    @Test
    void aMessageOfTenMegabytesInSmallFramesEndsTheConnectionWithItsReason() throws IOException {
        ByteBuffer part = ByteBuffer.wrap("x".repeat(1 << 16).getBytes(UTF_8));
        sendCarelessly(new Frame(Frame.TEXT, part).bytes(7));
        for (int i = 0; i < 160; i++) {
            sendCarelessly(new Frame(Frame.CONTINUATION, part).bytes(7));
        }

        demandEnd(1009);
    }

    @Test
    void aFragmentedMessageIsOneMessage() throws IOException {
        byte[] message = "[\"REQ\",\"in pieces\",{\"limit\":0}]".getBytes(UTF_8);
        for (int i = 0; i < message.length; i++) {
            int opcode = i == 0 ? Frame.TEXT : Frame.CONTINUATION;
            int fin = i == message.length - 1 ? Frame.FIN : 0;
            connection.send(new Frame(fin | opcode, ByteBuffer.wrap(message, i, 1)));
            connection.send(new Frame(Frame.FIN | Frame.PING, ByteBuffer.wrap(new byte[] {1})));
        }

        assertThat(connection.awaitText("[\"EOSE\"")).contains("in pieces");
    }

    @Test
    void framesOutOfOrderEndTheConnection() throws IOException {
        connection.send(new Frame(Frame.FIN | Frame.CONTINUATION, ByteBuffer.wrap(new byte[] {1})));
        demandEnd(1002);

        try (RawConnection other = RawConnection.open(relay.address())) {
            other.send(new Frame(Frame.TEXT, ByteBuffer.wrap(new byte[] {'['})));
            other.send(new Frame(Frame.TEXT, ByteBuffer.wrap(new byte[] {'['})));
            assertThat(other.awaitEnd().orElseThrow().closeCode()).hasValue(1002);
        }
    }

    @Test
    void binaryFramesGetAReason() throws IOException {
        connection.send(new Frame(Frame.FIN | Frame.BINARY, ByteBuffer.wrap("[\"REQ\",\"b\",{}]".getBytes(UTF_8))));

        demandEnd(1003);
    }

    @Test
    void unmaskedFramesEndTheConnection() throws IOException {
        connection.send(Frame.text("[\"REQ\",\"u\",{}]").bytes(0));

        demandEnd(1002);
    }

    @Test
    void reservedBitsAndOpcodesEndTheConnection() throws IOException {
        for (int head : List.of(0xa1, 0x91, 0x83, 0x8b, 0x8f, Frame.PING, Frame.CLOSE)) {
            try (RawConnection other = RawConnection.open(relay.address())) {
                other.send(new Frame(head, ByteBuffer.wrap(new byte[] {'[', ']'})));
                assertThat(other.awaitEnd().orElseThrow().closeCode())
                        .as(Integer.toHexString(head))
                        .hasValue(1002);
            }
        }
    }

    @Test
    void badUtf8EndsTheConnection() throws IOException {
        for (String bytes :
                List.of("\u00ff", "\u00c0\u00af", "\u00ed\u00a0\u0080", "\u00f4\u0090\u0080\u0080", "\u00e2\u0082")) {
            try (RawConnection other = RawConnection.open(relay.address())) {
                String text = "[\"REQ\",\"" + bytes + "\",{}]";
                other.send(new Frame(Frame.FIN | Frame.TEXT, ByteBuffer.wrap(text.getBytes(ISO_8859_1))));
                assertThat(other.awaitEnd().orElseThrow().closeCode()).hasValue(1007);
            }
        }
    }

    @Test
    void pingFloodsHarmNobody() throws Exception {
        byte[] pings = repeated(new Frame(Frame.FIN | Frame.PING, ByteBuffer.wrap(new byte[125])).bytes(7), 1_000);
        for (int i = 0; i < 100; i++) {
            sendCarelessly(pings);
        }
        neighbour.demandAnswer();
        connection.close();

        try (RawConnection few = RawConnection.open(relay.address())) {
            few.send(new Frame(Frame.FIN | Frame.PING, ByteBuffer.wrap("hear me".getBytes(UTF_8))));
            Frame pong = few.readFrame().orElseThrow();
            while (pong.opcode() != Frame.PONG) {
                pong = few.readFrame().orElseThrow();
            }
            assertThat(pong.text()).isEqualTo("hear me");
        }
    }

    @Test
    void aClientThatStopsSendingIsLetGo() throws IOException {
        connection.sendText("[\"REQ\",\"half\",{\"limit\":0}]");
        connection.endOutput();

        assertThat(connection.awaitEnd())
                .satisfies(end ->
                        end.ifPresent(close -> assertThat(close.closeCode()).isPresent()));
    }

    @Test
    void aClientThatAnswersNoPingIsLetGo() throws IOException {
        connection.sendText("[\"REQ\",\"asleep\",{\"limit\":0}]");

        Optional<Frame> end = connection.awaitEnd();

        assertThat(end).isPresent();
        assertThat(end.orElseThrow().closeReason()).isNotEmpty();
    }

    @Test
    void aSlowHandshakeIsToldAndCutOff() throws Exception {
        try (RawConnection silent = RawConnection.connect(relay.address());
                RawConnection slow = RawConnection.connect(relay.address())) {
            byte[] handshake = slow.handshake();
            int sent = 0;
            boolean open = true;
            while (open && sent < handshake.length - 4) {
                try {
                    slow.send(new byte[] {handshake[sent++]});
                    Thread.sleep(100);
                } catch (IOException e) {
                    open = false;
                }
            }

            assertThat(open).as("still open after " + sent + " bytes").isFalse();
            assertThat(silent.readHead()).startsWith("HTTP/1.1 408 ");
        }
    }

    @Test
    void aSlowMessageIsCutOff() throws Exception {
        connection.send(new byte[] {(byte) 0x81, (byte) 0xfe, 0x10, 0x00, 0, 0, 0, 0, '['});

        demandEnd(1008);
    }

    @Test
    void aHundredThousandClosesOfUnknownIdsAreSilent() throws IOException {
        byte[] closes = IntStream.range(0, 100_000)
                .mapToObj(i -> new String(
                        Frame.text("[\"CLOSE\",\"unknown-" + i + "\"]").bytes(7), ISO_8859_1))
                .collect(Collectors.joining())
                .getBytes(ISO_8859_1);
        connection.send(closes);
        connection.sendText("[\"REQ\",\"after\",{\"limit\":0}]");

        assertThat(connection.awaitText("[")).startsWith("[\"EOSE\",\"after\"");
    }

    @Test
    void aStormOfRequestsOnOneIdEndsWithTheLastOne() throws Exception {
        for (int i = 0; i < 5_000; i++) {
            connection.sendText("[\"REQ\",\"storm\",{\"kinds\":[" + i % 3 + "],\"limit\":1}]");
        }
        connection.sendText("[\"REQ\",\"last\",{\"limit\":0}]");
        connection.awaitText("[\"EOSE\",\"last\"");
        connection.sendText("[\"CLOSE\",\"last\"]");

        Event event = event("after the storm");
        connection.sendText("[\"REQ\",\"storm\",{\"ids\":[\"" + event.id().hex() + "\"]}]");
        connection.awaitText("[\"EOSE\",\"storm\"");
        connection.sendText("[\"EVENT\"," + event.json() + "]");
        connection.awaitText("[\"EVENT\",\"storm\"");
        connection.sendText("[\"REQ\",\"end\",{\"limit\":0}]");
        assertThat(connection.awaitText("[")).doesNotStartWith("[\"EVENT\"");
    }

    @Test
    void filtersWithThousandsOfValuesAreAnsweredUpToTheLimit() throws IOException {
        connection.sendText("[\"REQ\",\"many\",{\"authors\":[" + keys(Limits.DEFAULT.filterValues()) + "]}]");
        assertThat(connection.awaitText("[")).startsWith("[\"EOSE\",\"many\"");

        connection.sendText("[\"REQ\",\"too many\",{\"authors\":[" + keys(Limits.DEFAULT.filterValues() + 1) + "]}]");
        assertThat(connection.awaitText("[\"CLOSED\",\"too many\""))
                .contains(Integer.toString(Limits.DEFAULT.filterValues()));

        String filters = IntStream.rangeClosed(0, Limits.DEFAULT.filters())
                .mapToObj(i -> "{\"kinds\":[" + i + "]}")
                .collect(Collectors.joining(","));
        connection.sendText("[\"REQ\",\"filters\"," + filters + "]");
        assertThat(connection.awaitText("[\"CLOSED\",\"filters\""))
                .contains(Integer.toString(Limits.DEFAULT.filters()));
    }

    @Test
    void subscriptionIdsOfNoOrSixtyFiveCharactersAreRefused() throws IOException {
        connection.sendText("[\"REQ\",\"\",{}]");
        assertThat(connection.awaitText("[\"CLOSED\",\"\"")).contains("invalid: ");

        connection.sendText("[\"REQ\",\"" + "i".repeat(65) + "\",{}]");
        assertThat(connection.awaitText("[\"CLOSED\",\"iiii"))
                .contains("invalid: ")
                .contains("64");

        connection.sendText("[\"REQ\",\"" + "i".repeat(64) + "\",{\"limit\":0}]");
        assertThat(connection.awaitText("[\"EOSE\"")).contains("i".repeat(64));
    }

    @Test
    void tooManySubscriptionsAreRefusedByName() throws IOException {
        for (int i = 0; i < Limits.DEFAULT.subscriptions(); i++) {
            connection.sendText("[\"REQ\",\"sub-" + i + "\",{\"limit\":0}]");
        }
        connection.sendText("[\"REQ\",\"one more\",{\"limit\":0}]");

        assertThat(connection.awaitText("[\"CLOSED\",\"one more\""))
                .contains(Integer.toString(Limits.DEFAULT.subscriptions()));
    }

    @Test
    void aReaderThatNeverReadsIsCutAndHarmsNobody() throws Exception {
        Event large = AUTHOR.sign(new EventDraft(TIME, 9_999, List.of(Tag.of("t", "large")), "l".repeat(1 << 20)));
        connection.sendText("[\"EVENT\"," + large.json() + "]");
        assertThat(connection.awaitText("[\"OK\"")).contains("true");

        try (RawConnection deaf = RawConnection.connect(relay.address(), Optional.empty(), 4_096)) {
            deaf.shakeHands();
            for (int i = 0; i < 60; i++) {
                deaf.sendText(
                        "[\"REQ\",\"deaf-" + i + "\",{\"ids\":[\"" + large.id().hex() + "\"]}]");
            }
            neighbour.demandAnswer();

            assertThat(cutWithin(deaf, Duration.ofSeconds(30))).isTrue();
        }
    }

    @Test
    void unknownVerbsAreAnsweredByName() throws IOException {
        connection.sendText("[\"WHAT\",\"my id\"]");

        assertThat(connection.awaitText("[")).contains("WHAT").contains("unsupported: ");
        demandServed();
    }

    @Test
    void badHandshakesGetAStatus() throws IOException {
        for (String head : List.of(
                "GET / HTTP/1.1\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
                "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello",
                "GET /" + "x".repeat(100_000) + " HTTP/1.1\r\nHost: a\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nX: " + "x".repeat(100_000) + "\r\n\r\n",
                "nonsense\r\n\r\n")) {
            try (RawConnection other = RawConnection.connect(relay.address())) {
                other.send(head.getBytes(ISO_8859_1));
                assertThat(other.readHead())
                        .as(head.substring(0, Math.min(60, head.length())))
                        .matches("(?s)HTTP/1.1 4[0-9][0-9] .*");
            }
        }
    }

    @Test
    void aSeededFuzzerFindsNothing() throws Exception {
        long seed = 20_261_130;

        Fuzzer.Report report =
                new Fuzzer(relay.address(), GoodMessages.of(seed, 300)).run(seed, Duration.ofSeconds(20), 3_000);

        assertThat(report.connections()).isGreaterThan(100);
        assertThat(report.probes()).isPositive();
    }

    private void demandEventRefused(String good, String bad) throws IOException {
        Event event = AUTHOR.sign(new EventDraft(TIME, 1, List.of(), ""));
        String json = event.json();
        assertThat(json).contains(good);
        connection.sendText("[\"EVENT\"," + json.replace(good, bad) + "]");

        assertThat(connection.awaitText("[\"OK\""))
                .as(bad.substring(0, Math.min(60, bad.length())))
                .contains(event.id().hex())
                .contains(",false,")
                .contains("invalid: ");
    }

    private void demandFilterRefused(String filter) throws IOException {
        connection.sendText("[\"REQ\",\"mine\"," + filter + "]");

        assertThat(connection.awaitText("["))
                .as(filter.substring(0, Math.min(60, filter.length())))
                .startsWith("[\"CLOSED\",\"mine\"")
                .contains(": ");
    }

    private void demandServed() throws IOException {
        connection.sendText("[\"REQ\",\"still here\",{\"limit\":0}]");

        assertThat(connection.awaitText("[\"EOSE\"")).contains("still here");
    }

    private void demandEnd(int code) throws IOException {
        Frame close = connection.awaitEnd().orElseThrow(() -> new AssertionError("no close frame"));

        assertThat(close.closeCode()).as(close.closeReason()).hasValue(code);
        assertThat(close.closeReason()).isNotEmpty();
    }

    /// Whether a connection that reads nothing can't send any more after a while.
    private static boolean cutWithin(RawConnection deaf, Duration time) throws InterruptedException {
        long end = System.nanoTime() + time.toNanos();
        while (System.nanoTime() < end) {
            try {
                deaf.send(new Frame(Frame.FIN | Frame.PONG, ByteBuffer.allocate(0)));
                Thread.sleep(50);
            } catch (IOException e) {
                return true;
            }
        }
        return false;
    }

    private void sendCarelessly(byte[] bytes) {
        try {
            connection.send(bytes);
        } catch (IOException e) {
            // The relay may hang up in the middle; what it said before is read afterwards.
        }
    }

    private static Event event(String content) {
        return AUTHOR.sign(new EventDraft(TIME, 1, List.of(), content));
    }

    private static String keys(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> String.format("\"%064x\"", i))
                .collect(Collectors.joining(","));
    }

    private static byte[] repeated(byte[] bytes, int times) {
        ByteBuffer all = ByteBuffer.allocate(bytes.length * times);
        for (int i = 0; i < times; i++) {
            all.put(bytes);
        }
        return all.array();
    }
}
