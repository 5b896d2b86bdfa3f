package postroad.sync.folder;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/// A second process that has an index open: run by [#main], started by [#start].
final class IndexProcess implements AutoCloseable {
    private final Process process;

    private IndexProcess(Process process) {
        this.process = process;
    }

    /// Remembers one file after the other until it is told to stop by a line, and says so by lines.
    static IndexProcess start(Path home, Path root) throws IOException {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+UseSerialGC",
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                IndexProcess.class.getName(),
                home.toString(),
                root.toString());
        return new IndexProcess(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    /// Waits until it has written some.
    String line() throws IOException {
        String line = process.inputReader(StandardCharsets.UTF_8).readLine();
        return line == null ? "" : line;
    }

    void stop() throws IOException, InterruptedException {
        process.outputWriter(StandardCharsets.UTF_8).append("stop\n").flush();
        process.waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }

    public static void main(String[] args) throws Exception {
        Path home = Path.of(args[0]);
        try (Tree tree = Tree.open(Workshop.bytes(Path.of(args[1])));
                ChunkMemory memory = ChunkIndex.open(home, tree, note -> System.err.println(note))) {
            for (int i = 0; System.in.available() == 0; i++) {
                memory.remember(Workshop.path("p" + i), Rows.version(1_000_000 + i, 1, 1), Rows.recipe(1_000_000 + i));
                ((ChunkIndex) memory).flush();
                if (i == 20) {
                    System.out.println("wrote");
                }
            }
        }
    }
}
