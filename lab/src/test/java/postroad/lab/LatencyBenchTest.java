package postroad.lab;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import postroad.lab.latency.LatencyPlan;
import postroad.lab.latency.LatencyReport;
import postroad.lab.latency.LatencyTrial;

/// The smoke form of `bench latency`.
@Timeout(180)
class LatencyBenchTest {
    @TempDir
    Path folder;

    private static LatencyPlan plan(String... words) {
        return LatencyBench.plan(new Arguments(List.of(words), LatencyBench.OPTIONS, LatencyBench.FLAGS));
    }

    private LatencyReport run(String... words) throws Exception {
        return new LatencyTrial(plan(words), folder, new PrintStream(new ByteArrayOutputStream(), true, UTF_8)).run();
    }

    private static String printed(LatencyReport report) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        report.print(new PrintStream(out, true, UTF_8));
        return out.toString(UTF_8);
    }

    @Test
    void theEvaluationsWordsAreTakenAsTheyAre() {
        LatencyPlan plan = plan("--latency", "--quick", "--seed", "42", "--parallel", "1,4,8", "--rtt-ms", "30");

        assertThat(plan.parallel()).containsExactly(1, 4, 8);
        assertThat(plan.files()).isEqualTo(100);
        assertThat(plan.rounds()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"arrival", "coalescing"})
    void everyStateIsMeasuredBesideAWireWithoutDelay(String wire) throws Exception {
        LatencyReport report = run(
                "--small",
                "--files",
                "60",
                "--parallel",
                "1,2",
                "--rtt-ms",
                "20",
                "--rounds",
                "2",
                "--state",
                "fresh,unchanged,edited,renamed",
                "--tls",
                "--wire",
                wire);

        Map<String, Object> data = report.data();
        // Four states, two ways of working, two Ks, with and without delay.
        assertThat((List<?>) data.get("rows")).hasSize(32);
        assertThat(printed(report))
                .contains("60 files", "wire: " + wire, "TLS inside", "median of 2")
                .contains("fresh, in flight default", "renamed, in flight 1 (lock-step)")
                .containsPattern(
                        "edited, in flight default: [0-9.]+ bytes on the wire, both ways, for each of the [0-9,]+ that");
    }

    @Test
    void inLockStepManyFilesWaitForTheWireManyTimes() throws Exception {
        LatencyReport report = run("--small", "--files", "40", "--parallel", "1", "--rtt-ms", "20", "--quick");
        List<?> rows = (List<?>) report.data().get("rows");

        // 40 files one after the other wait for a round trip each, however fast the machine is.
        assertThat(seconds(rows, 1, 20)).isGreaterThan(0.8);
    }

    private static double seconds(List<?> rows, Object inFlight, int rtt) {
        for (Object each : rows) {
            Map<?, ?> row = (Map<?, ?>) each;
            if (row.get("in_flight").equals(inFlight) && row.get("rtt_ms").equals(rtt)) {
                return (double) ((List<?>) row.get("seconds")).getFirst();
            }
        }
        throw new AssertionError("no such row");
    }

    @Test
    void aGivenTreeIsReadAndNothingIsLeftBehind() throws Exception {
        Path tree = Files.createDirectories(folder.resolve("given"));
        Files.writeString(tree.resolve("one"), "one");
        Path out = Files.createDirectory(folder.resolve("out"));
        LatencyPlan plan = plan("--fixture", tree.toString(), "--parallel", "1", "--quick", "--rtt-ms", "5");

        LatencyReport report =
                new LatencyTrial(plan, out, new PrintStream(new ByteArrayOutputStream(), true, UTF_8)).run();

        assertThat(report.data()).containsEntry("files", 1).containsEntry("bytes", 3L);
        try (Stream<Path> left = Files.list(out)) {
            assertThat(left).isEmpty();
        }
        assertThat(Files.readString(tree.resolve("one"))).isEqualTo("one");
    }

    @Test
    void wordsThatMakeNoSenseAreRefused() {
        assertThatThrownBy(() -> plan("--wire", "wet")).hasMessageContaining("arrival or coalescing");
        assertThatThrownBy(() -> plan("--parallel", "0")).hasMessageContaining("from 1 to 16");
        assertThatThrownBy(() -> plan("--parallel", "1,,2")).hasMessageContaining("whole numbers");
        assertThatThrownBy(() -> plan("--state", "new")).hasMessageContaining("fresh, unchanged, edited or renamed");
        assertThatThrownBy(() -> plan("--fast", "1")).hasMessageContaining("--fast");
    }
}
