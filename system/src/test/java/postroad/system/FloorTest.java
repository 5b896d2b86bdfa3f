package postroad.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import postroad.lab.process.Node;

/// `postroad bench floor` in its smoke form, with a second node as the peer: that it measures what it says,
/// not how fast.
final class FloorTest {
    private static final String SHORT = "author, ~21 rows";
    private static final String LONG = "recent, 500 rows";

    @TempDir
    private Path folder;

    @Test
    void measuresEveryRowAndVoidsThoseThatThePeerAnswersDifferently() throws Exception {
        List<String> meagre = new ArrayList<>(List.of("env", "POSTROAD_LIMITS_MAX_LIMIT=100"));
        meagre.addAll(Program.command());
        Path json = folder.resolve("floor.json");

        Program.Outcome outcome;
        String peer;
        try (Node node = Node.start(meagre, folder.resolve("peer"), List.of())) {
            peer = "peer " + node.address().getPort();
            outcome = Program.run(
                    folder.resolve("home"),
                    "bench",
                    "floor",
                    "--quick",
                    "--events",
                    "2000",
                    "--corpora",
                    folder.resolve("corpora").toString(),
                    "--peer",
                    node.url(),
                    "--json",
                    json.toString());
        }

        assertThat(outcome.status()).as(outcome.talk()).isZero();
        JsonNode found = new ObjectMapper().readTree(json.toFile());
        for (String column : List.of("A store query", "B + live machinery", "C + session dispatch")) {
            assertThat(count(found, "stages", SHORT, column)).isEqualTo(20);
            assertThat(count(found, "stages_plain", SHORT, column)).isEqualTo(20);
        }
        assertThat(count(found, "wire", "echo, 22 frames", "echo")).isEqualTo(40);
        for (String column : List.of("postroad", peer)) {
            assertThat(count(found, "wire", SHORT, column)).isEqualTo(40);
            assertThat(count(found, "wire", "NOTICE", column)).isEqualTo(40);
            assertThat(count(found, "ingest", "EVENT to OK, 500 in flight", column))
                    .isEqualTo(2000);
            assertThat(count(found, "fan_out", "live, one event to all subscribers", column))
                    .isPositive();
            assertThat(found.at("/ingest_outcomes/" + column + "/refused").asInt())
                    .isZero();
            assertThat(found.at("/ingest_outcomes/" + column + "/cpuMicros").asDouble())
                    .isPositive();
        }
        assertThat(found.at("/wire/rows").get(SHORT).has("void")).isFalse();
        assertThat(found.at("/wire/rows").get(LONG).path("void").asText()).contains(peer, "differently");
        assertThat(found.path("goals").findValuesAsText("measure"))
                .anyMatch(measure -> measure.startsWith(SHORT) && measure.endsWith("against the peer"))
                .noneMatch(measure -> measure.startsWith(LONG));
        assertThat(outcome.out()).anyMatch(line -> line.startsWith(LONG) && line.contains("VOID"));
        assertThat(outcome.out().getLast()).contains("goals are met");
    }

    private static int count(JsonNode found, String table, String row, String column) {
        return found.path(table)
                .path("rows")
                .path(row)
                .path(column)
                .path("count")
                .asInt();
    }
}
