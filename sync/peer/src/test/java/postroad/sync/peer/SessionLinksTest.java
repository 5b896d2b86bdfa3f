package postroad.sync.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import postroad.sync.core.Frame;
import postroad.sync.core.FrameCodec;
import postroad.sync.core.StopCode;
import postroad.wire.LinkPair;
import postroad.wire.MemoryLinks;

/// When a link counts as dead, by a clock that the test turns.
final class SessionLinksTest {
    private static final Duration SILENCE = Duration.ofSeconds(30);
    private static final long SECOND = 1_000_000_000;

    private final AtomicLong clock = new AtomicLong(1);
    private final LinkPair pair = MemoryLinks.pair(1000);
    private final Outgoing outgoing = new Outgoing(1, 0, 0);
    private final BufferPool pool = new BufferPool(Protocol.BUFFER, 2);
    private final SessionLinks links = new SessionLinks(
            "test",
            1,
            outgoing,
            pool,
            new Pace(0, clock::get),
            new SentLog(
                    id -> {
                        throw new AssertionError("no content");
                    },
                    new Meter()),
            new Ignoring(),
            new Meter(),
            clock::get,
            SILENCE);
    private final MeteredLink link = links.metered(pair.a());

    @AfterEach
    void end() throws InterruptedException {
        links.abort();
        pair.b().close();
    }

    @Test
    void aPeerThatTakesNothingIsDeadHoweverMuchItSays() throws Exception {
        links.attach(0, link, new FrameReader(link, pool));
        for (int i = 0; i < 4; i++) {
            outgoing.urgent(0, new Frame.Stop(StopCode.OTHER, "x".repeat(1000)));
        }
        await(() -> link.stuckFor(clock.get() + 1) > 0);

        assertThat(saysPingAfter(29)).isEmpty();
        assertThat(saysPingAfter(2)).hasValueSatisfying(text -> assertThat(text).contains("took nothing"));
    }

    @Test
    void aPeerThatTakesAndSaysSomethingIsAlive() throws Exception {
        links.attach(0, link, new FrameReader(link, pool));
        outgoing.urgent(0, new Frame.Stop(StopCode.OTHER, "x".repeat(900)));
        await(() -> link.stuckFor(clock.get() + 1) == 0);

        assertThat(saysPingAfter(29)).isEmpty();
        assertThat(saysPingAfter(29)).isEmpty();
    }

    @Test
    void aPeerThatSaysNothingIsDead() {
        links.attach(0, link, new FrameReader(link, pool));
        clock.addAndGet(31 * SECOND);

        assertThat(links.check(clock.get()))
                .hasValueSatisfying(text -> assertThat(text).contains("was silent"));
    }

    @Test
    void aSideThatHasNothingToSayIsHeardEachSecond() throws Exception {
        links.attach(0, link, new FrameReader(link, pool));
        List<Integer> types = new ArrayList<>();
        for (int second = 0; second < 3; second++) {
            assertThat(links.check(clock.addAndGet(SECOND))).isEmpty();
            ByteBuffer read = ByteBuffer.allocate(FrameCodec.HEADER + 8);
            while (read.hasRemaining()) {
                pair.b().read(read);
            }
            types.add((int) read.get(0));
        }

        assertThat(types).containsExactly(0x32, 0x32, 0x32);
    }

    @Test
    void onlyASignOfLifeFromNowOnCounts() throws Exception {
        SessionLinks live = new SessionLinks(
                "live",
                1,
                outgoing,
                pool,
                new Pace(0, System::nanoTime),
                new SentLog(id -> null, new Meter()),
                new Ignoring(),
                new Meter(),
                System::nanoTime,
                SILENCE);
        MeteredLink real = live.metered(pair.a());
        live.attach(0, real, new FrameReader(real, pool));
        long before = System.nanoTime();
        say(new Frame.Ping(1));
        await(() -> real.hasHeardSince(before));
        boolean silent = live.answers(Duration.ofMillis(50));
        readSome();
        Thread answering = Thread.ofPlatform().start(() -> {
            // The second question arrives, and is answered.
            readSome();
            say(new Frame.Pong(1));
        });
        boolean alive = live.answers(Duration.ofSeconds(20));
        answering.join();
        live.abort();

        assertThat(silent).isFalse();
        assertThat(alive).isTrue();
    }

    /// The peer says something when so much time has passed; gives what the session thinks of the
    /// link.
    private Optional<String> saysPingAfter(int seconds) {
        long now = clock.addAndGet(seconds * SECOND);
        say(new Frame.Ping(now));
        await(() -> link.silentFor(now) == 0);
        return links.check(now);
    }

    private void say(Frame frame) {
        try {
            pair.b().write(ByteBuffer.wrap(FrameCodec.encode(frame)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void readSome() {
        try {
            pair.b().read(ByteBuffer.allocate(100));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void await(BooleanSupplier until) {
        while (!until.getAsBoolean()) {
            Thread.onSpinWait();
        }
    }

    private static final class Ignoring implements LinkReader.Sink {
        @Override
        public void received(int link, Frame frame, int length) {
            // Of no interest here.
        }

        @Override
        public void ended(int link, Throwable cause) {
            // Of no interest here.
        }
    }
}
