package postroad.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import postroad.lab.crash.Loss;
import postroad.lab.crash.PowerLoss;
import postroad.lab.crash.Recorder;

/// The store under power cuts, in short; `postroad bench crash` is the long form.
final class PowerLossTest {
    private static final long SEED = 30_11;
    private static final int POINTS = 100;

    @TempDir
    private Path scratch;

    private Recorder recorder;

    @BeforeEach
    void compile() throws Exception {
        Optional<Recorder> compiled = Recorder.compile(scratch);
        assumeTrue(compiled.isPresent(), "no C compiler here: what a store writes cannot be recorded");
        recorder = compiled.orElseThrow();
    }

    @Test
    void whatWasAcknowledgedSurvivesAPowerCut() throws Exception {
        PowerLoss trial = PowerLoss.record(recorder, scratch, SEED, 60, true);

        PowerLoss.Report report = trial.judge(POINTS);

        assertThat(report.batches()).isEqualTo(60);
        assertThat(report.images()).containsOnlyKeys(Loss.values());
        assertThat(report.images().values().stream().mapToInt(Integer::intValue).sum())
                .isEqualTo(POINTS);
    }

    @Test
    void aStoreThatDoesNotSyncIsCaught() throws Exception {
        PowerLoss trial = PowerLoss.record(recorder, scratch, SEED, 40, false);

        assertThatThrownBy(() -> trial.judge(POINTS)).hasMessageContaining("power cut at operation");
    }
}
