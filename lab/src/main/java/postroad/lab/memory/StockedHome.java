package postroad.lab.memory;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import postroad.lab.process.Child;
import postroad.nostr.kit.Corpus;

/// A node's home with the events of a corpus in its store, imported by the program itself.
///
/// @param importTime how long the import took, the start of the process included
public record StockedHome(Path home, Path corpus, int events, Duration importTime) {
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    /// Makes one in `folder`.
    ///
    /// @param program the command that takes Postroad's verbs
    public static StockedHome make(List<String> program, Path folder, int events, long seed)
            throws IOException, InterruptedException {
        Path corpus = folder.resolve("corpus.jsonl");
        Path home = folder.resolve("home");
        Corpus.writeJsonLines(corpus, events, seed);
        List<String> command = new ArrayList<>(program);
        command.addAll(List.of("import", corpus.toString()));
        ProcessBuilder builder = new ProcessBuilder(command).redirectInput(new File("/dev/null"));
        builder.environment().put("POSTROAD_HOME", home.toString());
        long begun = System.nanoTime();
        try (Child child = Child.start(builder)) {
            int status = child.await(PATIENCE);
            if (status != 0) {
                throw new IOException("import ended with status " + status + ": " + child.talk());
            }
        }
        return new StockedHome(home, corpus, events, Duration.ofNanos(System.nanoTime() - begun));
    }
}
