package postroad.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import postroad.lab.process.Child;

/// The launcher's builds, in a checkout of its own with a Maven that only pretends: it links the jars that are there.
final class LauncherTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static final String MAVEN = """
            #!/bin/sh
            for word; do case $word in -Dlib.folder=*) lib=${word#*=} ;; esac; done
            mkdir -p "$lib"
            ln -s "$JARS"/*.jar "$lib"
            case ${MAVEN_DOES:-} in
                fail)
                    echo "[ERROR] COMPILATION ERROR : "
                    echo "[ERROR] Some.java:[1,2] error: no such thing"
                    echo "[ERROR] Failed to execute goal org.apache.maven.plugins:maven-compiler-plugin:3: Compilation failure"
                    echo "[ERROR] Some.java:[1,2] error: no such thing"
                    echo "[ERROR] -> [Help 1]"
                    echo "[ERROR] "
                    echo "[ERROR] Re-run Maven using the -X switch to enable full debug logging."
                    echo "[ERROR]   mvn <args> -rf :app"
                    exit 1 ;;
                miss) echo "[ERROR] Could not transfer artifact a:b:jar:1 from/to c: Unknown host"; exit 1 ;;
                last) until [ "$(wc -l <"$NAPS" 2>/dev/null || echo 0)" -ge 3 ]; do /bin/sleep 0.05; done ;;
                end) kill -TERM $PPID; exit 1 ;;
            esac
            """;

    /// Time passes at once for whoever sleeps, three times.
    private static final String SLEEP = """
            #!/bin/sh
            [ -n "${NAPS:-}" ] || exec /bin/sleep "$@"
            echo "$@" >>"$NAPS"
            [ "$(wc -l <"$NAPS")" -lt 4 ] || exec /bin/sleep 60
            """;

    /// The real Java, but for the run that makes a start-up cache: that fails, or ends the launcher like Ctrl-C.
    private static final String JAVA = """
            #!/bin/sh
            case "$*" in *AOTCacheOutput*)
                [ "${TRAINING_DOES:-}" = end ] && kill -TERM $PPID
                exit 1 ;;
            esac
            exec "$JAVA" "$@"
            """;

    @TempDir
    private Path folder;

    private Path root;
    private Path source;
    private Path bin;
    private Path jdk;
    private int edits;

    @BeforeEach
    void prepare() throws Exception {
        assumeTrue(Files.isDirectory(Program.JARS), "the program is not packaged: run the tests with `./check`");
        root = Files.createDirectory(folder.resolve("a checkout"));
        bin = Files.createDirectory(folder.resolve("bin"));
        jdk = Files.createDirectories(folder.resolve("jdk/bin")).getParent();
        Files.createDirectories(root.resolve("scripts"));
        Files.copy(Program.ROOT.resolve("postroad"), root.resolve("postroad"));
        Files.copy(Program.ROOT.resolve("scripts/jdk.sh"), root.resolve("scripts/jdk.sh"));
        makeExecutable(root.resolve("postroad"));
        script(bin.resolve("mvn"), MAVEN);
        script(bin.resolve("sleep"), SLEEP);
        script(jdk.resolve("bin/java"), JAVA);
        script(jdk.resolve("bin/javac"), "");
        Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"25.0.1\"\n");
        for (String module : List.of("common", "wire", "nostr", "sync", "lab", "app")) {
            Files.createDirectories(root.resolve(module).resolve("src/main/java"));
        }
        Files.writeString(root.resolve("pom.xml"), "");
        source = Files.writeString(root.resolve("app/src/main/java/Some.java"), "");
    }

    private static void script(Path file, String text) throws IOException {
        Files.writeString(file, text);
        makeExecutable(file);
    }

    private static void makeExecutable(Path file) throws IOException {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private ProcessBuilder launch(Map<String, String> environment, String... words) {
        List<String> line = new ArrayList<>(List.of(root.resolve("postroad").toString()));
        line.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(line).redirectInput(new File("/dev/null"));
        Map<String, String> all = builder.environment();
        all.put("PATH", bin + File.pathSeparator + all.get("PATH"));
        all.put("POSTROAD_JDK", jdk.toString());
        all.put("POSTROAD_HOME", folder.resolve("home").toString());
        all.put("JAVA", Path.of(System.getProperty("java.home"), "bin", "java").toString());
        all.put("JARS", Program.JARS.toString());
        all.put("POSTROAD_AOT", "off");
        all.putAll(environment);
        return builder;
    }

    private record Outcome(int status, String talk) {}

    private Outcome run(Map<String, String> environment) throws Exception {
        try (Child child = Child.start(launch(environment, "--version"))) {
            int status = child.await(PATIENCE);
            return new Outcome(status, child.talk());
        }
    }

    private Outcome run() throws Exception {
        return run(Map.of());
    }

    /// Edits a source, a second after the last time.
    private void edit() throws IOException {
        edits++;
        Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(edits)));
    }

    private String program() throws IOException {
        return Files.readString(root.resolve("app/target/program")).strip();
    }

    private List<String> builds() throws IOException {
        try (Stream<Path> names = Files.list(root.resolve("app/target"))) {
            return names.map(name -> name.getFileName().toString())
                    .filter(name -> name.startsWith("dist"))
                    .sorted()
                    .toList();
        }
    }

    private void settle() throws IOException {
        Files.setLastModifiedTime(source, FileTime.from(Instant.now().minusSeconds(60)));
    }

    @Test
    void buildsOnceAndAgainWhenASourceChanged() throws Exception {
        assertThat(run()).satisfies(first -> {
            assertThat(first.status()).as(first.talk()).isZero();
            assertThat(first.talk()).contains("postroad: building");
        });
        assertThat(run()).isEqualTo(new Outcome(0, ""));
        edit();

        assertThat(run().talk()).contains("postroad: building");

        settle();
        assertThat(run()).isEqualTo(new Outcome(0, ""));
        assertThat(program()).isEqualTo("dist-2");
    }

    @Test
    void aBuildThatFailsSaysSoAndKeepsTheOldProgram() throws Exception {
        run();
        edit();

        Outcome failed = run(Map.of("MAVEN_DOES", "fail"));

        assertThat(failed.status()).isEqualTo(1);
        assertThat(failed.talk())
                .containsOnlyOnce("[ERROR] ")
                .containsOnlyOnce("[ERROR] Some.java:[1,2] error: no such thing\n")
                .contains("postroad: the build failed; all of its output is in ")
                .contains("POSTROAD_BUILD=off")
                .doesNotContain("network");
        assertThat(builds()).containsExactly(program());
        assertThat(run(Map.of("POSTROAD_BUILD", "off"))).isEqualTo(new Outcome(0, ""));
        assertThat(run().talk()).contains("postroad: building");
    }

    @Test
    void aFirstBuildThatFailsLeavesNothingThatLooksBuilt() throws Exception {
        Outcome failed = run(Map.of("MAVEN_DOES", "miss"));

        assertThat(failed.status()).isEqualTo(1);
        assertThat(failed.talk())
                .contains("Maven could not fetch what it needs")
                .contains("need a network")
                .doesNotContain("POSTROAD_BUILD=off");
        assertThat(builds()).isEmpty();
        assertThat(run(Map.of("POSTROAD_BUILD", "off")).talk()).contains("nothing is built");
    }

    @Test
    void aBuildThatIsInterruptedKeepsTheOldProgram() throws Exception {
        run();
        String before = program();
        edit();

        Outcome interrupted = run(Map.of("MAVEN_DOES", "end"));

        assertThat(interrupted.status()).isEqualTo(143);
        assertThat(program()).isEqualTo(before);
        assertThat(builds()).containsExactly(before);
        assertThat(root.resolve("app/target/building")).doesNotExist();
        assertThat(run(Map.of("POSTROAD_BUILD", "off"))).isEqualTo(new Outcome(0, ""));
    }

    @Test
    void aLongBuildSaysThatItGoesOn() throws Exception {
        Outcome outcome =
                run(Map.of("MAVEN_DOES", "last", "NAPS", folder.resolve("naps").toString()));

        assertThat(outcome.status()).as(outcome.talk()).isZero();
        assertThat(outcome.talk())
                .contains("postroad: still building (20 s; mvn's output: ")
                .contains("postroad: still building (40 s; mvn's output: ");
        assertThat(Files.readAllLines(folder.resolve("naps"))).containsOnly("20");
    }

    @Test
    void anInterruptionWhileCachesAreMadeCostsOnlyThatStep() throws Exception {
        Outcome interrupted = run(Map.of("POSTROAD_AOT", "on", "TRAINING_DOES", "end"));

        assertThat(interrupted.status()).isEqualTo(143);
        assertThat(program()).isEqualTo("dist-1");
        Outcome next = run(Map.of("POSTROAD_AOT", "on"));
        assertThat(next.status()).isZero();
        assertThat(next.talk())
                .doesNotContain("postroad: building")
                .contains("postroad: preparing the start-up caches")
                .contains("no start-up cache for 'node'");
        assertThat(run(Map.of("POSTROAD_AOT", "on"))).isEqualTo(new Outcome(0, ""));
    }

    @Test
    void aRunningNodeKeepsItsJarsThroughEveryBuild() throws Exception {
        try (Child node = Child.start(launch(Map.of(), "up", "--listen", "127.0.0.1:0"))) {
            node.awaitLine("relay ", PATIENCE);
            String its = program();
            edit();
            run();
            edit();
            run();

            assertThat(builds()).contains(its, program()).hasSize(3);
            node.terminate();
            assertThat(node.await(PATIENCE)).as(node.talk()).isZero();
            edit();
            run();
            assertThat(builds()).hasSize(2).contains(program()).doesNotContain(its);
        }
    }

    @Test
    void aFolderOfJarsIsRunAsItIs() throws Exception {
        Outcome outcome = run(new HashMap<>(Map.of("POSTROAD_LIB", Program.JARS.toString(), "POSTROAD_AOT", "on")));

        assertThat(outcome).isEqualTo(new Outcome(0, ""));
        assertThat(root.resolve("app/target")).doesNotExist();
    }
}
