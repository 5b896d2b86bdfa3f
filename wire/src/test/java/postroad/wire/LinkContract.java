package postroad.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What every kind of link does. Subclasses open a pair.
@Timeout(60)
abstract class LinkContract {
    private static final ThreadFactory VIRTUAL = Thread.ofVirtual().factory();
    private static final ThreadFactory PLATFORM =
            Thread.ofPlatform().daemon().name("test-link").factory();

    LinkPair links;

    abstract LinkPair open() throws Exception;

    /// Whether a peer that closes without a word is told apart from one that has finished.
    boolean tellsCutsFromEnds() {
        return false;
    }

    @BeforeEach
    void openLinks() throws Exception {
        links = open();
    }

    @AfterEach
    void closeLinks() {
        links.close();
    }

    static <T> FutureTask<T> start(ThreadFactory threads, Callable<T> work) {
        FutureTask<T> task = new FutureTask<>(work);
        threads.newThread(task).start();
        return task;
    }

    static <T> T await(FutureTask<T> task) throws Exception {
        try {
            return task.get(50, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Exception cause) {
                throw cause;
            }
            throw e;
        }
    }

    static byte[] send(Link link, long seed, long total, int most, boolean direct) throws Exception {
        MessageDigest hash = MessageDigest.getInstance("SHA-256");
        Random random = new Random(seed);
        byte[] bytes = new byte[most];
        long left = total;
        while (left > 0) {
            random.nextBytes(bytes);
            int count = (int) Math.min(left, 1 + random.nextInt(most));
            hash.update(bytes, 0, count);
            ByteBuffer buffer = direct ? ByteBuffer.allocateDirect(count) : ByteBuffer.allocate(count);
            link.write(buffer.put(bytes, 0, count).flip());
            assertThat(buffer.hasRemaining()).isFalse();
            left -= count;
        }
        link.finish();
        return hash.digest();
    }

    static byte[] hashAll(Link link, int room, boolean direct) throws Exception {
        MessageDigest hash = MessageDigest.getInstance("SHA-256");
        ByteBuffer buffer = direct ? ByteBuffer.allocateDirect(room) : ByteBuffer.allocate(room);
        while (link.read(buffer) >= 0) {
            hash.update(buffer.flip());
            buffer.clear();
        }
        return hash.digest();
    }

    static String readAll(Link link) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        ByteBuffer buffer = ByteBuffer.allocate(1000);
        while (link.read(buffer) >= 0) {
            all.write(buffer.array(), 0, buffer.position());
            buffer.clear();
        }
        return all.toString(java.nio.charset.StandardCharsets.UTF_8);
    }

    static ByteBuffer text(String text) {
        return ByteBuffer.wrap(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }

    private void carriesBothWays(ThreadFactory threads, int most, int room, boolean direct) throws Exception {
        long total = 24L << 20;

        FutureTask<byte[]> sentA = start(threads, () -> send(links.a(), 1, total, most, direct));
        FutureTask<byte[]> sentB = start(threads, () -> send(links.b(), 2, total, most, direct));
        FutureTask<byte[]> readA = start(threads, () -> hashAll(links.a(), room, direct));
        FutureTask<byte[]> readB = start(threads, () -> hashAll(links.b(), room, direct));

        assertThat(await(readB)).isEqualTo(await(sentA));
        assertThat(await(readA)).isEqualTo(await(sentB));
    }

    @Test
    void carriesManyBytesBothWaysAtOnceOnVirtualThreads() throws Exception {
        carriesBothWays(VIRTUAL, 300_000, 1 << 20, false);
    }

    @Test
    void carriesManyBytesBothWaysAtOnceOnPlatformThreads() throws Exception {
        carriesBothWays(PLATFORM, 1 << 20, 64 << 10, true);
    }

    @Test
    void carriesSmallWritesIntoSmallBuffers() throws Exception {
        FutureTask<byte[]> sent = start(PLATFORM, () -> send(links.a(), 3, 50_000, 40, false));

        assertThat(hashAll(links.b(), 7, true)).isEqualTo(await(sent));
    }

    @Test
    void readsOnAfterItFinishedItself() throws Exception {
        links.a().write(text("question"));
        links.a().finish();
        links.a().finish();

        assertThat(readAll(links.b())).isEqualTo("question");
        links.b().write(text("answer"));
        links.b().finish();
        assertThat(readAll(links.a())).isEqualTo("answer");
        assertThat(links.a().read(ByteBuffer.allocate(1))).isEqualTo(-1);
    }

    @Test
    void writesNothingAfterItFinished() throws Exception {
        links.a().finish();

        assertThatExceptionOfType(LinkException.class)
                .isThrownBy(() -> links.a().write(text("more")))
                .withMessageContaining(links.a().peer())
                .withMessageContaining("finished");
    }

    @Test
    void closeWakesAReaderThatWaits() throws Exception {
        for (ThreadFactory threads : java.util.List.of(PLATFORM, VIRTUAL)) {
            LinkPair pair = open();
            FutureTask<Integer> read = start(threads, () -> pair.a().read(ByteBuffer.allocate(1)));
            pair.a().close();

            assertThatExceptionOfType(LinkException.class)
                    .isThrownBy(() -> await(read))
                    .withMessage("the connection to " + pair.a().peer() + " was closed here");
            pair.close();
        }
    }

    @Test
    void closeWakesAWriterThatWaits() throws Exception {
        for (ThreadFactory threads : java.util.List.of(PLATFORM, VIRTUAL)) {
            LinkPair pair = open();
            java.util.concurrent.CountDownLatch many = new java.util.concurrent.CountDownLatch(100);
            FutureTask<byte[]> written = start(threads, () -> {
                while (true) {
                    pair.a().write(ByteBuffer.allocate(64 << 10));
                    many.countDown();
                }
            });
            // Enough to be in the midst of it; whether it waits already or soon makes no difference to
            // the claim.
            boolean _ = many.await(200, TimeUnit.MILLISECONDS);
            pair.a().close();

            assertThatExceptionOfType(LinkException.class)
                    .isThrownBy(() -> await(written))
                    .withMessage("the connection to " + pair.a().peer() + " was closed here");
            pair.close();
        }
    }

    @Test
    void closeOfThePeerEndsReading() throws Exception {
        FutureTask<Integer> read = start(VIRTUAL, () -> links.a().read(ByteBuffer.allocate(1)));
        links.b().close();

        if (tellsCutsFromEnds()) {
            assertThatExceptionOfType(LinkException.class)
                    .isThrownBy(() -> await(read))
                    .withMessageContaining("cut off");
        } else {
            assertThat(await(read)).isEqualTo(-1);
        }
    }

    @Test
    void closeOfThePeerEndsWriting() throws Exception {
        FutureTask<byte[]> written = start(VIRTUAL, () -> send(links.a(), 4, 1L << 40, 64 << 10, false));
        links.b().close();

        assertThatExceptionOfType(LinkException.class)
                .isThrownBy(() -> await(written))
                .withMessageContaining(links.a().peer())
                .withMessageContaining("by the other side");
    }

    @Test
    void theLastWordArrivesThoughThePeerStillTalks() throws Exception {
        FutureTask<byte[]> talking = start(PLATFORM, () -> send(links.a(), 5, 8 << 20, 64 << 10, false));
        links.b().write(text("refused"));
        FutureTask<Void> parting = start(PLATFORM, () -> {
            Links.part(links.b(), java.time.Duration.ofSeconds(40));
            return null;
        });

        assertThat(readAll(links.a())).isEqualTo("refused");
        await(talking);
        await(parting);
    }
}
