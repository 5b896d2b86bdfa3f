package postroad.nostr.store;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import postroad.nostr.core.Event;

/// A second process that has a store open, for what one process can't show: run by [#main], steered by [#start].
final class StoreProcess implements AutoCloseable {
    private final Process process;
    private final BufferedReader out;

    private StoreProcess(Process process) {
        this.process = process;
        this.out = process.inputReader(StandardCharsets.UTF_8);
    }

    /// Starts `verb` on a folder: `hold` or `write`.
    static StoreProcess start(String verb, Path folder, List<String> environment) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+UseSerialGC",
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                StoreProcess.class.getName(),
                verb,
                folder.toString()));
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        for (String one : environment) {
            builder.environment().put(one.substring(0, one.indexOf('=')), one.substring(one.indexOf('=') + 1));
        }
        return new StoreProcess(builder.start());
    }

    /// The next line it says, empty when it has ended.
    String line() throws IOException {
        String line = out.readLine();
        return line == null ? "" : line;
    }

    long pid() {
        return process.pid();
    }

    void say(String line) throws IOException {
        process.outputWriter(StandardCharsets.UTF_8).append(line).append('\n').flush();
    }

    /// Kills it with no chance to tidy up, and returns what it had said before.
    List<String> kill() throws IOException, InterruptedException {
        // By its handle: Process.destroyForcibly would close the pipe that we still want to read.
        process.toHandle().destroyForcibly();
        List<String> said = new ArrayList<>();
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            said.add(line);
        }
        process.waitFor();
        return said;
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    /// The other process.
    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments[1]);
        StoreOptions options = new StoreOptions(folder, 1L << 30, 0, Set.of(), true, false);
        try (LmdbStore store = LmdbStore.open(options)) {
            switch (arguments[0]) {
                case "hold" -> hold();
                case "write" -> write(store);
                case "fail" -> fail(store, folder);
                default -> throw new IllegalArgumentException(arguments[0]);
            }
        } catch (StoreException e) {
            print("refused " + e.getMessage());
        }
    }

    private static void hold() throws IOException {
        print("open");
        int end = System.in.read();
        print("ended by " + end);
    }

    /// Writes batches for ever and names each event once it is acknowledged.
    private static void write(LmdbStore store) {
        Events events = new Events();
        print("open");
        for (int time = 1; ; time++) {
            List<Event> batch = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                batch.add(i % 5 == 0 ? events.event(i % 3, time, 0) : events.note(i % 3, time));
            }
            List<WriteOutcome> outcomes = Asking.write(store, 0, batch).outcomes();
            StringBuilder acknowledged = new StringBuilder();
            for (int i = 0; i < outcomes.size(); i++) {
                if (outcomes.get(i) instanceof WriteOutcome.Stored
                        && batch.get(i).kind() == 1) {
                    acknowledged.append(batch.get(i).id().hex()).append('\n');
                }
            }
            System.out.print(acknowledged);
            System.out.flush();
        }
    }

    /// Writes, makes every sync fail by making the file named on standard input, and goes on.
    private static void fail(LmdbStore store, Path folder) {
        Events events = new Events();
        print("first " + Asking.write(store, 0, events.note(1, 1)));
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try {
            Path trigger = Path.of(in.readLine());
            Files.createFile(trigger);
            print("second " + Asking.write(store, 0, events.note(1, 2)));
            Files.delete(trigger);
            print("third " + Asking.write(store, 0, events.note(1, 3)));
            print("rows " + Asking.ids(store, "{}", 0).size());
            print("state " + store.info().writable() + " " + store.info().state());
            print("backup " + store.backup(folder.resolveSibling("copy-" + trigger.getFileName())));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void print(String line) {
        System.out.println(line);
        System.out.flush();
    }
}
