package postroad.sync.core;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import postroad.common.Bytes32;
import postroad.common.Hex;

/// Frames of each type with the bytes that version 1 of the protocol has for them. They never change.
final class GoldenFrames {
    static final Bytes32 ROOT = Bytes32.ofHex("00112233445566778899aabbccddeeff0123456789abcdeffedcba9876543210");

    private static final SessionId SESSION = new SessionId(0x0102030405060708L, 0xf1f2f3f4f5f6f7f8L);
    private static final Optional<FileVersion> VERSION = Optional.of(new FileVersion(300, -5, 999_999_999, 0644));
    private static final FileEnd END = new FileEnd(VERSION, new RootClaim.Whole(ROOT));
    private static final FileEnd ANNOUNCED = new FileEnd(Optional.empty(), new RootClaim.Whole(ROOT));

    private GoldenFrames() {}

    /// A frame and the hex digits of its type, length and payload.
    record Golden(Frame frame, String hex) {
        byte[] bytes() {
            return Hex.decode(hex.replace(" ", ""));
        }

        @Override
        public String toString() {
            return frame.toString();
        }
    }

    static Stream<Golden> all() {
        return Stream.of(
                new Golden(
                        plainHello(),
                        "01 00000024 50525359000100010102030405060708f1f2f3f4f5f6f7f8020408706f7374726f616400"),
                new Golden(
                        fullHello(),
                        "01 0000005d 50525359000100010102030405060708f1f2f3f4f5f6f7f801100c706f7374726f616420302e31"
                                + "0301020301000202ac02030004000501020601010701100800091b0203032a2e6f07216b6565702e6f072f6275"
                                + "696c642f0103746d70"),
                new Golden(new Frame.Join(SESSION, 3), "02 00000011 0102030405060708f1f2f3f4f5f6f7f803"),
                new Golden(new Frame.Stop(StopCode.BUSY, "später"), "03 00000009 05077370c3a4746572"),
                new Golden(new Frame.Bye(), "04 00000000"),
                new Golden(
                        entries(),
                        "10 0000003a 000400016102020201ed01022f6201ac0201ff93ebdc0309a40201ff0380c49fd50c0001ff022e2e"
                                + "0101620100ffffffffffffffffff01000000"),
                new Golden(new Frame.PackedEntries(300, 5000, ascii("flat")), "10 00000009 01ac028827666c6174"),
                new Golden(new Frame.EntriesEnd(300, true), "11 00000003 ac0201"),
                new Golden(new Frame.EntriesEnd(0, false), "11 00000002 0000"),
                new Golden(want(), "20 00000007 0312010d200203"),
                new Golden(
                        rawContent(),
                        "21 0000003e 0007020e44020102021ba80204ac0209ff93ebdc0301a400112233445566778899aa"
                                + "bbccddeeff0123456789abcdeffedcba987654321061626364656667"),
                new Golden(compressedContent(), "21 00000013 01c0b80201d00fca07808040c0b8027a737464"),
                new Golden(emptyFile(), "21 00000013 000001001400000000018057858ffc762a681e"),
                new Golden(
                        announcedContent(),
                        "21 00000049 000703d8043c0300112233445566770274020201001122334455667703b901c03e01"
                                + "00112233445566778899aabbccddeeff0123456789abcdeffedcba987654321061626364656667"),
                new Golden(
                        recipe(Optional.of(ANNOUNCED)),
                        "22 00000047 073100026400000000000000010000000000000002c801ffffffffffffffff000000"
                                + "000000000300112233445566778899aabbccddeeff0123456789abcdeffedcba9876543210"),
                new Golden(
                        recipe(Optional.of(END)),
                        "22 00000051 071100026400000000000000010000000000000002c801ffffffffffffffff000000"
                                + "0000000003ac0209ff93ebdc0301a400112233445566778899aabbccddeeff0123456789abcdeffe"
                                + "dcba9876543210"),
                new Golden(
                        recipe(Optional.empty()),
                        "22 00000028 0701ac02026400000000000000010000000000000002c801ffffffffffffffff0000"
                                + "000000000003"),
                new Golden(missing(), "23 0000000d 07020300010001faffffff0703"),
                new Golden(
                        new Frame.Failed(7, "", FailureCode.CHANGED, "it changed twice"),
                        "24 00000014 080300106974206368616e676564207477696365"),
                new Golden(new Frame.Failed(-1, "a\\\\b", FailureCode.OTHER, ""), "24 00000008 000904615c5c6200"),
                new Golden(done(), "25 00000005 02123f0d01"),
                new Golden(deleted(), "26 0000000e 0300037a2f790101000200016103"),
                new Golden(new Frame.Summary(1, 1 << 20, 300, 4, 5, 0, true), "27 0000000a 01808040ac0204050001"),
                new Golden(new Frame.Credit(Window.CONTENT, 1 << 20), "30 00000004 03808040"),
                new Golden(new Frame.Blocked(Window.ENTRIES), "31 00000001 01"),
                new Golden(new Frame.Ping(-2), "32 00000008 fffffffffffffffe"),
                new Golden(new Frame.Pong(258), "33 00000008 0000000000000102"));
    }

