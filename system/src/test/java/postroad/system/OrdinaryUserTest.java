package postroad.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import postroad.nostr.kit.Corpus;

/// What the program says to a user who may not write where it should, which root cannot see: run as nobody.
final class OrdinaryUserTest {
    private static final String NOBODY = "65534";

    @TempDir
    private Path folder;

    @BeforeEach
    void becomeNobody() throws Exception {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        assumeTrue(asNobody("true").status() == 0, "this user may not run a program as another");
        assumeTrue(
                asNobody("test", "-r", Program.JARS.toString()).status() == 0
                        && asNobody(System.getProperty("java.home") + "/bin/java", "-version")
                                        .status()
                                == 0,
                "nobody may not read where this program lies");
    }

    @Test
    void aHomeThatCannotBeWrittenIsNamed() throws Exception {
        Path home = Files.createDirectory(folder.resolve("home"));

        for (List<String> verb : List.of(List.of("up", "--listen", "127.0.0.1:0"), List.of("import", "/dev/null"))) {
            Tool.Outcome ended = postroad(home, verb);

            assertThat(ended.status()).as(ended.said()).isEqualTo(1);
            assertThat(ended.said())
                    .contains("cannot write to the home folder " + home + ": permission denied")
                    .contains("--home or POSTROAD_HOME")
                    .doesNotContain("\tat ");
        }
    }

    @Test
    void aHomeThatCannotBeMadeIsNamed() throws Exception {
        Path home = folder.resolve("not/there");

        Tool.Outcome ended = postroad(home, List.of("up", "--listen", "127.0.0.1:0"));

        assertThat(ended.status()).as(ended.said()).isEqualTo(1);
        assertThat(ended.said())
                .contains("cannot make the home folder " + home + ": permission denied for " + folder.resolve("not"))
                .doesNotContain("\tat ");
    }

    @Test
    void aStoreThatCannotBeWrittenIsNamedAndCanStillBeRead() throws Exception {
        Path home = folder.resolve("home");
        Path events = folder.resolve("events.jsonl");
        Corpus.writeJsonLines(events, 20, 3);
        Program.Outcome imported = Program.run(home, "import", events.toString());
        assertThat(imported.status()).as(imported.talk()).isZero();
        List<String> before = Program.run(home, "export").out();
        assertThat(before).isNotEmpty();
        // The home is nobody's own, the store in it is another's, to be read only.
        Tool.run("chown", NOBODY, home.toString());
        allow(home.resolve("store"));

        Tool.Outcome refused = postroad(home, List.of("up", "--listen", "127.0.0.1:0"));
        Tool.Outcome exported = postroad(home, List.of("export"));

        assertThat(refused.status()).as(refused.said()).isEqualTo(1);
        assertThat(refused.said())
                .contains("the store in " + home.resolve("store") + " can't be written: ")
                .contains("permission denied; give this user write access to the folder, or name another")
                .doesNotContain("\tat ");
        assertThat(exported.status()).as(exported.said()).isZero();
        assertThat(exported.said().lines().filter(line -> line.startsWith("{"))).containsExactlyElementsOf(before);
    }

    @Test
    void aHomeThatMayNotBeSearchedIsNotSaidToBeEmpty() throws Exception {
        Path home = folder.resolve("home");
        assertThat(Program.run(home, "import", "/dev/null").status()).isZero();

        for (List<String> verb : List.of(List.of("info"), List.of("export"), List.of("backup", "copy"))) {
            Tool.Outcome ended = postroad(home, verb);

            assertThat(ended.status()).as(ended.said()).isEqualTo(1);
            assertThat(ended.said()).contains("cannot read the home folder " + home + ": permission denied");
        }
        Tool.Outcome config = postroad(home, List.of("config", "--effective"));
        assertThat(config.status()).as(config.said()).isZero();
        assertThat(config.said()).contains("warning: cannot read the home folder " + home + ": permission denied");
    }

    @Test
    void whatRootImportsIsTheOwnersOfTheHome() throws Exception {
        Path home = Files.createDirectory(folder.resolve("home"));
        Tool.run("chown", NOBODY + ":" + NOBODY, home.toString());

        Program.Outcome imported = Program.run(home, "import", "/dev/null");
        Tool.Outcome again = postroad(home, List.of("import", "/dev/null"));
        Tool.run("chown", "0:0", home.resolve("store/lock").toString());
        Tool.Outcome refused = postroad(home, List.of("import", "/dev/null"));

        assertThat(imported.status()).as(imported.talk()).isZero();
        assertThat(again.status()).as(again.said()).isZero();
        assertThat(refused.status()).as(refused.said()).isEqualTo(1);
        assertThat(refused.said())
                .contains(home.resolve("store/lock") + ": permission denied; it belongs to root")
                .contains("or delete it if no process has the store open");
    }

    /// Lets everybody read what is there, and nobody but its owner write.
    private static void allow(Path root) throws IOException {
        try (Stream<Path> paths = Files.walk(root)) {
            for (Path path : paths.toList()) {
                Files.setPosixFilePermissions(
                        path, PosixFilePermissions.fromString(Files.isDirectory(path) ? "rwxr-xr-x" : "rw-r--r--"));
            }
        }
    }

    private static Tool.Outcome postroad(Path home, List<String> words) throws InterruptedException {
        List<String> command = new ArrayList<>(List.of("env", "POSTROAD_HOME=" + home));
        command.addAll(Program.command());
        command.addAll(words);
        return asNobody(command.toArray(String[]::new));
    }

    private static Tool.Outcome asNobody(String... command) throws InterruptedException {
        List<String> line =
                new ArrayList<>(List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups", "--"));
        line.addAll(List.of(command));
        return Tool.run(line);
    }
}
