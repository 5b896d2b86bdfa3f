package postroad.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.Condition;
import org.junit.jupiter.api.Test;

final class SimulatedLinksTest {
    private static final long MILLIS = 1_000_000;
    private static final WireShape RTT_30 = WireShape.ofRtt(Duration.ofMillis(30));

    private final Clock clock = new Clock();

    /// Whoever waits for time moves the clock.
    private static final class Clock implements WireTime {
        private long nanos = 12_345;

        @Override
        public synchronized long nanos() {
            return nanos;
        }

        @Override
        public synchronized void await(Condition changed, long wait) {
            nanos += wait;
        }
    }

    private LinkPair open(SimulatedLinks.Model model, WireShape shape, int bound) {
        return SimulatedLinks.pair(model, shape, bound, clock);
    }

    private static int read(Link link, int most) throws Exception {
        return link.read(ByteBuffer.allocate(most));
    }

    private static void write(Link link, int bytes) throws Exception {
        link.write(ByteBuffer.allocate(bytes));
    }

    private long since(long start) {
        return clock.nanos() - start;
    }

    @Test
    void bytesArriveOneWayAfterTheyWereWritten() throws Exception {
        LinkPair pair = open(SimulatedLinks.Model.ARRIVAL, RTT_30, 1 << 20);
        long start = clock.nanos();

        write(pair.a(), 10);
        clock.await(null, 4 * MILLIS);
        write(pair.a(), 5);

        assertThat(read(pair.b(), 100)).isEqualTo(10);
        assertThat(since(start)).isEqualTo(15 * MILLIS);
        assertThat(read(pair.b(), 100)).isEqualTo(5);
        assertThat(since(start)).isEqualTo(19 * MILLIS);
    }

    @Test
    void aBurstCostsOneFlightInBothModels() throws Exception {
        for (SimulatedLinks.Model model : SimulatedLinks.Model.values()) {
            LinkPair pair = open(model, RTT_30, 1 << 20);
            long start = clock.nanos();

            for (int i = 0; i < 50; i++) {
                write(pair.a(), 1000);
            }
            int got = 0;
            while (got < 50_000) {
                got += read(pair.b(), 700);
            }

            assertThat(since(start)).as("%s", model).isEqualTo(15 * MILLIS);
        }
    }

    @Test
    void aRoundTripTakesTheRoundTrip() throws Exception {
        for (SimulatedLinks.Model model : SimulatedLinks.Model.values()) {
            LinkPair pair = open(model, RTT_30, 1 << 20);
            long start = clock.nanos();

            for (int i = 0; i < 10; i++) {
                write(pair.a(), 100);
                assertThat(read(pair.b(), 100)).isEqualTo(100);
                write(pair.b(), 10);
                assertThat(read(pair.a(), 100)).isEqualTo(10);
            }

            assertThat(since(start)).as("%s", model).isEqualTo(300 * MILLIS);
        }
    }

    @Test
    void bytesInFlightDoNotPayAgainOnArrivalButDoWhenCoalescing() throws Exception {
        List<Long> took = new ArrayList<>();
        for (SimulatedLinks.Model model : SimulatedLinks.Model.values()) {
            LinkPair pair = open(model, RTT_30, 1 << 20);
            long start = clock.nanos();

            write(pair.a(), 10);
            clock.await(null, 20 * MILLIS);
            assertThat(read(pair.b(), 10)).isEqualTo(10);
            took.add(since(start));
        }

        assertThat(took).containsExactly(20 * MILLIS, 35 * MILLIS);
    }

    @Test
    void coalescingTakesWhatIsThereAndNoMore() throws Exception {
        LinkPair pair = open(SimulatedLinks.Model.COALESCING, RTT_30, 1 << 20);
        long start = clock.nanos();

        write(pair.a(), 10);
        assertThat(read(pair.b(), 4)).isEqualTo(4);
        write(pair.a(), 7);
        assertThat(read(pair.b(), 100)).isEqualTo(6);
        assertThat(since(start)).isEqualTo(15 * MILLIS);
        assertThat(read(pair.b(), 100)).isEqualTo(7);
        assertThat(since(start)).isEqualTo(30 * MILLIS);
    }

    @Test
    void theEndIsUnderWayLikeAByte() throws Exception {
        LinkPair pair = open(SimulatedLinks.Model.ARRIVAL, RTT_30, 1 << 20);
        long start = clock.nanos();

        pair.a().finish();

        assertThat(read(pair.b(), 1)).isEqualTo(-1);
        assertThat(since(start)).isEqualTo(15 * MILLIS);
    }

    @Test
    void aRateSpreadsBytesOverTime() throws Exception {
        WireShape shape = new WireShape(Duration.ofMillis(30), 8_000_000, Duration.ZERO, 0);
        LinkPair pair = open(SimulatedLinks.Model.ARRIVAL, shape, 1 << 20);
        long start = clock.nanos();

        // 8 Mbit/s is a megabyte a second: a thousand bytes each millisecond.
        write(pair.a(), 50_000);
        assertThat(read(pair.b(), 1)).isEqualTo(1);
        assertThat(since(start)).isEqualTo(15 * MILLIS + 1_024_000);
        int got = 1;
        while (got < 50_000) {
            got += read(pair.b(), 50_000);
        }

        assertThat(since(start)).isEqualTo(65 * MILLIS);
    }

    @Test
    void jitterKeepsTheOrderAndComesFromTheSeed() throws Exception {
        assertThat(arrivals(7)).isEqualTo(arrivals(7)).isSorted().isNotEqualTo(arrivals(8));
        assertThat(arrivals(7)).allSatisfy(at -> assertThat(at).isBetween(15 * MILLIS, 30 * MILLIS));
    }

    private List<Long> arrivals(long seed) throws Exception {
        WireShape shape = new WireShape(Duration.ofMillis(30), 0, Duration.ofMillis(10), seed);
        LinkPair pair = open(SimulatedLinks.Model.ARRIVAL, shape, 1 << 20);
        long start = clock.nanos();
        for (int i = 0; i < 20; i++) {
            pair.a().write(ByteBuffer.wrap(new byte[] {(byte) i}));
        }
        List<Long> arrivals = new ArrayList<>();
        ByteBuffer one = ByteBuffer.allocate(1);
        for (int i = 0; i < 20; i++) {
            assertThat(pair.b().read(one.clear())).isEqualTo(1);
            assertThat(one.get(0)).isEqualTo((byte) i);
            arrivals.add(since(start));
        }
        return arrivals;
    }

    @Test
    void aWriterWaitsAtTheBound() throws Exception {
        for (SimulatedLinks.Model model : SimulatedLinks.Model.values()) {
            LinkPair pair = open(model, RTT_30, 100);
            FutureTask<Boolean> writing = LinkContract.start(Thread.ofVirtual().factory(), () -> {
                write(pair.a(), 150);
                return true;
            });

            int got = 0;
            while (got < 150) {
                int count = read(pair.b(), 1000);
                assertThat(count).isPositive();
                got += count;
            }

            assertThat(LinkContract.await(writing)).isTrue();
        }
    }
}
