package postroad.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import postroad.common.NativeLibrary;
import postroad.nostr.kit.Corpus;

/// What the program says on a machine for which a native part is not there.
class MissingPartTest {
    @TempDir
    Path folder;

    private record Ended(int status, String said) {}

    /// Runs the program as a process without the class-path entries that contain `missing`.
    private Ended run(String missing, String... words) throws Exception {
        String classPath = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(entry -> !entry.contains(missing))
                .collect(Collectors.joining(File.pathSeparator));
        Path output = folder.resolve("output");
        var command = new java.util.ArrayList<>(java.util.List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                classPath,
                "postroad.app.Main"));
        command.addAll(Arrays.asList(words));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectInput(new File("/dev/null"))
                .redirectOutput(output.toFile());
        builder.environment().put("POSTROAD_HOME", folder.resolve("home").toString());
        Process process = builder.start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("ended").isTrue();
        } finally {
            process.destroyForcibly();
        }
        return new Ended(process.exitValue(), Files.readString(output));
    }

    @ParameterizedTest
    @CsvSource({"lmdbjava-native, lmdb", "secp256k1-kmp-jni, secp256k1"})
    void theStartSaysPlainlyWhichPartIsMissing(String jar, String part) throws Exception {
        // A home that holds a store already is not tried for its address first.
        Files.createDirectories(folder.resolve("home").resolve("store"));
        // An address that no machine has, so that it ends even where the system has a library of its own.
        Ended ended = run(jar, "up", "--listen", "192.0.2.1:7447");

        assertThat(ended.status()).isEqualTo(1);
        assertThat(ended.said()).doesNotContain("\tat ");
        assumeThat(ended.said()).doesNotContain("this machine has no such address");
        assertThat(ended.said())
                .startsWith("postroad up: the native library " + part)
                .contains(NativeLibrary.platform());
    }

    @Test
    void anImportSaysItToo() throws Exception {
        Path events = folder.resolve("events.jsonl");
        Corpus.writeJsonLines(events, 5, 1);

        Ended ended = run("secp256k1-kmp-jni", "import", events.toString());

        assertThat(ended.status()).isIn(0, 1);
        assertThat(ended.said()).doesNotContain("\tat ");
    }
}
