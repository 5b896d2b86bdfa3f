package postroad.sync.folder;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import postroad.common.Bytes32;
import postroad.sync.core.ChunkClass;
import postroad.sync.core.Recipe;
import postroad.sync.core.ShortId;
import postroad.sync.core.TreePath;

final class LazyMemoryTest {
    private final AtomicInteger openings = new AtomicInteger();
    private final LazyMemory memory = new LazyMemory(() -> {
        openings.incrementAndGet();
        return new NoMemory();
    });

    @Test
    void isNotOpenedForSmallFiles() {
        Recipe empty = new Recipe.Builder(ChunkClass.SMALL).build();

        memory.remember(TreePath.of("a"), stat(1000), empty);
        memory.recall(stat(1000), ChunkClass.SMALL);
        memory.close();

        assertThat(openings).hasValue(0);
    }

    @Test
    void isOpenedOnceWhenItIsNeeded() {
        memory.recall(stat(1_000_000), ChunkClass.SMALL);
        memory.knowsAny(ChunkClass.SMALL);
        memory.find(ShortId.of(new Bytes32(1, 2, 3, 4)), ChunkClass.SMALL);

        assertThat(openings).hasValue(1);
    }

    @Test
    void isNotOpenedOnceItIsClosed() {
        memory.close();

        assertThat(memory.knowsAny(ChunkClass.SMALL)).isFalse();
        assertThat(openings).hasValue(0);
    }

    private static EntryStat stat(long size) {
        return new EntryStat(1, 2, size, 3, 4, 5, 6, 0644, EntryStat.Type.FILE, 1, 0);
    }
}
