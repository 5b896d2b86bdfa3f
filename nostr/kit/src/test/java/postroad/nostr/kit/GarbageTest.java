package postroad.nostr.kit;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class GarbageTest {
    @Test
    void hasEveryReferenceInItsQueueWhenItReturns() {
        ReferenceQueue<Object> queue = new ReferenceQueue<>();
        List<Reference<Object>> lost = new ArrayList<>();
        for (int i = 0; i < 5_000; i++) {
            lost.add(new PhantomReference<>(new Object(), queue));
        }
        Object held = new Object();
        Reference<Object> kept = new PhantomReference<>(held, queue);

        Garbage.collect();

        int queued = 0;
        while (queue.poll() != null) {
            queued++;
        }
        assertThat(queued).isEqualTo(lost.size());
        assertThat(kept.refersTo(held)).isTrue();
    }
}
