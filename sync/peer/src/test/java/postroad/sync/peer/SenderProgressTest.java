package postroad.sync.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import postroad.common.Bytes32;
import postroad.sync.core.ChunkClass;
import postroad.sync.core.ChunkRange;
import postroad.sync.core.FailureCode;
import postroad.sync.core.FileEnd;
import postroad.sync.core.Frame;
import postroad.sync.core.Outcome;
import postroad.sync.core.Recipe;
import postroad.sync.core.RootClaim;
import postroad.sync.core.Segment;
import postroad.sync.core.SessionOptions;
import postroad.sync.core.TreePath;
import postroad.sync.core.WantedFile;

/// What the sender counts as moved of files that are compared first.
final class SenderProgressTest {
    private static final int CHUNK = 10_000;
    private static final int CHUNKS = 100;
    private static final long SIZE = (long) CHUNK * CHUNKS;

    private final Meter meter = new Meter();
    private final EntryTable table = new EntryTable(1 << 20);
    private final SenderMachine machine =
            new SenderMachine(table, SessionOptions.DEFAULT, new SenderPhaseTest.Nothing(), new Sessions.Told(), meter);
    private final SentLog log = new SentLog(id -> TreePath.of("file" + id), meter);
    private final Recipe recipe = recipe();

    @BeforeEach
    void wantTwoFiles() {
        table.add(HostilePeer.file("file0", SIZE));
        table.add(HostilePeer.file("file1", SIZE));
        machine.take(SenderPhaseTest.hello());
        machine.take(new SenderEvent.ScanEnded(2, true));
        say(new Frame.Want(
                List.of(new WantedFile(0, true, WantedFile.ANY_LINK), new WantedFile(1, false, WantedFile.ANY_LINK))));
    }

    @Test
    void isComparingUntilTheReceiverSaysWhatItMisses() {
        Meter.Reading wanted = meter.read();
        describe(0);
        Meter.Reading described = meter.read();
        say(missing(0, new ChunkRange(3, 2)));

        assertThat(wanted.comparing()).isEqualTo(new Meter.Comparing(1, SIZE, 0));
        assertThat(wanted.wantedBytes()).isEqualTo(2 * SIZE);
        assertThat(described.comparing().files()).isEqualTo(1);
        assertThat(meter.read().comparing().files()).isZero();
        assertThat(meter.movedBytes()).isEqualTo(SIZE - 2 * CHUNK);
    }

    @Test
    void aReceiverThatMissesNothingHasAll() {
        describe(0);
        say(missing(0));

        assertThat(meter.movedBytes()).isEqualTo(SIZE);
        assertThat(meter.read().settledFiles()).isZero();
    }

    @Test
    void whatIsMissedLaterHasNotMoved() {
        describe(0);
        say(missing(0, new ChunkRange(3, 2)));
        write(0, 3, 2);
        long before = meter.movedBytes();
        say(missing(0, new ChunkRange(50, 10)));
        long later = meter.movedBytes();
        write(0, 50, 10);

        assertThat(before).isEqualTo(SIZE);
        assertThat(later).isEqualTo(SIZE - 10 * CHUNK);
        assertThat(meter.movedBytes()).isEqualTo(SIZE);
    }

    @Test
    void aFileThatChangedMeanwhileIsComparedAnew() {
        describe(0);
        say(missing(0, new ChunkRange(0, 20)));
        write(0, 0, 20);
        machine.take(new SenderEvent.WorkFailed(0, 0, FailureCode.CHANGED, "it changed", true));
        long anew = meter.movedBytes();
        Meter.Comparing comparing = meter.read().comparing();
        say(missing(0));
        describe(1);
        say(missing(1, new ChunkRange(0, 30)));

        assertThat(anew).isZero();
        assertThat(comparing.files()).isEqualTo(1);
        assertThat(meter.movedBytes()).isEqualTo(SIZE - 30 * CHUNK);
    }

    @Test
    void aFileThatIsOverHasMovedOnce() {
        describe(0);
        say(missing(0, new ChunkRange(0, 20)));
        write(0, 0, 20);
        say(new Frame.Done(List.of(new Outcome(0, Outcome.CONTENT))));
        write(0, 0, 20);
        long done = meter.movedBytes();
        say(new Frame.Failed(1, "", FailureCode.NO_SPACE, "full"));

        assertThat(done).isEqualTo(SIZE);
        assertThat(meter.movedBytes()).isEqualTo(2 * SIZE);
        assertThat(meter.read().settledFiles()).isEqualTo(2);
    }

    @Test
    void aFileThatFailsWhileItIsComparedIsComparedNoMore() {
        machine.take(new SenderEvent.WorkFailed(0, 0, FailureCode.UNREADABLE, "denied", false));

        assertThat(meter.read().comparing()).isEqualTo(new Meter.Comparing(0, 0, 0));
        assertThat(meter.movedBytes()).isEqualTo(SIZE);
    }

    private void say(Frame frame) {
        machine.take(new SenderEvent.Received(0, frame, 100));
    }

    private void describe(int attempt) {
        FileEnd end = new FileEnd(Optional.empty(), new RootClaim.Whole(recipe.root()));
        machine.take(new SenderEvent.Described(0, attempt, recipe, end));
    }

    private static Frame missing(int attempt, ChunkRange... ranges) {
        return new Frame.Missing(0, attempt, List.of(ranges));
    }

    /// A link has written these chunks of the first file.
    private void write(int attempt, int first, int count) {
        int[] lengths = new int[count];
        Arrays.fill(lengths, CHUNK);
        List<Segment> segments =
                List.of(new Segment(0, attempt, ChunkClass.SMALL, recipe.offset(first), lengths, Optional.empty()));
        log.add(0, segments);
        log.written(segments);
    }

    private static Recipe recipe() {
        Recipe.Builder recipe = new Recipe.Builder(ChunkClass.SMALL);
        for (int i = 0; i < CHUNKS; i++) {
            byte[] hash = new byte[Bytes32.LENGTH];
            hash[0] = (byte) i;
            recipe.add(CHUNK, hash, 0);
        }
        return recipe.build();
    }
}
