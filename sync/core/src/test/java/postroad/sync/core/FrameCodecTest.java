package postroad.sync.core;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import postroad.common.Bytes32;
import postroad.common.Hex;

/// Frames have exactly one form each, and whatever arrives is a frame or refused, at a bounded cost.
class FrameCodecTest {
    @ParameterizedTest
    @MethodSource("postroad.sync.core.GoldenFrames#all")
    void aFrameHasTheseBytesForEver(GoldenFrames.Golden golden) throws ProtocolException {
        assertThat(Hex.encode(FrameCodec.encode(golden.frame())))
                .isEqualTo(golden.hex().replace(" ", ""));
        assertThat(decode(golden.bytes())).isEqualTo(golden.frame());
    }

    @ParameterizedTest
    @MethodSource("postroad.sync.core.GoldenFrames#all")
    void aFrameCutShortIsNoFrame(GoldenFrames.Golden golden) {
        byte[] bytes = golden.bytes();
        for (int length = 0; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);

            assertThat(isWhole(cut)).as("%d bytes as they are", length).isFalse();
            if (length >= FrameCodec.HEADER) {
                Optional<Frame> read = tryDecode(cut);

                assertThat(read).as("%d bytes that claim to be all", length).isNotEqualTo(Optional.of(golden.frame()));
                assertThat(read.isEmpty() || mayBeCut(golden.frame())).isTrue();
            }
        }
    }

    /// Fewer options are options too, and compressed data may have any length.
    private static boolean mayBeCut(Frame frame) {
        return frame instanceof Frame.Hello || isCompressed(frame);
    }

    private static boolean isCompressed(Frame frame) {
        return frame instanceof Frame.PackedEntries || frame instanceof Frame.Content content && content.compressed();
    }

    @ParameterizedTest
    @MethodSource("postroad.sync.core.GoldenFrames#all")
    void aFrameWithMoreBytesIsRefused(GoldenFrames.Golden golden) {
        byte[] longer = Arrays.copyOf(golden.bytes(), golden.bytes().length + 1);
        if (isCompressed(golden.frame())) {
            return;
        }

        assertThatThrownBy(() -> decode(longer)).isInstanceOf(ProtocolException.class);
    }

    @ParameterizedTest
    @MethodSource("postroad.sync.core.GoldenFrames#all")
    void aFrameIsReadFromTheMiddleOfABuffer(GoldenFrames.Golden golden) throws ProtocolException {
        byte[] bytes = golden.bytes();
        byte[] buffer = new byte[bytes.length + 20];
        System.arraycopy(bytes, 0, buffer, 7, bytes.length);

        Frame frame = FrameCodec.decode(bytes[0], buffer, 7 + FrameCodec.HEADER, 7 + bytes.length);

        assertThat(frame).isEqualTo(golden.frame());
    }

    @Test
    void everyTypeHasAGoldenFrame() {
        List<Integer> types = GoldenFrames.bytes().stream()
                .map(each -> (int) each[0])
                .distinct()
                .toList();

        assertThat(types)
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(FrameType.values())
                        .map(each -> each.number)
                        .toList());
    }

    @Test
    void whateverArrivesIsAFrameWithThoseBytesOrRefused() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        List<byte[]> golden = GoldenFrames.bytes();
        Random random = new Random(42);
        int read = 0;
        for (int round = 0; round < 60_000; round++) {
            byte[] bytes = mutated(golden, random);
            long before = threads.getCurrentThreadAllocatedBytes();

            Optional<Frame> frame = tryDecode(bytes);

            long allocated = threads.getCurrentThreadAllocatedBytes() - before;
            assertThat(allocated).as(Hex.encode(bytes)).isLessThan(FrameCodec.MAX_PAYLOAD);
            if (frame.isPresent() && !(frame.get() instanceof Frame.Unknown) && !hasUnknownOption(frame.get())) {
                assertThat(FrameCodec.encode(frame.get())).as("one form").isEqualTo(bytes);
                read++;
            }
        }
        assertThat(read).isGreaterThan(1000);
    }

    /// What comes in a HELLO and is skipped, or says what holds anyway, is not written again.
    private static boolean hasUnknownOption(Frame frame) {
        return frame instanceof Frame.Hello;
    }

    private static byte[] mutated(List<byte[]> golden, Random random) {
        byte[] bytes = golden.get(random.nextInt(golden.size())).clone();
        for (int times = 1 + random.nextInt(3); times > 0; times--) {
            bytes = mutatedOnce(bytes, golden, random);
        }
        byte[] whole = Arrays.copyOf(bytes, Math.max(bytes.length, FrameCodec.HEADER));
        int payload = whole.length - FrameCodec.HEADER;
        System.arraycopy(new byte[] {0, (byte) (payload >> 16), (byte) (payload >> 8), (byte) payload}, 0, whole, 1, 4);
        return whole;
    }

    private static byte[] mutatedOnce(byte[] bytes, List<byte[]> golden, Random random) {
        int at = random.nextInt(bytes.length);
        switch (random.nextInt(6)) {
            case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
            case 1 -> bytes[at] = (byte) random.nextInt();
            case 2 -> bytes[at] = (byte) 0xff;
            case 3 -> {
                return Arrays.copyOf(bytes, Math.max(1, at));
            }
            case 4 -> {
                byte[] grown = Arrays.copyOf(bytes, bytes.length + 1 + random.nextInt(12));
                System.arraycopy(bytes, at, grown, at + grown.length - bytes.length, bytes.length - at);
                return grown;
            }
            default -> {
                byte[] other = golden.get(random.nextInt(golden.size()));
                int from = random.nextInt(other.length);
                int count = Math.min(other.length - from, bytes.length - at);
                System.arraycopy(other, from, bytes, at, count);
            }
        }
        return bytes;
    }

    private static Optional<Frame> tryDecode(byte[] bytes) {
        try {
            return Optional.of(decode(bytes));
        } catch (ProtocolException e) {
            assertThat(e.getMessage()).isNotBlank();
            return Optional.empty();
        }
    }

    @Test
    void anOptionalFrameIsSkipped() throws ProtocolException {
        assertThat(FrameCodec.checkedLength(0x80, 1 << 20)).isEqualTo(1 << 20);
        assertThat(FrameCodec.decode(0xff, new byte[10], 3, 10)).isEqualTo(new Frame.Unknown(0xff, 7));
        assertThat(new Frame.Unknown(0xff, 7).countsAgainst()).isEmpty();
    }

    @Test
    void anUnknownFrameThatIsNotOptionalIsRefused() {
        for (int type = 0; type < 0x80; type++) {
            int each = type;
            if (FrameType.of(type).isEmpty()) {
                assertThatThrownBy(() -> FrameCodec.checkedLength(each, 0))
                        .isInstanceOf(ProtocolException.class)
                        .hasMessageContaining("unknown type");
            }
        }
    }

    @Test
    void aFrameThatIsTooLongIsRefusedBeforeItIsRead() throws ProtocolException {
        for (FrameType each : FrameType.values()) {
            assertThat(FrameCodec.checkedLength(each.number, each.maxPayload)).isEqualTo(each.maxPayload);
            assertThatThrownBy(() -> FrameCodec.checkedLength(each.number, each.maxPayload + 1))
                    .isInstanceOf(ProtocolException.class);
            assertThatThrownBy(() -> FrameCodec.checkedLength(each.number, -1)).isInstanceOf(ProtocolException.class);
        }
        assertThatThrownBy(() -> FrameCodec.checkedLength(0x80, (1 << 20) + 1)).isInstanceOf(ProtocolException.class);
    }

    /// Frame by frame: what is wrong with it, in hex, and the words of the refusal.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "01 | 47455420 0001 0001 | this is no folder sync",
                "02 | 00000000000000000000000000000000 00 | no link 0",
                "02 | 00000000000000000000000000000000 10 | no link 16",
                "03 | 00 00 | unknown code 0",
                "03 | 0d 00 | unknown code 13",
                "03 | 01 01 ff | not UTF-8",
                "03 | 01 01 1b | not safe to print",
                "03 | 01 8108 | more than 1024",
                "04 | 00 | 1 bytes, more than 0",
                "10 | 00 ffffffff07 | do not fit",
                "10 | 00 80808080808080808001 | larger than 2^63",
                "10 | 00 8000 | longer than it need be",
                "10 | 00 01 01 01 61 02 00 00 0000 | what a name shares",
                "10 | 00 01 00 00 02 00 00 0000 00 | a path is empty",
                "10 | 00 01 00 01 2f 02 00 00 0000 | a path is absolute",
                "10 | 00 01 00 02 2e2e 02 00 00 0000 | a component . or ..",
                "10 | 00 01 00 04 612f2e2e 02 00 00 0000 | a component . or ..",
                "10 | 00 01 00 01 00 02 00 00 0000 | a NUL",
                "10 | 00 01 00 01 61 04 00 00 0000 | unknown kind 4",
                "10 | 00 01 00 01 61 02 00 8094ebdc03 0000 | nanoseconds are 1000000000",
                "10 | 00 01 00 01 61 02 00 00 1000 | the mode is 10000",
                "10 | 00 01 00 01 61 03 00 00 0000 00 | a target of 0 bytes",
                "10 | 00 01 00 01 61 03 00 00 0000 01 00 | a NUL",
                "10 | 00 01 00 01 61 03 00 00 0000 8020 | more than 4095",
                "10 | 00 02 00 01 62 02 00 00 0000 00 01 61 02 00 00 0000 | not in the order",
                "10 | 00 02 00 01 61 02 00 00 0000 01 00 02 00 00 0000 00 | not in the order",
                "10 | 00 02 00 01 61 02 00 00 0000 00 02 6162 02 00 00 0000 | shares more than it says",
                "10 | 02 00 | unknown flags 2",
                "10 | 01 01 08 | compressed entries have 0 bytes for 8",
                "10 | 01 01 08 0000000000000000 | compressed entries have 8 bytes for 8",
                "10 | 01 01 07 00 | 1 items do not fit into 7 bytes",
                "10 | 01 00 08 00 | 0 items do not fit into 8 bytes",
                "10 | 01 01 818040 00 | the length of all entries is 1048577, more than 1048576",
                "10 | 01 818008 808040 00 | a count is 131073, more than 131072",
                "11 | 00 02 | unknown flags 2",
                "20 | 01 01 00 | an id is out of range",
                "20 | 02 feffffffffffffffff01 00 02 00 | an id is out of range",
                "20 | 01 00 22 | more than 33",
                "20 | 818002 | more than 32768",
                "21 | 00 00 00 | a block of 0 segments",
                "21 | 02 00 00 | unknown flags 2",
                "21 | 00 81808002 00 | more than 4194304",
                "21 | 00 01 01 00 0c 01 | a block has 0 bytes of data for 1",
                "21 | 00 01 01 00 0c 01 6161 | a block has 2 bytes of data for 1",
                "21 | 01 01 01 00 0c 01 61 | a block has 1 bytes of data for 1",
                "21 | 01 02 01 00 0c 02 | a block has 0 bytes of data for 2",
                "21 | 00 02 01 00 0c 01 6161 | a block of 2 bytes has chunks of 1",
                "21 | 00 01 01 01 0c 01 61 | an id is out of range",
                "21 | 00 01 01 00 8c08 01 61 | a form is 1036, more than 1023",
                "21 | 00 01 01 00 2c 01 61 | an end as announced that is not there",
                "21 | 00 01 01 00 08 00 01 61 | an offset 0 that the form does not say",
                "21 | 00 01 01 00 04 01 01 61 | one chunk that the form does not say",
                "21 | 00 01 01 00 0c 00 61 | has 0 bytes",
                "21 | 00 01 01 00 0c 818002 | the length of a chunk is 32769",
                "21 | 00 01 01 00 04 00 61 | neither chunks nor an end",
                "21 | 00 01 01 00 08 ffffffffffffffff7f 01 61 | past 2^63",
                "21 | 00 01 01 00 3c 01 00112233445566 | ends too early",
                "21 | 00 01 01 00 1c 01 02 00 00 0000 0011223344556677 61 | a file of 2 bytes ends at 1",
                "22 | 00 04 00 00 | a form of a segment",
                "22 | 00 08 00 00 | a form of a segment",
                "22 | 00 20 00 00 | an end as announced that is not there",
                "22 | 00 00 00 00 | neither chunks nor an end",
                "22 | 00 00 00 01 00 00000000000000000000000000000000 | has 0 bytes",
                "22 | 00 00 ffffffff07 01 01 00000000000000000000000000000000 | a recipe's part",
                "23 | 00 10 00 | attempt 16",
                "23 | 00 00 01 00 00 | no range",
                "23 | 00 00 01 ffffffff07 01 | a range is 1, more than 0",
                "24 | 00 00 00 00 | unknown code 0",
                "24 | 00 01 01 0a 00 | not safe to print",
                "25 | 01 00 40 | unknown flags 40",
                "26 | 01 00 01 61 00 | unknown kind 0",
                "30 | 01 00 | a credit of 0 bytes",
                "30 | 04 01 | unknown window 4",
                "31 | 00 | unknown window 0",
                "32 | 00000000000000 | ends too early",
            })
    void aBrokenRuleIsNamed(String type, String payload, String words) {
        byte[] bytes = Hex.decode(payload.replace(" ", ""));

        assertThatThrownBy(() -> FrameCodec.decode(Integer.parseInt(type, 16), bytes, 0, bytes.length))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining(words);
    }

    @Test
    void aRefusalSaysWhere() {
        byte[] bytes = Hex.decode("ffff" + "02feffffffffffffffff01000200");

        assertThatThrownBy(() -> FrameCodec.decode(FrameType.WANT.number, bytes, 2, bytes.length))
                .hasMessage("WANT, byte 13: an id is out of range");
    }

    /// `HELLO` up to its options, then options.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0100 0100 | option 1 comes after option 1",
                "0300 0100 | option 1 comes after option 3",
                "0a00 | an unknown option 10",
                "7f00 | an unknown option 127",
                "0101ff | bytes too many",
                "050103 | an unknown compression 3",
                "050100 | an unknown compression 0",
                "060100 | in-flight is 0",
                "0603c0843d01 | ",
                "070100 | parallel is 0",
                "070111 | more than 16",
                "090103 | more than 2",
                "09020100 | a list of no patterns",
                "090100 | no list",
                "0904 01 01 01 2f | a pattern is empty",
                "0904 01 01 01 5b | a [ without its ]",
                "0905 01 01 02 ffffff | ",
                "0103 01 | ",
            })
    void brokenOptionsAreRefused(String options, String words) {
        byte[] bytes = Hex.decode((HELLO + options).replace(" ", ""));

        assertThatThrownBy(() -> FrameCodec.decode(FrameType.HELLO.number, bytes, 0, bytes.length))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining(words == null ? "HELLO" : words);
    }

    private static final String HELLO = "50525359 0001 0001 01020304050607080102030405060708 01 04 00 00";

    @Test
    void anOptionThatMayBeSkippedIs() throws ProtocolException {
        byte[] bytes = Hex.decode((HELLO + "0400 8003aabbcc ff00").replace(" ", ""));

        Frame frame = FrameCodec.decode(FrameType.HELLO.number, bytes, 0, bytes.length);

        assertThat(((Frame.Hello) frame).options()).isEqualTo(SessionOptions.DEFAULT.withChecksum(true));
    }

    @Test
    void aPeerOfAnotherVersionIsToldSoWhateverElseItsHelloSays() {
        for (String versions : List.of("00050002", "00000000", "ffffffff")) {
            byte[] bytes = Hex.decode("50525359" + versions + "ee");

            assertThatThrownBy(() -> FrameCodec.decode(FrameType.HELLO.number, bytes, 0, bytes.length))
                    .isInstanceOfSatisfying(
                            ProtocolException.class, e -> assertThat(e.code()).isEqualTo(StopCode.VERSION))
                    .hasMessageContaining("1 to 1 here");
        }
    }

    @Test
    void aPeerOfANewerVersionThatSpeaksOursIsTaken() throws ProtocolException {
        byte[] bytes = Hex.decode(HELLO.replaceFirst("0001", "0007").replace(" ", ""));

        Frame frame = FrameCodec.decode(FrameType.HELLO.number, bytes, 0, bytes.length);

        assertThat(((Frame.Hello) frame).version()).isEqualTo(7);
    }

    @Test
    void aSmallFrameDoesNotUnfoldIntoGigabytes() {
        String deep = "a/".repeat(10_000);
        WireWriter out = new WireWriter(1 << 20);
        int count = 100_000;
        out.u8(0);
        out.number(count);
        for (int i = 0; i < count; i++) {
            out.number(i == 0 ? 0 : deep.length());
            out.text(i == 0 ? deep + "a" : i % 2 == 0 ? "b" : "c");
            out.u8(2);
            out.number(0);
            out.number(0);
            out.u16(0);
        }
        byte[] payload = out.toArray();
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();

        assertThatThrownBy(() -> FrameCodec.decode(FrameType.ENTRIES.number, payload, 0, payload.length))
                .hasMessageContaining("names of a page");

        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(8 << 20);
    }

    @Test
    void aFullPageFitsIntoAFrameEvenWhenNothingIsShared() throws ProtocolException {
        Page<Entry> page = Page.ofEntries(Page.MAX_NAMES);
        int number = 0;
        while (page.offer(file(String.format("%06d", number)))) {
            number++;
        }

        byte[] bytes = FrameCodec.encode(new Frame.Entries(page.take()));

        assertThat(((Frame.Entries) decode(bytes)).entries()).hasSize(number);
        assertThat(page.isEmpty()).isTrue();
    }

    @Test
    void anEmptyPageTakesEvenTheLongestName() throws ProtocolException {
        Page<Entry> page = Page.ofEntries(100);
        TreePath longest = TreePath.of("a/".repeat((TreePath.MAX_LENGTH - 1) / 2) + "aa");
        Entry link = new Entry(
                longest,
                Kind.LINK,
                0,
                0,
                0,
                0777,
                LinkTarget.of("t".repeat(4095).getBytes(US_ASCII)));

        assertThat(page.offer(link)).isTrue();
        assertThat(page.offer(file("b"))).isFalse();
        assertThat(decode(FrameCodec.encode(new Frame.Entries(page.take()))))
                .isEqualTo(new Frame.Entries(List.of(link)));
    }

    private static Entry file(String path) {
        return new Entry(TreePath.of(path), Kind.FILE, 1L << 40, 1 << 30, 999_999_999, 0644, LinkTarget.NONE);
    }

    @Test
    void theFullestFramesOfEachTypeFit() {
        List<WantedFile> files = new ArrayList<>();
        List<Outcome> outcomes = new ArrayList<>();
        List<ChunkRange> ranges = new ArrayList<>();
        ShortRecipe.Builder chunks = new ShortRecipe.Builder(ChunkClass.HUGE);
        for (int i = 0; i < FrameCodec.MAX_ITEMS; i++) {
            long id = i % 2 == 0 ? Long.MAX_VALUE : 0;
            files.add(new WantedFile(id, true, 15));
            outcomes.add(new Outcome(id, Outcome.ALL));
            ranges.add(new ChunkRange(i * 60_000, 50_000));
            chunks.add(ChunkClass.HUGE.max(), new ShortId(i, i));
        }
        FileEnd end = new FileEnd(
                Optional.of(new FileVersion(Long.MAX_VALUE, 0, 0, 0)), new RootClaim.Whole(GoldenFrames.ROOT));

        FrameCodec.encode(new Frame.Want(files));
        FrameCodec.encode(new Frame.Done(outcomes));
        FrameCodec.encode(new Frame.Missing(Long.MAX_VALUE, 15, ranges));
        FrameCodec.encode(new Frame.RecipePart(Long.MAX_VALUE, 15, 1 << 30, chunks.build(), Optional.of(end)));
        FrameCodec.encode(new Frame.Failed(1, "x".repeat(1 << 20), FailureCode.OTHER, "y".repeat(1 << 20)));
    }

    @Test
    void theFullestBlockFits() {
        FileEnd end = new FileEnd(
                Optional.of(new FileVersion(Long.MAX_VALUE, Long.MIN_VALUE, 999_999_999, 0)),
                new RootClaim.Whole(GoldenFrames.ROOT));
        int length = FrameCodec.MAX_DATA / FrameCodec.MAX_SEGMENTS;
        Segment segment = new Segment(
                Long.MAX_VALUE, 15, ChunkClass.HUGE, Long.MAX_VALUE - length, new int[] {length}, Optional.of(end));
        List<Segment> segments = Collections.nCopies(FrameCodec.MAX_SEGMENTS, segment);

        byte[] head = FrameCodec.contentHead(segments, false, FrameCodec.MAX_DATA, FrameCodec.MAX_DATA);

        assertThat(head.length).isLessThan(FrameCodec.MAX_CONTENT_HEAD);
    }

    @ParameterizedTest
    @MethodSource("postroad.sync.core.GoldenFrames#all")
    void aBlocksHeadAndItsDataAreTheFrame(GoldenFrames.Golden golden) {
        if (golden.frame() instanceof Frame.Content content) {
            byte[] head = FrameCodec.contentHead(
                    content.segments(), content.compressed(), content.rawLength(), content.length());
            byte[] joined = Arrays.copyOf(head, head.length + content.length());
            System.arraycopy(content.buffer(), content.offset(), joined, head.length, content.length());

            assertThat(joined).isEqualTo(golden.bytes());
        }
    }

    @Test
    void aTinyFileThatIsAsAnnouncedCostsElevenBytesBesidesItsContent() {
        FileEnd end = new FileEnd(Optional.empty(), RootClaim.Head.of(GoldenFrames.ROOT));
        List<Segment> segments = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            segments.add(new Segment(5000 + i, 0, ChunkClass.SMALL, 0, new int[] {40}, Optional.of(end)));
        }

        byte[] head = FrameCodec.contentHead(segments, false, 40_000, 40_000);

        assertThat(head.length).isBetween(11_000, 11_020);
    }

    @Test
    void aRootIsSaidInOneLengthOnly() {
        FileEnd whole = new FileEnd(Optional.empty(), new RootClaim.Whole(GoldenFrames.ROOT));
        FileEnd head = new FileEnd(Optional.empty(), RootClaim.Head.of(GoldenFrames.ROOT));

        assertThatThrownBy(() -> new Segment(1, 0, ChunkClass.SMALL, 0, new int[] {1}, Optional.of(whole)))
                .hasMessageContaining("the root in the wrong length");
        assertThatThrownBy(() -> new Segment(1, 0, ChunkClass.SMALL, 4000, new int[] {1}, Optional.of(head)))
                .hasMessageContaining("the root in the wrong length");
        assertThatThrownBy(() -> new Frame.RecipePart(
                        1, 0, 0, new ShortRecipe.Builder(ChunkClass.SMALL).build(), Optional.of(head)))
                .hasMessageContaining("only the head of its root");
    }

    @Test
    void aHeadFitsTheRootsThatBeginWithIt() {
        RootClaim head = RootClaim.Head.of(GoldenFrames.ROOT);
        Bytes32 same = Bytes32.ofHex("0011223344556677" + "00".repeat(24));
        Bytes32 other = Bytes32.ofHex("0011223344556676" + "00".repeat(24));

        assertThat(head.fits(same)).isTrue();
        assertThat(head.fits(other)).isFalse();
        assertThat(new RootClaim.Whole(GoldenFrames.ROOT).fits(GoldenFrames.ROOT))
                .isTrue();
        assertThat(new RootClaim.Whole(GoldenFrames.ROOT).fits(same)).isFalse();
    }

    @Test
    void entriesAreReadFromTheirUncompressedBytes() {
        Frame.Entries page = new Frame.Entries(List.of(file("a"), file("ab"), file("b/c")));
        byte[] raw = FrameCodec.unpackedBytes(page);

        assertThat(FrameCodec.unpacked(new Frame.PackedEntries(3, raw.length, new byte[1]), raw))
                .isEqualTo(page);
        assertThatThrownBy(() -> FrameCodec.unpacked(new Frame.PackedEntries(2, raw.length, new byte[1]), raw))
                .hasMessageContaining("bytes too many");
        assertThatThrownBy(() -> FrameCodec.unpacked(new Frame.PackedEntries(4, raw.length, new byte[1]), raw))
                .hasMessageContaining("ends too early");
        assertThatThrownBy(() -> FrameCodec.unpacked(
                        new Frame.PackedEntries(3, raw.length, new byte[1]), Arrays.copyOf(raw, raw.length - 1)))
                .isInstanceOf(ProtocolException.class);
    }

    @Test
    void wordsForPeopleAreMadeSafeAndShort() {
        assertThat(new Frame.Stop(StopCode.OTHER, "a\u001b[2Jb\nc\u202ed").text())
                .isEqualTo("a?[2Jb?c?d");
        assertThat(new Frame.Stop(StopCode.OTHER, "ü".repeat(1000)).text()).isEqualTo("ü".repeat(512));
        assertThat(new Frame.Stop(StopCode.OTHER, "\ud800").text()).isEqualTo("?");
    }

    @Test
    void secretsAreNotPrinted() {
        Frame hello = new Frame.Hello(
                1, 1, new SessionId(0xabcdef, 0x123456), Role.SENDER, 1, SessionOptions.DEFAULT, "x", new byte[] {99});

        assertThat(hello.toString()).doesNotContain("abcdef", "123456", "99");
    }

    private static boolean isWhole(byte[] bytes) {
        if (bytes.length < FrameCodec.HEADER) {
            return false;
        }
        int length = (bytes[1] & 0xff) << 24 | (bytes[2] & 0xff) << 16 | (bytes[3] & 0xff) << 8 | bytes[4] & 0xff;
        return length <= bytes.length - FrameCodec.HEADER;
    }

    private static Frame decode(byte[] bytes) throws ProtocolException {
        return FrameCodec.decode(bytes[0] & 0xff, bytes, FrameCodec.HEADER, bytes.length);
    }
}
