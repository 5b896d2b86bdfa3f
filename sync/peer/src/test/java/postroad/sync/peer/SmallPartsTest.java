package postroad.sync.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import postroad.sync.core.ChunkClass;
import postroad.sync.core.Segment;
import postroad.sync.core.TreePath;

/// The small parts of a session by themselves.
final class SmallPartsTest {
    @Test
    void thePaceLetsABurstThroughAndThenHoldsTheRate() {
        AtomicLong now = new AtomicLong();
        Pace pace = new Pace(1000, now::get);

        assertThat(pace.waitFor(1000)).isZero();
        assertThat(pace.waitFor(500)).isEqualTo(1_000_000_000L);
        now.set(10_000_000_000L);
        assertThat(pace.waitFor(250)).isZero();
        assertThat(pace.waitFor(1000)).isZero();
        assertThat(pace.waitFor(1)).isEqualTo(1_000_000_000L);
    }

    @Test
    void thePaceWithoutALimitNeverWaits() {
        Pace pace = new Pace(0, () -> 0);

        assertThat(pace.waitFor(Integer.MAX_VALUE)).isZero();
        assertThat(pace.waitFor(Integer.MAX_VALUE)).isZero();
    }

    @Test
    void aBrokenLinkNamesTheFilesThatUsedIt() {
        SentLog log = new SentLog(id -> TreePath.of("file" + id), new Meter());
        log.add(0, List.of(segment(1), segment(2)));
        log.add(3, List.of(segment(2), segment(4)));
        log.add(3, List.of(segment(5)));
        log.forget(5);

        assertThat(log.takeAll(3)).containsExactlyInAnyOrder(2L, 4L);
        assertThat(log.takeAll(3)).isEmpty();
        assertThat(log.takeAll(0)).containsExactly(1L);
    }

    @Test
    void whatWasWrittenOfAFileCountsUntilItBeginsAnew() {
        Meter meter = new Meter();
        SentLog log = new SentLog(id -> TreePath.of("file" + id), meter);
        meter.underWay().wanted(1, 8000, false);
        meter.underWay().wanted(2, 8000, false);
        log.add(0, List.of(segment(1), segment(2)));
        long queued = meter.movedBytes();
        log.written(List.of(segment(1), segment(2)));
        long written = meter.movedBytes();
        log.takeAll(0);
        meter.underWay().begins(1, 1);
        meter.underWay().begins(2, 1);
        log.written(List.of(segment(1)));

        assertThat(queued).isZero();
        assertThat(written).isEqualTo(segment(1).length() + segment(2).length());
        assertThat(meter.movedBytes()).as("what waited of the attempt before").isZero();
    }

    @Test
    void whatIsWrittenTwiceIsSentAgain() {
        SentParts parts = new SentParts();
        TreePath file = TreePath.of("file");
        parts.add(file, 0, 100);
        parts.add(file, 200, 100);
        parts.add(file, 100, 100);
        parts.add(TreePath.of("other"), 0, 100);
        long once = parts.again();
        parts.add(file, 250, 100);
        parts.add(file, 0, 10);
        long twice = parts.again();
        parts.forget(file);
        parts.add(file, 0, 350);

        assertThat(once).isZero();
        assertThat(twice).isEqualTo(60);
        assertThat(parts.again()).isEqualTo(60);
    }

    /// Against one bit for each byte.
    @Test
    void partsAreCountedLikeSingleBytes() {
        Random random = new Random(7);
        SentParts parts = new SentParts();
        boolean[] sent = new boolean[300];
        long again = 0;
        for (int i = 0; i < 2000; i++) {
            if (random.nextInt(100) == 0) {
                parts.forget(TreePath.of("file"));
                sent = new boolean[300];
            }
            int from = random.nextInt(280);
            int length = 1 + random.nextInt(20);
            parts.add(TreePath.of("file"), from, length);
            for (int at = from; at < from + length; at++) {
                again += sent[at] ? 1 : 0;
                sent[at] = true;
            }

            assertThat(parts.again()).isEqualTo(again);
        }
    }

    @Test
    void inLockStepAPermitIsALink() throws Exception {
        Permits permits = new Permits(1);
        assertThat(permits.isFree()).isFalse();
        permits.linkStands(0);
        permits.linkStands(1);

        assertThat(permits.take()).isZero();
        assertThat(permits.take()).isEqualTo(1);
        assertThat(permits.isFree()).isFalse();
        permits.linkGone(1);
        permits.give(1);
        assertThat(permits.isFree()).isFalse();
        permits.give(0);
        assertThat(permits.take()).isZero();
    }

    @Test
    void otherwiseAPermitIsOneOfANumber() throws Exception {
        Permits permits = new Permits(2);

        assertThat(permits.take()).isEqualTo(-1);
        assertThat(permits.take()).isEqualTo(-1);
        assertThat(permits.isFree()).isFalse();
        permits.give(-1);
        assertThat(permits.isFree()).isTrue();
    }

    @Test
    void aTuningThatMakesNoSenseIsRefused() {
        assertThatThrownBy(() -> Tuning.DEFAULT.withBytesPerSecond(-1)).isInstanceOf(IllegalArgumentException.class);
    }

    private static Segment segment(long id) {
        return new Segment(id, 0, ChunkClass.SMALL, 0, new int[] {5000}, Optional.empty());
    }
}
