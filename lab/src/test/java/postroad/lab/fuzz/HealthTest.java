package postroad.lab.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.PooledByteBufAllocator;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/// That the watch over a relay sees what it watches for.
final class HealthTest {
    @Test
    void complainsOfNothingWhileAllIsWell() {
        try (Health health = Health.watch()) {
            assertThat(health.complaints()).isEmpty();
        }
    }

    @Test
    void complainsOfABufferThatNobodyReleased() {
        try (Health health = Health.watch()) {
            leak();

            assertThat(health.complaints()).anyMatch(text -> text.contains("LEAK"));
        }
    }

    @Test
    void complainsOfAThreadThatDied() throws InterruptedException {
        CountDownLatch end = new CountDownLatch(1);
        Thread thread = new Thread(() -> fail(end), "relay-victim");
        thread.start();
        try (Health health = Health.watch()) {
            end.countDown();
            thread.join();

            assertThat(health.complaints())
                    .anyMatch(text -> text.contains("relay-victim died"))
                    .anyMatch(text -> text.contains("relay-victim is gone"));
        }
    }

    @Test
    void complainsOfAnErrorThatTheRelayLogsAndOfNoWarning() {
        System.Logger logger = System.getLogger("postroad.nostr.relay.Victim");
        try (Health health = Health.watch()) {
            logger.log(System.Logger.Level.WARNING, "a client was cut");
            logger.log(System.Logger.Level.ERROR, "a job failed where it must not", new IllegalStateException("a bug"));

            assertThat(health.complaints())
                    .containsExactly("postroad.nostr.relay.Victim: a job failed where it must not"
                            + " java.lang.IllegalStateException: a bug");
        }
    }

    private static void leak() {
        PooledByteBufAllocator.DEFAULT.directBuffer(16).writeLong(1);
    }

    private static void fail(CountDownLatch end) {
        try {
            end.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw new IllegalStateException("as it should");
    }
}
