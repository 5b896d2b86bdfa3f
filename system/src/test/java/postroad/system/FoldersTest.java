package postroad.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `postroad bench folders` in its smoke form, on the loopback: that it measures what it says, not how
/// fast.
final class FoldersTest {
    @TempDir
    private Path folder;

    @Test
    void measuresEveryProgramInEverySceneAndComparesTheTrees() throws Exception {
        Path json = folder.resolve("folders.json");

        Program.Outcome outcome = Program.run(
                folder.resolve("home"),
                "bench",
                "folders",
                "--quick",
                "--small",
                "--files",
                "60",
                "--peers",
                "rsync,rsync-ssh,ffsync",
                "--parallel",
                "1,2",
                "--ground",
                "disk",
                "--out-dir",
                folder.resolve("trees").toString(),
                "--json",
                json.toString());

        assertThat(outcome.status()).as(outcome.talk()).isZero();
        JsonNode found = new ObjectMapper().readTree(json.toFile());
        assertThat(found.path("files").asInt()).isEqualTo(60);
        assertThat(found.path("at").asText()).matches("20[0-9]{2}-.*Z");
        assertThat(found.path("load_before").asDouble()).isNotNegative();
        assertThat(found.path("commit").asText()).matches("[0-9a-f]{12}(\\+changes)?|unknown");
        for (String program : List.of("postroad K=1", "postroad K=2")) {
            for (String scene : List.of("fresh", "unchanged", "edited", "renamed")) {
                assertThat(seconds(found, program, scene))
                        .as(program + " " + scene)
                        .hasSize(1);
            }
        }
        for (String peer : List.of("rsync", "rsync-ssh", "ffsync")) {
            boolean isLeftOut = found.path("skipped").has(peer);
            boolean isMeasured = outcome.out().stream()
                    .anyMatch(line -> line.startsWith(peer) && !line.startsWith(peer + " is left out"));
            assertThat(isMeasured).as(peer).isNotEqualTo(isLeftOut);
        }
        assertThat(outcome.out()).anyMatch(line -> line.startsWith("postroad K=1") && line.endsWith("equal"));
        assertThat(folder.resolve("trees")).isEmptyDirectory();
    }

    private static List<Double> seconds(JsonNode found, String program, String scene) {
        return StreamSupport.stream(found.path("rows").spliterator(), false)
                .filter(row -> row.path("program").asText().equals(program)
                        && row.path("scene").asText().equals(scene))
                .flatMap(row -> StreamSupport.stream(row.path("seconds").spliterator(), false))
                .map(JsonNode::asDouble)
                .filter(seconds -> seconds > 0)
                .toList();
    }
}
