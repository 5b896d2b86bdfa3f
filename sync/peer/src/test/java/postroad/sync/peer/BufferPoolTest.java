package postroad.sync.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.junit.jupiter.api.Test;

class BufferPoolTest {
    @Test
    void whatWaitsTakesLittleMoreThanItsLength() {
        BufferPool pool = new BufferPool(1000, 4);
        pool.give(new byte[1000]);

        for (int length = 0; length < 875; length++) {
            assertEquals(length, pool.takeToKeep(length).length);
        }
    }

    @Test
    void whatFillsABufferGetsOneThatWasUsed() {
        BufferPool pool = new BufferPool(1000, 4);
        byte[] used = new byte[1000];
        pool.give(used);

        byte[] taken = pool.takeToKeep(875);

        assertSame(used, taken);
    }
}
