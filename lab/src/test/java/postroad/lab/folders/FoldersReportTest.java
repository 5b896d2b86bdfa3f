package postroad.lab.folders;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import postroad.lab.sync.TreeShape;
import postroad.lab.sync.TreeState;

class FoldersReportTest {
    private static final Line NEAR = new Line(30, 0, 1000, "cubic", false);
    private static final Line FAR = new Line(150, 0, 1000, "cubic", false);
    private static final Line FAR_AND_LOSSY = new Line(150, 0.1, 1000, "cubic", false);

    private final Ground ground = new Ground("in memory", Path.of("unused"));

    private FoldersReport report() {
        return new FoldersReport(new FoldersPlan(
                List.of("postroad"),
                Optional.empty(),
                List.of(NEAR, FAR, FAR_AND_LOSSY),
                List.of("rsync"),
                List.of(4),
                List.of(TreeState.FRESH),
                List.of(ground),
                3,
                42,
                100,
                TreeShape.TINY,
                Optional.empty(),
                Duration.ofSeconds(1)));
    }

    private void add(FoldersReport report, Line line, String program, long... millis) {
        for (long each : millis) {
            report.add(new Row(ground, line, program, TreeState.FRESH), Duration.ofMillis(each), "equal");
        }
    }

    @Test
    void theSlopeIsWhatASessionTakesLongerOverWhatARoundTripDoes() {
        FoldersReport report = report();
        add(report, NEAR, "postroad", 800, 830, 9_000);
        add(report, FAR, "postroad", 1_310, 1_290, 1_500);
        add(report, FAR_AND_LOSSY, "postroad", 10_000, 10_000, 10_000);

        assertThat(report.conclusions())
                .containsExactly("in memory, postroad, fresh: 4.0 round trips from 30 ms, 1000 Mbit/s, loss 0 %, cubic,"
                        + " buffers up to 64 MB to 150 ms");
    }

    @Test
    void ratiosAreTakenRoundByRound() {
        FoldersReport report = report();
        add(report, FAR_AND_LOSSY, "postroad", 500, 1_000, 4_000);
        add(report, FAR_AND_LOSSY, "rsync", 1_000, 2_000, 2_000);

        assertThat(report.conclusions())
                .containsExactly(ground.word() + ", " + FAR_AND_LOSSY + ", fresh: postroad takes 0.50 of rsync");
    }
}
