package postroad.lab;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import postroad.lab.memory.BusyQueries;
import postroad.lab.memory.StockedHome;
import postroad.lab.process.Node;

/// `bench start`: from the start of the process to the line that says it serves.
final class StartBench {
    private static final long SEED = 50;

    private StartBench() {}

    static void run(List<String> args, PrintStream out, PrintStream err) throws IOException, InterruptedException {
        Arguments arguments = new Arguments(args, Set.of("--events", "--starts", "--json"));
        int events = (int) arguments.number("--events", 50_000, 1);
        int starts = (int) arguments.number("--starts", 7, 1);
        Results results = new Results("start");
        List<String> program = Node.fromClassPath();
        try (Scratch scratch = Scratch.make()) {
            err.println("importing " + events + " events");
            StockedHome stock = StockedHome.make(program, scratch.folder(), events, SEED);
            results.add("events in the imported file", Integer.toString(events));
            List<Duration> clean = new ArrayList<>();
            List<Duration> killed = new ArrayList<>();
            List<Duration> processor = new ArrayList<>();
            for (int i = 0; i < starts; i++) {
                try (Node node = Node.start(program, stock.home(), List.of())) {
                    clean.add(node.startTime());
                    processor.add(node.process().processorTime());
                    new BusyQueries(SEED).run(node.address(), node.process(), Duration.ofMillis(500));
                    node.kill();
                }
                try (Node node = Node.start(program, stock.home(), List.of())) {
                    killed.add(node.startTime());
                    if (node.stop() != 0) {
                        throw new IllegalStateException(
                                "it did not end well: " + node.process().talk());
                    }
                }
            }
            results.add("start to serving, after a clean end", spread(clean));
            results.add("start to serving, after kill -9", spread(killed));
            results.add("processor time of a start, after a clean end", spread(processor));
        }
        results.report(out, arguments.text("--json"));
    }

    private static String spread(List<Duration> times) {
        List<Duration> sorted = times.stream().sorted().toList();
        return "median " + sorted.get(sorted.size() / 2).toMillis() + " ms, slowest "
                + Collections.max(sorted).toMillis() + " ms of " + sorted.size();
    }
}
