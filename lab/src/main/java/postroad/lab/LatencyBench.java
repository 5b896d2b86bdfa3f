package postroad.lab;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import postroad.lab.latency.LatencyPlan;
import postroad.lab.latency.LatencyReport;
import postroad.lab.latency.LatencyTrial;
import postroad.lab.sync.TreeShape;
import postroad.lab.sync.TreeState;
import postroad.sync.core.SessionOptions;
import postroad.wire.SimulatedLinks;

/// `bench latency`: where the time of a session goes when the wire is long.
final class LatencyBench {
    /// Options with a value.
    static final Set<String> OPTIONS = Set.of(
            "--out-dir",
            "--seed",
            "--parallel",
            "--rtt-ms",
            "--wire",
            "--in-flight",
            "--state",
            "--rounds",
            "--files",
            "--fixture",
            "--bound-mib",
            "--rate-mbit",
            "--jitter-ms",
            "--json");
    /// Options without one; `--latency` says what is asked for anyway.
    static final Set<String> FLAGS = Set.of("--latency", "--quick", "--small", "--tiny", "--tls");

    private static final int MOST_MILLIS = 10_000;
    private static final int MOST_MEBIBYTES = 1024;

    private LatencyBench() {}

    static void run(List<String> args, PrintStream out, PrintStream err) throws IOException, InterruptedException {
        Arguments arguments = new Arguments(args, OPTIONS, FLAGS);
        LatencyPlan plan = plan(arguments);
        if (plan.outDir().isPresent()) {
            Files.createDirectories(plan.outDir().get());
        }
        try (Scratch scratch =
                plan.outDir().isPresent() ? Scratch.in(plan.outDir().get()) : Scratch.make()) {
            LatencyReport report = new LatencyTrial(plan, scratch.folder(), err).run();
            report.print(out);
            if (arguments.text("--json").isPresent()) {
                Results.write(Path.of(arguments.text("--json").get()), "latency", report.data());
            }
        }
    }

    /// Reads what is to be run.
    ///
    /// @throws IllegalArgumentException with a text for the user
    static LatencyPlan plan(Arguments arguments) {
        TreeShape shape = TreeShape.of(arguments.has("--small"), arguments.has("--tiny"));
        return new LatencyPlan(
                model(arguments.text("--wire").orElse("arrival")),
                arguments.has("--tls"),
                arguments.numbers("--parallel", "1,4,8", 1, SessionOptions.MAX_PARALLEL),
                arguments.numbers("--rtt-ms", "30", 1, MOST_MILLIS),
                inFlight(arguments.text("--in-flight").orElse("default,1")),
                arguments.words("--state", "fresh").stream().map(TreeState::of).toList(),
                (int) arguments.number("--rounds", arguments.has("--quick") ? 1 : 3, 1),
                arguments.number("--seed", 42, Long.MIN_VALUE),
                (int) arguments.number("--files", shape.usualFiles(), 1),
                shape,
                arguments.text("--fixture").map(Path::of),
                arguments.text("--out-dir").map(Path::of),
                (int) Math.min(MOST_MEBIBYTES, arguments.number("--bound-mib", SimulatedLinks.BOUND >> 20, 1)) << 20,
                arguments.number("--rate-mbit", 0, 0) * 1_000_000,
                (int) Math.min(MOST_MILLIS, arguments.number("--jitter-ms", 0, 0)));
    }

    private static SimulatedLinks.Model model(String word) {
        return switch (word) {
            case "arrival" -> SimulatedLinks.Model.ARRIVAL;
            case "coalescing" -> SimulatedLinks.Model.COALESCING;
            default -> throw new IllegalArgumentException("--wire is arrival or coalescing, not " + word);
        };
    }

    private static List<Optional<Integer>> inFlight(String words) {
        List<Optional<Integer>> all = new ArrayList<>();
        for (String word : words.split(",", -1)) {
            all.add(
                    word.equals("default")
                            ? Optional.empty()
                            : Optional.of(Arguments.number("--in-flight", word, 1, SessionOptions.MAX_IN_FLIGHT)));
        }
        return List.copyOf(all);
    }
}
