package postroad.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import postroad.sync.peer.Meter;
import postroad.sync.peer.Meter.Comparing;
import postroad.sync.peer.Meter.Phase;

/// What is said of a session while it runs.
class SyncLineTest {
    private static final Comparing NONE = new Comparing(0, 0, 0);
    private static final long MB = 1_000_000;
    private static final long FILE = 3_000 * MB;

    private final SyncLine send = new SyncLine("connecting", true);
    private final List<String> said = new ArrayList<>();
    private long seconds = 1000;

    @Test
    void aFreshTreeHasARateAndATime() {
        say(send, reading(0, 0, NONE));
        say(send, reading(100 * MB, 100 * MB, NONE));
        say(send, reading(1500 * MB, 1500 * MB, NONE), 14);

        assertThat(said)
                .containsExactly(
                        "0 %, 0 of 1 file, 0 bytes of 3.0 GB, 0 bytes/s",
                        "3 %, 0 of 1 file, 100 MB of 3.0 GB, 100 MB/s, 29 s left",
                        "50 %, 0 of 1 file, 1.5 GB of 3.0 GB, 100 MB/s, 15 s left");
    }

    @Test
    void aChangedFileIsComparedThenItsChangesTravelThenItIsAwaited() {
        say(send, reading(0, 0, new Comparing(1, FILE, 0)));
        say(send, reading(0, 0, new Comparing(1, FILE, 1200 * MB)), 20);
        say(send, reading(0, 0, new Comparing(1, FILE, FILE)), 20);
        say(send, reading(FILE - 90 * MB, 10 * MB, NONE));
        say(send, reading(FILE, 100 * MB, NONE));

        assertThat(said)
                .containsExactly(
                        "comparing 1 file with what is there: 3.0 GB",
                        "comparing 1 file with what is there: 3.0 GB, 1.2 GB read",
                        "comparing 1 file with what is there: 3.0 GB, all read here",
                        "97 %, 0 of 1 file, 2.9 GB of 3.0 GB, 10.0 MB/s, 9 s left",
                        "everything is on its way; waiting until it is safe on the disk: 1 file left");
    }

    /// Half of the tree travelled, then a large file is compared.
    @Test
    void noTimeIsLeftWhileMuchIsCompared() {
        say(send, reading(0, 0, NONE));
        say(send, reading(1000 * MB, 1000 * MB, new Comparing(1, 900 * MB, 300 * MB)));
        say(send, reading(1100 * MB, 1000 * MB, new Comparing(1, 900 * MB, 400 * MB)), 6);
        say(send, reading(1200 * MB, 1100 * MB, new Comparing(1, 100 * MB, 0)));

        assertThat(said.subList(1, 4))
                .containsExactly(
                        "33 %, 0 of 1 file, 1.0 GB of 3.0 GB, 1.0 GB/s; comparing 900 MB",
                        "36 %, 0 of 1 file, 1.1 GB of 3.0 GB; comparing 900 MB, 400 MB read",
                        "40 %, 0 of 1 file, 1.2 GB of 3.0 GB, 100 MB/s, 18 s left");
    }

    @Test
    void theReceiverTellsOfItsCopies() {
        SyncLine receive = new SyncLine("", false);
        say(receive, reading(0, 0, new Comparing(1, FILE, 0)));
        say(receive, reading(2000 * MB, 10 * MB, NONE, 1500 * MB));
        say(receive, reading(2000 * MB, 10 * MB, NONE, 1400 * MB), 7);
        say(receive, reading(FILE, 10 * MB, NONE, 1000 * MB));
        say(receive, reading(FILE, 10 * MB, NONE, 0));

        assertThat(said)
                .containsExactly(
                        "comparing 1 file with what is here: 3.0 GB",
                        "66 %, 0 of 1 file, 2.0 GB of 3.0 GB, 10.0 MB/s, 1 min 40 s left",
                        "66 %, 0 of 1 file, 2.0 GB of 3.0 GB; copying 1.4 GB",
                        "all is here; putting it together: 1.0 GB to copy at 400 MB/s, 3 s left",
                        "everything is here; waiting until it is safe on the disk: 1 file left");
    }

    @Test
    void aHundredPercentIsNeverSaid() {
        say(send, reading(FILE - 1, 0, NONE));

        assertThat(said.getFirst()).startsWith("99 %");
    }

    @Test
    void thereIsAlwaysSomethingToSay() {
        Meter.Reading connecting = new Meter().read();
        say(send, connecting);
        say(new SyncLine("", false), connecting);

        assertThat(said).containsExactly("connecting", "the session begins");
    }

    @Test
    void anUnchangedTreeIsCompared() {
        say(send, new Meter.Reading(Phase.SENDING, 12, FILE, 0, 0, 0, 0, 0, NONE, 0, 0));

        assertThat(said).containsExactly("comparing 12 names, 3.0 GB");
    }

    @Test
    void theScanTellsWhatMovesBesides() {
        say(send, scanning(0, 0, 0, NONE));
        say(send, scanning(2, 0, 0, new Comparing(1, FILE, 5 * MB)));
        say(send, scanning(2, 50 * MB, 50 * MB, NONE));

        assertThat(said)
                .containsExactly(
                        "scanning: 12 names, 3.0 GB",
                        "scanning: 12 names, 3.0 GB; 0 of 2 files so far, 0 bytes; comparing 3.0 GB, 5.0 MB read",
                        "scanning: 12 names, 3.0 GB; 0 of 2 files so far, 50.0 MB, 50.0 MB/s");
    }

    private void say(SyncLine line, Meter.Reading at) {
        say(line, at, 1);
    }

    private void say(SyncLine line, Meter.Reading at, long after) {
        seconds += after;
        said.add(line.of(at, seconds * 1_000_000_000));
    }

    private static Meter.Reading reading(long moved, long travelled, Comparing comparing) {
        return reading(moved, travelled, comparing, 0);
    }

    private static Meter.Reading reading(long moved, long travelled, Comparing comparing, long copying) {
        return new Meter.Reading(
                Phase.SENDING, 1, FILE, 1, FILE, 0, moved, travelled, comparing, 2000 * MB - copying, copying);
    }

    private static Meter.Reading scanning(long wanted, long moved, long travelled, Comparing comparing) {
        return new Meter.Reading(Phase.SCANNING, 12, FILE, wanted, FILE, 0, moved, travelled, comparing, 0, 0);
    }
}
