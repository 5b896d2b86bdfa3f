package postroad.nostr.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class FreeSpaceTest {
    private final AtomicLong disk = new AtomicLong();
    private final AtomicLong clock = new AtomicLong(-5);
    private final AtomicInteger asked = new AtomicInteger();
    private final FreeSpace space = new FreeSpace(
            () -> {
                asked.incrementAndGet();
                return disk.get();
            },
            clock::get);

    @Test
    void asksOnceInAWhileWhenThereIsPlenty() {
        disk.set(400);

        for (int i = 0; i < 10; i++) {
            assertThat(space.isBelow(100)).isFalse();
        }
        assertThat(asked).hasValue(1);

        disk.set(99);
        clock.addAndGet(20_000_000);
        assertThat(space.isBelow(100)).isTrue();
    }

    @Test
    void asksEachTimeWhenThereIsLittle() {
        disk.set(399);
        assertThat(space.isBelow(100)).isFalse();
        disk.set(99);
        assertThat(space.isBelow(100)).isTrue();
        disk.set(100);
        assertThat(space.isBelow(100)).isFalse();
        disk.set(Long.MAX_VALUE);
        assertThat(space.isBelow(Long.MAX_VALUE)).isFalse();
    }

    @Test
    void asksNothingWhenNothingIsReserved() {
        assertThat(space.isBelow(0)).isFalse();
        assertThat(asked).hasValue(0);
    }
}
