package postroad.nostr.relay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FrameReaderTest {
    private static final int LIMIT = 1 << 20;

    /// Notes what was handed over, as text.
    private static final class Notes implements FrameReader.Sink {
        private final List<String> seen = new ArrayList<>();

        @Override
        public void text(byte[] bytes, int from, int to) {
            seen.add("text " + new String(bytes, from, to - from, UTF_8));
        }

        @Override
        public void ping(byte[] payload) {
            seen.add("ping " + new String(payload, UTF_8));
        }

        @Override
        public void pong() {
            seen.add("pong");
        }

        @Override
        public void close(int code) {
            seen.add("close " + code);
        }

        @Override
        public void broken(CloseCode code, String reason) {
            seen.add("broken " + code.number());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 125, 126, 127, 65_535, 65_536, LIMIT})
    void readsAMessageOfEveryLengthForm(int length) throws IOException {
        String message = "x".repeat(length);

        assertThat(read(false, RawClient.masked(0x81, message.getBytes(UTF_8)))).containsExactly("text " + message);
    }

    @Test
    void refusesAMessageOverTheLimitAtItsHeader() throws IOException {
        byte[] frame = RawClient.masked(0x81, new byte[LIMIT + 1]);

        assertThat(read(false, Arrays.copyOf(frame, 14))).containsExactly("broken 1009");
    }

    @Test
    void refusesFragmentsThatAreTooLongTogether() throws IOException {
        byte[] first = RawClient.masked(0x01, new byte[LIMIT]);
        byte[] second = RawClient.masked(0x80, new byte[1]);

        assertThat(read(false, join(first, second))).containsExactly("broken 1009");
    }

    @Test
    void joinsFragmentsAndAnswersControlFramesBetweenThem() throws IOException {
        byte[] bytes = join(
                RawClient.masked(0x01, bytes("one ")),
                RawClient.masked(0x89, bytes("are you there")),
                RawClient.masked(0x00, bytes("")),
                RawClient.masked(0x00, bytes("two ")),
                RawClient.masked(0x8a, bytes("")),
                RawClient.masked(0x80, bytes("three")),
                RawClient.masked(0x81, bytes("next")));

        assertThat(read(false, bytes)).containsExactly("ping are you there", "pong", "text one two three", "text next");
    }

    @Test
    void readsTheSameHoweverTheBytesAreCut() throws IOException {
        byte[] bytes = join(
                RawClient.masked(0x81, bytes("whole")),
                RawClient.masked(0x01, bytes("a".repeat(300))),
                RawClient.masked(0x89, bytes("ping")),
                RawClient.masked(0x80, bytes("b".repeat(70_000))),
                RawClient.masked(0x81, bytes("last")),
                RawClient.masked(0x88, new byte[] {3, (byte) 0xe8, 'b', 'y', 'e'}));
        List<String> whole = read(false, bytes);
        Random random = new Random(3);

        for (int round = 0; round < 200; round++) {
            assertThat(readInPieces(bytes, random, 1 + random.nextInt(5_000))).isEqualTo(whole);
        }
        assertThat(readInPieces(bytes, random, 1)).isEqualTo(whole);
        assertThat(whole).last().isEqualTo("close 1000");
    }

    @Test
    void refusesWhatIsNoFrame() throws IOException {
        assertThat(read(false, new byte[] {(byte) 0x81, 1, 'x'})).as("unmasked").containsExactly("broken 1002");
        assertThat(read(false, RawClient.masked(0xc1, bytes("x"))))
                .as("RSV1 without deflate")
                .containsExactly("broken 1002");
        assertThat(read(true, RawClient.masked(0xa1, bytes("x")))).as("RSV2").containsExactly("broken 1002");
        assertThat(read(true, RawClient.masked(0xc9, bytes("x"))))
                .as("RSV1 on a ping")
                .containsExactly("broken 1002");
        assertThat(read(true, join(RawClient.masked(0x41, new byte[0]), RawClient.masked(0xc0, deflate(bytes("x"))))))
                .as("RSV1 on a continuation")
                .containsExactly("broken 1002");
        assertThat(read(false, RawClient.masked(0x83, bytes("x"))))
                .as("opcode 3")
                .containsExactly("broken 1002");
        assertThat(read(false, RawClient.masked(0x8b, bytes("x"))))
                .as("opcode 11")
                .containsExactly("broken 1002");
        assertThat(read(false, RawClient.masked(0x82, bytes("x")))).as("binary").containsExactly("broken 1003");
        assertThat(read(false, RawClient.masked(0x80, bytes("x"))))
                .as("nothing to continue")
                .containsExactly("broken 1002");
        assertThat(read(false, RawClient.masked(0x09, bytes("x"))))
                .as("fragmented ping")
                .containsExactly("broken 1002");
        assertThat(read(false, RawClient.masked(0x89, new byte[126])))
                .as("long ping")
                .containsExactly("broken 1002");
        assertThat(read(false, join(RawClient.masked(0x01, bytes("x")), RawClient.masked(0x81, bytes("y")))))
                .as("a message inside another")
                .containsExactly("broken 1002");
        assertThat(read(false, new byte[] {(byte) 0x81, (byte) 0xfe, 0, 5, 0, 0, 0, 0}))
                .as("length not in its shortest form")
                .containsExactly("broken 1002");
        assertThat(read(false, new byte[] {(byte) 0x81, (byte) 0xff, -1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}))
                .as("length of 64 bits")
                .containsExactly("broken 1002");
        assertThat(read(false, new byte[] {(byte) 0x81, (byte) 0xff, 0x7f, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}))
                .as("length of 63 bits")
                .containsExactly("broken 1009");
    }

    @Test
    void readsNothingAfterAnError() throws IOException {
        byte[] bytes = join(RawClient.masked(0x83, bytes("x")), RawClient.masked(0x81, bytes("y")));

        assertThat(read(false, bytes)).containsExactly("broken 1002");
    }

    @Test
    void judgesCloseFrames() throws IOException {
        assertThat(read(false, RawClient.masked(0x88, bytes("")))).containsExactly("close 1005");
        assertThat(read(false, RawClient.masked(0x88, new byte[] {3}))).containsExactly("broken 1002");
        assertThat(read(false, close(999))).containsExactly("broken 1002");
        assertThat(read(false, close(1005))).containsExactly("broken 1002");
        assertThat(read(false, close(1006))).containsExactly("broken 1002");
        assertThat(read(false, close(2999))).containsExactly("broken 1002");
        assertThat(read(false, close(1001))).containsExactly("close 1001");
        assertThat(read(false, close(4999))).containsExactly("close 4999");
        assertThat(read(false, RawClient.masked(0x88, new byte[] {3, (byte) 0xe8, (byte) 0xff})))
                .containsExactly("broken 1007");
    }

    @Test
    void inflatesMessagesWholeOrInFragments() throws IOException {
        String message = "{\"k\":\"" + "nostr ".repeat(5_000) + "\"}";
        byte[] deflated = deflate(bytes(message));
        byte[] head = Arrays.copyOf(deflated, 40);
        byte[] tail = Arrays.copyOfRange(deflated, 40, deflated.length);

        assertThat(read(true, RawClient.masked(0xc1, deflated))).containsExactly("text " + message);
        assertThat(read(true, join(RawClient.masked(0x41, head), RawClient.masked(0x80, tail))))
                .containsExactly("text " + message);
        assertThat(read(true, join(RawClient.masked(0xc1, deflated), RawClient.masked(0x81, bytes("plain")))))
                .containsExactly("text " + message, "text plain");
    }

    @Test
    void inflatesAMessageOfExactlyTheLimitAndNoneOfMore() throws IOException {
        String longest = "y".repeat(LIMIT);

        assertThat(read(true, RawClient.masked(0xc1, deflate(bytes(longest))))).containsExactly("text " + longest);
        assertThat(read(true, RawClient.masked(0xc1, deflate(bytes(longest + "y")))))
                .containsExactly("broken 1009");
        assertThat(read(true, RawClient.masked(0xc1, deflate(new byte[20 << 20]))))
                .containsExactly("broken 1009");
    }

    @Test
    void refusesDamagedCompression() throws IOException {
        assertThat(read(true, RawClient.masked(0xc1, new byte[] {(byte) 0xff, (byte) 0xff, 1, 2, 3})))
                .containsExactly("broken 1007");
    }

    @Test
    void takesAFinalBlockForTheEndOfAMessage() throws IOException {
        byte[] finished = finished(bytes("hello"));

        assertThat(read(true, RawClient.masked(0xc1, finished))).containsExactly("text hello");
        assertThat(read(true, RawClient.masked(0xc1, join(finished, new byte[1]))))
                .as("and the beginning of an empty block, as RFC 7692 writes it")
                .containsExactly("text hello");
        for (byte[] more : List.of(new byte[] {1}, new byte[2], finished, deflate(bytes("more")), new byte[5_000])) {
            assertThat(read(true, RawClient.masked(0xc1, join(finished, more))))
                    .as("%d bytes behind it", more.length)
                    .containsExactly("broken 1007");
        }
    }

    private static byte[] finished(byte[] message) {
        try (Deflater deflater = new Deflater(6, true)) {
            deflater.setInput(message);
            deflater.finish();
            byte[] target = new byte[message.length + 100];
            return Arrays.copyOf(target, deflater.deflate(target));
        }
    }

    @Test
    void holdsNoMoreThanHasArrived() throws IOException {
        byte[] frame = RawClient.masked(0x81, new byte[LIMIT]);
        FrameReader reader = new FrameReader(LIMIT, false, new ByteBudget(1 << 30));
        Notes notes = new Notes();
        try (Inbox inbox = new Inbox()) {
            boolean done = reader.readOne(Unpooled.wrappedBuffer(frame, 0, 100), inbox, notes);

            assertThat(done).isFalse();
            assertThat(reader.isMidMessage()).isTrue();
            assertThat(reader.gatheredCapacity()).isLessThanOrEqualTo(4 << 10);
        }
    }

    @Test
    void aPingInTheMiddleOfAMessageDoesNotMakeItANewOne() throws IOException {
        FrameReader reader = new FrameReader(LIMIT, false, new ByteBudget(1 << 30));
        Notes notes = new Notes();
        try (Inbox inbox = new Inbox()) {
            reader.readOne(Unpooled.wrappedBuffer(RawClient.masked(0x01, new byte[10])), inbox, notes);
            long before = reader.messages();

            reader.readOne(Unpooled.wrappedBuffer(RawClient.masked(0x89, new byte[1])), inbox, notes);

            assertThat(reader.messages()).isEqualTo(before);
            reader.readOne(Unpooled.wrappedBuffer(RawClient.masked(0x80, new byte[10])), inbox, notes);
            assertThat(reader.messages()).isEqualTo(before + 1);
        }
    }

    private static List<String> read(boolean deflate, byte[] bytes) {
        Notes notes = new Notes();
        FrameReader reader = new FrameReader(LIMIT, deflate, new ByteBudget(1 << 30));
        try (Inbox inbox = new Inbox()) {
            ByteBuf in = Unpooled.wrappedBuffer(bytes);
            while (reader.readOne(in, inbox, notes)) {
                // on to the next
            }
        }
        return notes.seen;
    }

    private static List<String> readInPieces(byte[] bytes, Random random, int longest) {
        Notes notes = new Notes();
        FrameReader reader = new FrameReader(LIMIT, false, new ByteBudget(1 << 30));
        try (Inbox inbox = new Inbox()) {
            for (int at = 0; at < bytes.length; ) {
                int length = Math.min(bytes.length - at, 1 + random.nextInt(longest));
                ByteBuf piece = Unpooled.wrappedBuffer(bytes, at, length);
                while (reader.readOne(piece, inbox, notes)) {
                    // on to the next
                }
                assertThat(piece.isReadable()).isFalse();
                at += length;
            }
        }
        return notes.seen;
    }

    private static byte[] close(int code) throws IOException {
        return RawClient.masked(0x88, new byte[] {(byte) (code >>> 8), (byte) code});
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    private static byte[] join(byte[]... parts) throws IOException {
        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            joined.write(part);
        }
        return joined.toByteArray();
    }

    static String inflate(List<Byte> message) {
        byte[] bytes = new byte[message.size()];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = message.get(i);
        }
        try (Inbox inbox = new Inbox()) {
            return inbox.inflate(bytes, bytes.length, 1 << 24) instanceof Inbox.Inflated.Message(int length)
                    ? new String(inbox.inflated(), 0, length, UTF_8)
                    : "damaged";
        }
    }

    static byte[] deflate(byte[] message) {
        try (Deflater deflater = new Deflater(6, true)) {
            deflater.setInput(message);
            byte[] target = new byte[message.length + 100];
            int length = deflater.deflate(target, 0, target.length, Deflater.SYNC_FLUSH);
            return Arrays.copyOf(target, length - 4);
        }
    }
}
