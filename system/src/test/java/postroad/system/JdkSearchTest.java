package postroad.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// How the launcher and `check` find JDK 25, and what they say where there is none.
final class JdkSearchTest {
    /// The folders of this machine are left out, since it surely has a JDK 25 in one of them.
    private static final String SCRIPT =
            ". \"$1\"; find_in_usual_folders() { return 1; }; require_jdk_25; echo \"found $jdk\"";

    @TempDir
    private Path folder;

    private Path path;

    @BeforeEach
    void prepare() throws Exception {
        path = Files.createDirectory(folder.resolve("bin"));
    }

    private record Outcome(int status, String said) {}

    private Outcome search(Map<String, String> environment) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(List.of(
                        "/bin/sh",
                        "-c",
                        SCRIPT,
                        "sh",
                        Program.ROOT.resolve("scripts/jdk.sh").toString()))
                .redirectErrorStream(true);
        builder.environment().clear();
        builder.environment().put("PATH", path.toString());
        builder.environment().put("HOME", folder.toString());
        builder.environment().putAll(environment);
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Outcome(process.waitFor(), said);
    }

    private Path jdk(String name, String version) throws Exception {
        Path jdk = Files.createDirectories(folder.resolve(name).resolve("bin")).getParent();
        Files.writeString(jdk.resolve("release"), "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"" + version + "\"\n");
        for (String tool : List.of("java", "javac")) {
            Path file = Files.createFile(jdk.resolve("bin").resolve(tool));
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        return jdk;
    }

    @Test
    void saysThatThereIsNoneAndWhatToDo() throws Exception {
        Outcome outcome = search(Map.of());

        assertThat(outcome.status()).isEqualTo(1);
        assertThat(outcome.said())
                .startsWith("postroad: no JDK 25 found.\n")
                .contains("Install one")
                .contains("POSTROAD_JDK");
    }

    @ParameterizedTest
    @ValueSource(strings = {"25", "25.0.1", "25-ea"})
    void takesEveryRelease(String version) throws Exception {
        Path jdk = jdk("a jdk", version);

        assertThat(search(Map.of("JAVA_HOME", jdk.toString()))).isEqualTo(new Outcome(0, "found " + jdk + "\n"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"24.0.2", "250", "1.8.0_25", "26"})
    void passesOtherVersionsBy(String version) throws Exception {
        assertThat(search(Map.of("JAVA_HOME", jdk("other", version).toString())).status())
                .isEqualTo(1);
    }

    @Test
    void findsTheOneOnThePathBehindItsLinks() throws Exception {
        Path jdk = jdk("linked", "25.0.2");
        Files.createSymbolicLink(path.resolve("java"), jdk.resolve("bin/java"));
        // The one tool that the search itself needs.
        Files.createSymbolicLink(
                path.resolve("readlink"),
                Files.exists(Path.of("/usr/bin/readlink")) ? Path.of("/usr/bin/readlink") : Path.of("/bin/readlink"));

        assertThat(search(Map.of()).said()).isEqualTo("found " + jdk.toRealPath() + "\n");
    }

    @Test
    void takesTheOneThatWasAskedForBeforeAnyOther() throws Exception {
        Path asked = jdk("asked", "25.0.3");

        Outcome outcome = search(Map.of(
                "POSTROAD_JDK",
                asked.toString(),
                "JAVA_HOME",
                jdk("other", "25.0.4").toString()));

        assertThat(outcome).isEqualTo(new Outcome(0, "found " + asked + "\n"));
    }

    @Test
    void refusesTheOneThatWasAskedForWhenItIsAnother() throws Exception {
        Path asked = jdk("asked", "21.0.1");

        Outcome outcome = search(Map.of(
                "POSTROAD_JDK",
                asked.toString(),
                "JAVA_HOME",
                jdk("right", "25.0.1").toString()));

        assertThat(outcome.status()).isEqualTo(1);
        assertThat(outcome.said())
                .startsWith("postroad: $POSTROAD_JDK is " + asked + ", which is no JDK 25.\n")
                .contains("unset it");
    }
}
