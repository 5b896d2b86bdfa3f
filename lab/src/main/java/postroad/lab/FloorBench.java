package postroad.lab;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import postroad.lab.floor.Floor;
import postroad.lab.floor.FloorOptions;

/// `bench floor`: where a small REQ spends its time.
final class FloorBench {
    private static final int FEWEST_EVENTS = 1_000;

    private FloorBench() {}

    static void run(List<String> args, PrintStream out, PrintStream err) throws IOException, InterruptedException {
        Arguments arguments =
                new Arguments(args, Set.of("--events", "--seed", "--json", "--peer", "--corpora"), Set.of("--quick"));
        FloorOptions options = new FloorOptions(
                (int) arguments.number("--events", 50_000, FEWEST_EVENTS),
                arguments.number("--seed", 42, 0),
                arguments.text("--corpora").map(Path::of).orElseGet(FloorBench::corpora),
                arguments.texts("--peer"),
                arguments.has("--quick"));
        Map<String, Object> found;
        try (Scratch scratch = Scratch.make()) {
            found = Floor.run(options, scratch.folder(), out, err);
        }
        if (arguments.text("--json").isPresent()) {
            Results.write(Path.of(arguments.text("--json").get()), "floor", found);
        }
    }

    /// Where corpora are kept when nothing else is said: beside what other programs can make again.
    private static Path corpora() {
        return Optional.ofNullable(System.getenv("XDG_CACHE_HOME"))
                .filter(folder -> !folder.isBlank())
                .map(Path::of)
                .orElseGet(() -> Path.of(System.getProperty("user.home"), ".cache"))
                .resolve("postroad-lab");
    }
}
