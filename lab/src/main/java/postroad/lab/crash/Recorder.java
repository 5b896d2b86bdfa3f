package postroad.lab.crash;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import postroad.lab.process.SearchPath;

/// The preloaded library that writes down a process's effects on the files of one folder, compiled here and
/// now from `record.c` by the machine's C compiler.
public final class Recorder {
    private static final List<String> COMPILERS = List.of("cc", "gcc", "clang");

    private final Path library;

    private Recorder(Path library) {
        this.library = library;
    }

    /// Compiles it into `folder`; empty on a machine that has no C compiler, or is no Linux.
    public static Optional<Recorder> compile(Path folder) throws IOException, InterruptedException {
        Optional<String> compiler = compiler();
        if (compiler.isEmpty() || !System.getProperty("os.name").equals("Linux")) {
            return Optional.empty();
        }
        Path source = folder.resolve("record.c");
        Path library = folder.resolve("record.so");
        try (InputStream in = Recorder.class.getResourceAsStream("record.c")) {
            Files.write(source, in.readAllBytes());
        }
        Path output = folder.resolve("record.out");
        Process process = new ProcessBuilder(
                        compiler.get(),
                        "-O1",
                        "-fPIC",
                        "-shared",
                        "-o",
                        library.toString(),
                        source.toString(),
                        "-ldl",
                        "-lpthread")
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
            process.destroyForcibly();
            throw new IOException("the C compiler failed on record.c: " + Files.readString(output));
        }
        return Optional.of(new Recorder(library));
    }

    /// Makes the processes of `builder` record their effects on the files of `folder` in `log`. What such a
    /// process writes to the file `marks` stands in the log as marks.
    public void preload(ProcessBuilder builder, Path folder, Path log, Path marks) {
        Map<String, String> environment = builder.environment();
        environment.put("LD_PRELOAD", library.toString());
        environment.put("POSTROAD_RECORD_DIR", folder.toAbsolutePath().toString());
        environment.put("POSTROAD_RECORD_LOG", log.toAbsolutePath().toString());
        environment.put("POSTROAD_RECORD_ACK", marks.toAbsolutePath().toString());
    }

    private static Optional<String> compiler() {
        return COMPILERS.stream().filter(SearchPath::has).findFirst();
    }
}
