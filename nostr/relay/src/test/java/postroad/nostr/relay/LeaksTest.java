package postroad.nostr.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// That the watch of the other tests sees a buffer that was lost, each time.
class LeaksTest {
    private final Leaks leaks = new Leaks();

    @BeforeEach
    void begin() {
        leaks.beforeAll(null);
    }

    @AfterEach
    void end() {
        Leaks.forget();
    }

    @Test
    void saysNothingWhenEveryBufferWasReleased() {
        ByteBufAllocator.DEFAULT.directBuffer(64).release();

        leaks.afterAll(null);
    }

    @Test
    void failsWhenABufferOfTheUsualAllocatorWasLost() {
        ByteBufAllocator.DEFAULT.directBuffer(64).writeLong(1);

        assertThatThrownBy(() -> leaks.afterAll(null)).hasMessageContaining("buffers leaked: [");
    }

    @Test
    void failsWhenASliceOfAnotherAllocatorsBufferWasLost() {
        PooledByteBufAllocator.DEFAULT
                .heapBuffer(64)
                .writeLong(1)
                .retainedSlice(0, 4)
                .release();

        assertThatThrownBy(() -> leaks.afterAll(null)).hasMessageContaining("buffers leaked: [");
    }

    /// Netty tells of one place in the code once: each round loses its buffer at another depth.
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    void seesItEveryTime(int depth) {
        lose(depth);

        assertThat(Leaks.find()).hasSize(1);
    }

    private static void lose(int depth) {
        if (depth > 0) {
            lose(depth - 1);
        } else {
            ByteBufAllocator.DEFAULT.directBuffer(16).writeLong(1);
        }
    }
}
