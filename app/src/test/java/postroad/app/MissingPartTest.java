package postroad.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import postroad.app.transfer.Compression;
import postroad.common.NativeLibrary;
import postroad.nostr.kit.Corpus;

/// What the program says on a machine for which a native part is not there.
class MissingPartTest {
    @TempDir
    Path folder;

    private record Ended(int status, String said) {}

    /// Runs the program as a process without the class-path entries that contain `missing`.
    private Ended run(String missing, String... words) throws Exception {
        return run(missing, List.of(), words);
    }

    private Ended run(String missing, List<String> javaOptions, String... words) throws Exception {
        String classPath = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(entry -> !entry.contains(missing))
                .collect(Collectors.joining(File.pathSeparator));
        Path output = folder.resolve("output");
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED"));
        command.addAll(javaOptions);
        command.addAll(List.of("-cp", classPath, "postroad.app.Main"));
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

    /// Without the library's classes, and with classes whose native part cannot be put where it would be loaded from.
    @ParameterizedTest
    @CsvSource({"zstd-jni, -Dnothing=is-wrong", "no-such-jar, -DZstdTempFolder=/no/such/folder"})
    void anImportOfAZstandardFileSaysThatTheLibraryIsMissingAndEnds(String jar, String option) throws Exception {
        Path packed = packed("events.jsonl.zst");

        Ended ended = run(jar, List.of(option), "import", packed.toString());

        assertThat(ended.status()).isEqualTo(1);
        assertThat(ended.said())
                .contains(
                        "postroad import: ",
                        "events.jsonl.zst: the native library zstd does not load for " + NativeLibrary.platform(),
                        "zstd -dc",
                        "Tried:")
                .doesNotContain("\tat ");
    }

    @Test
    void anExportToAZstandardFileSaysItToo() throws Exception {
        run("no-such-jar", "import", packed("events.jsonl.gz").toString());

        Ended ended =
                run("zstd-jni", "export", "-o", folder.resolve("out.jsonl.zst").toString());

        assertThat(ended.status()).isEqualTo(1);
        assertThat(ended.said())
                .contains("postroad export: ", "the native library zstd does not load", ".gz")
                .doesNotContain("\tat ");
    }

    private Path packed(String name) throws Exception {
        Path plain = folder.resolve("plain.jsonl");
        Corpus.writeJsonLines(plain, 5, 1);
        Path packed = folder.resolve(name);
        try (OutputStream out = Compression.pack(name, Files.newOutputStream(packed))) {
            Files.copy(plain, out);
        }
        return packed;
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
