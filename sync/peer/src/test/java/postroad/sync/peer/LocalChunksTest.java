package postroad.sync.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import postroad.sync.core.ChunkRange;
import postroad.sync.core.Frame;

class LocalChunksTest {
    private static List<Integer> covered(List<List<ChunkRange>> frames) {
        List<Integer> all = new ArrayList<>();
        frames.forEach(ranges -> ranges.forEach(range ->
                IntStream.range(range.first(), range.first() + range.count()).forEach(all::add)));
        return all;
    }

    @Test
    void chunksInARowAreOneRange() {
        assertThat(LocalChunks.frames(List.of(9, 3, 4, 5)))
                .containsExactly(List.of(new ChunkRange(3, 3), new ChunkRange(9, 1)));
    }

    @Test
    void nothingIsOneEmptyFrame() {
        assertThat(LocalChunks.frames(List.of())).containsExactly(List.of());
    }

    /// A disk image of which every second chunk changed has more ranges than a frame may hold.
    @Test
    void moreRangesThanAFrameHoldsGoInSeveral() {
        List<Integer> everySecond =
                IntStream.range(0, 70_000).map(i -> 2 * i).boxed().toList();

        List<List<ChunkRange>> frames = LocalChunks.frames(everySecond);

        assertThat(covered(frames)).isEqualTo(everySecond);
        assertThat(frames).hasSize(3);
        // Would throw for too many.
        frames.forEach(ranges -> new Frame.Missing(1, 1, ranges));
    }
}
