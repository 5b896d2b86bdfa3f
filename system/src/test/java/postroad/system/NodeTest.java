package postroad.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import postroad.lab.crash.Kills;
import postroad.lab.process.Node;
import postroad.nostr.core.Event;
import postroad.nostr.kit.Corpus;
import postroad.nostr.kit.ModelStore;

/// A node as a process, behind the launcher.
final class NodeTest {
    private static final int KILLS = 12;

    @TempDir
    private Path folder;

    @Test
    void losesNothingWhenItIsKilledADozenTimes() throws Exception {
        Kills.Report report = new Kills(Program.command(), folder, 30_11, line -> {}).run(KILLS);

        assertThat(report.kills()).isEqualTo(KILLS);
        assertThat(report.acknowledged()).isGreaterThan(KILLS);
    }

    @Test
    void exportsTheSameRunningOrStopped() throws Exception {
        Path home = folder.resolve("home");
        List<Event> events = new ArrayList<>(Corpus.traffic(5).take(1_500));
        events.addAll(Corpus.tangle(6).take(500));
        Path lines = folder.resolve("events.jsonl");
        Files.write(lines, events.stream().map(Event::json).toList());

        List<String> running;
        Path copy = folder.resolve("copy/store");
        try (Node node = Node.start(Program.command(), home, List.of())) {
            Program.Outcome imported = Program.run(home, "import", lines.toString());
            assertThat(imported.status()).as(imported.talk() + imported.out()).isIn(0, 3);
            running = Program.run(home, "export").out();
            Files.createDirectories(copy.getParent());
            Program.Outcome backup = Program.run(home, "backup", copy.toString());
            assertThat(backup.status()).as(backup.talk()).isZero();
            assertThat(node.stop()).isZero();
        }

        assertThat(running).containsExactlyInAnyOrderElementsOf(byTheRules(events));
        assertThat(Program.run(home, "export").out()).isEqualTo(running);
        assertThat(Program.run(folder.resolve("copy"), "export").out()).isEqualTo(running);
    }

    @Test
    void importsTheSameInAnyOrderAndAnyNumberOfTimes() throws Exception {
        List<String> lines = new ArrayList<>(
                Corpus.tangle(7).take(1_000).stream().map(Event::json).toList());
        Path forth = Files.write(folder.resolve("forth.jsonl"), lines);
        Path back = Files.write(folder.resolve("back.jsonl"), lines.reversed());

        Program.run(folder.resolve("one"), "import", forth.toString());
        Program.run(folder.resolve("one"), "import", forth.toString());
        Program.run(folder.resolve("two"), "import", back.toString());

        assertThat(Program.run(folder.resolve("one"), "export").out())
                .isNotEmpty()
                .isEqualTo(Program.run(folder.resolve("two"), "export").out());
    }

    @Test
    void takesFilesWhoseNamesTheLocaleCouldNotSpell() throws Exception {
        // The name is made by the shell, so that it does not matter how this test's own JVM would encode it.
        String script = "file=$(printf '%s/\\303\\274 x.jsonl' \"$1\"); : >\"$file\"; shift; \"$@\" import \"$file\"";
        List<String> line = new ArrayList<>(List.of("sh", "-c", script, "sh", folder.toString()));
        line.addAll(Program.command());
        ProcessBuilder builder = new ProcessBuilder(line).redirectErrorStream(true);
        builder.environment().put("LC_ALL", "C");
        builder.environment().put("POSTROAD_HOME", folder.resolve("home").toString());

        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).as(said).isZero();
        assertThat(said).contains("read").doesNotContain("no file can have the name");
    }

    @Test
    void refusesASecondNodeOnTheSameHome() throws Exception {
        Path home = folder.resolve("home");
        try (Node node = Node.start(Program.command(), home, List.of())) {
            Program.Outcome second = Program.run(home, "up", "--listen", "127.0.0.1:0");

            assertThat(second.status()).isEqualTo(1);
            assertThat(second.talk()).contains(Long.toString(node.process().pid()));
            assertThat(node.stop()).isZero();
        }
    }

    @Test
    void endsWithStatusZeroWhenAsked() throws Exception {
        try (Node node = Node.start(Program.command(), folder.resolve("home"), List.of())) {
            assertThat(node.stop()).as(node.process().talk()).isZero();
        }
    }

    private static List<String> byTheRules(List<Event> events) {
        ModelStore model = new ModelStore(Set.of());
        long now = Instant.now().getEpochSecond();
        events.forEach(event -> model.write(event, now));
        return model.rows().stream().map(row -> row.event().json()).toList();
    }
}