    private static Frame plainHello() {
        return new Frame.Hello(1, 1, SESSION, Role.RECEIVER, 4, SessionOptions.DEFAULT, "postroad", new byte[0]);
    }

    private static Frame fullHello() {
        PatternList own = PatternList.of(List.of(line("*.o"), line("!keep.o"), line("/build/")));
        SessionOptions options = new SessionOptions(
                true,
                OptionalLong.of(300),
                true,
                true,
                true,
                Compression.OFF,
                1,
                16,
                own.and(PatternList.of(List.of(line("tmp")))));
        return new Frame.Hello(1, 1, SESSION, Role.SENDER, 16, options, "postroad 0.1", new byte[] {1, 2, 3});
    }

    private static PatternLine line(String text) {
        return PatternLine.of(text.getBytes(StandardCharsets.UTF_8));
    }

    private static Frame entries() {
        return new Frame.Entries(List.of(
                new Entry(TreePath.of("a"), Kind.FOLDER, 0, 1, 2, 0755, LinkTarget.NONE),
                new Entry(TreePath.of("a/b"), Kind.FILE, 300, -1, 999_999_999, 04644, LinkTarget.NONE),
                new Entry(
                        TreePath.of(new byte[] {'a', '/', (byte) 0xff}),
                        Kind.LINK,
                        0,
                        1_700_000_000,
                        0,
                        0777,
                        LinkTarget.of(new byte[] {'.', '.'})),
                new Entry(TreePath.of("ab"), Kind.FILE, 0, Long.MIN_VALUE, 0, 0, LinkTarget.NONE)));
    }

    private static Frame want() {
        return new Frame.Want(List.of(
                new WantedFile(9, true, WantedFile.ANY_LINK),
                new WantedFile(2, false, 15),
                new WantedFile(3, true, 0)));
    }

    private static Frame rawContent() {
        Segment first = new Segment(7, 1, ChunkClass.SMALL, 0, new int[] {1, 2}, Optional.empty());
        Segment second = new Segment(8, 0, ChunkClass.HUGE, 296, new int[] {4}, Optional.of(END));
        return new Frame.Content(List.of(first, second), false, 7, ascii("xabcdefgx"), 1, 7);
    }

    private static Frame compressedContent() {
        Segment segment = new Segment(1000, 15, ChunkClass.LARGE, 1 << 20, new int[] {40_000}, Optional.empty());
        return new Frame.Content(List.of(segment), true, 40_000, ascii("zstd"), 0, 4);
    }

    private static Frame emptyFile() {
        FileEnd end =
                new FileEnd(Optional.of(new FileVersion(0, 0, 0, 0600)), RootClaim.Head.of(new RootHash().finish()));
        Segment segment = new Segment(0, 0, ChunkClass.SMALL, 0, new int[0], Optional.of(end));
        return new Frame.Content(List.of(segment), false, 0, new byte[0], 0, 0);
    }

    /// Whole files that are as their entries said, and the end of one whose beginning came before.
    private static Frame announcedContent() {
        FileEnd whole = new FileEnd(Optional.empty(), RootClaim.Head.of(ROOT));
        return new Frame.Content(
                List.of(
                        new Segment(300, 0, ChunkClass.SMALL, 0, new int[] {3}, Optional.of(whole)),
                        new Segment(301, 1, ChunkClass.SMALL, 0, new int[] {2, 1}, Optional.of(whole)),
                        new Segment(299, 2, ChunkClass.MEDIUM, 8000, new int[] {1}, Optional.of(ANNOUNCED))),
                false,
                7,
                ascii("abcdefg"),
                0,
                7);
    }

    private static Frame recipe(Optional<FileEnd> end) {
        ShortRecipe.Builder chunks = new ShortRecipe.Builder(ChunkClass.MEDIUM);
        chunks.add(100, new ShortId(1, 2));
        chunks.add(200, new ShortId(-1, 3));
        return new Frame.RecipePart(7, 0, end.isPresent() ? 0 : 300, chunks.build(), end);
    }

    private static Frame missing() {
        return new Frame.Missing(
                7, 2, List.of(new ChunkRange(0, 1), new ChunkRange(1, 1), new ChunkRange(Integer.MAX_VALUE - 3, 3)));
    }

    private static Frame done() {
        return new Frame.Done(List.of(new Outcome(9, Outcome.ALL), new Outcome(2, Outcome.CREATED)));
    }

    private static Frame deleted() {
        return new Frame.Deleted(List.of(
                new Deletion(TreePath.of("z/y"), Kind.FILE),
                new Deletion(TreePath.of("z"), Kind.FOLDER),
                new Deletion(TreePath.of("a"), Kind.LINK)));
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /// All of them, so that a test can begin with any.
    static List<byte[]> bytes() {
        return all().map(Golden::bytes)
                .map(each -> Arrays.copyOf(each, each.length))
                .toList();
    }
}
