package postroad.sync.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import postroad.common.Bytes32;

/// Frames survive the wire.
class FrameCodecTest {
    @ParameterizedTest
    @MethodSource("frames")
    void aFrameIsReadAsItWasWritten(Frame frame) throws ProtocolException {
        byte[] bytes = FrameCodec.encode(frame);

        Frame read = FrameCodec.decode(bytes[0], bytes, FrameCodec.HEADER, bytes.length);

        assertThat(read).isEqualTo(frame);
    }

    static Stream<Frame> frames() {
        Bytes32 root = Bytes32.ofHex("00112233445566778899aabbccddeeff".repeat(2));
        FileEnd end = new FileEnd(300, -5, 999_999_999, 0644, root);
        ShortRecipe.Builder chunks = new ShortRecipe.Builder(ChunkClass.SMALL);
        chunks.add(100, new ShortId(1, 2));
        chunks.add(200, new ShortId(-3, 4));
        Segment first = new Segment(7, 1, ChunkClass.SMALL, 0, new int[] {1, 2}, Optional.empty());
        Segment second = new Segment(8, 0, ChunkClass.HUGE, 296, new int[] {4}, Optional.of(end));
        byte[] data = "xabcdefgx".getBytes(StandardCharsets.US_ASCII);
        return Stream.of(
                new Frame.Hello(
                        1,
                        1,
                        new SessionId(1, -2),
                        Role.SENDER,
                        4,
                        SessionOptions.DEFAULT
                                .withDelete(true)
                                .withInFlight(1)
                                .withPatterns(PatternList.of(List.of(PatternLine.of(new byte[] {'*', '~'})))),
                        "postroad 0.1",
                        new byte[] {1, 2, 3}),
                new Frame.Join(new SessionId(1, 2), 3),
                new Frame.Stop(StopCode.BUSY, "another session is at work"),
                new Frame.Entries(List.of(
                        new Entry(TreePath.of("a"), Kind.FOLDER, 0, 1, 2, 0755, LinkTarget.NONE),
                        new Entry(TreePath.of("a/b"), Kind.FILE, 5, -1, 2, 0644, LinkTarget.NONE),
                        new Entry(TreePath.of("ab"), Kind.LINK, 0, 1, 2, 0777, LinkTarget.of(new byte[] {'x'})))),
                new Frame.EntriesEnd(3, true),
                new Frame.Want(List.of(new WantedFile(9, true, -1), new WantedFile(2, false, 15))),
                new Frame.Content(List.of(first, second), false, 7, data, 1, 7),
                new Frame.RecipePart(7, 0, 0, chunks.build(), Optional.of(end)),
                new Frame.Missing(7, 0, List.of(new ChunkRange(0, 1), new ChunkRange(5, 2))),
                new Frame.Failed(-1, "a/b", FailureCode.VANISHED, "gone"),
                new Frame.Done(List.of(new Outcome(9, 63), new Outcome(2, 0))),
                new Frame.Deleted(List.of(
                        new Deletion(TreePath.of("z/y"), Kind.FILE), new Deletion(TreePath.of("z"), Kind.FOLDER))),
                new Frame.Summary(1, 2, 3, 4, 5, 6, true),
                new Frame.Bye(),
                new Frame.Credit(Window.CONTENT, 1 << 20),
                new Frame.Blocked(Window.ANSWERS),
                new Frame.Ping(-1),
                new Frame.Pong(5));
    }
}
