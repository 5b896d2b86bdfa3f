package postroad.lab;

import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import postroad.lab.memory.BusyQueries;
import postroad.lab.memory.IdleCrowd;
import postroad.lab.memory.StockedHome;
import postroad.lab.process.Child;
import postroad.lab.process.Node;
import postroad.lab.process.ProcessFigures;

/// `bench memory`: resident memory under busy queries, and of idle connections.
final class MemoryBench {
    private static final long SEED = 50;

    /// The first connections pay for classes, buffers and code that later ones share.
    private static final int FIRST_CONNECTIONS = 500;

    private MemoryBench() {}

    static void run(List<String> args, PrintStream out, PrintStream err) throws IOException, InterruptedException {
        Arguments arguments = new Arguments(args, Set.of("--events", "--connections", "--seconds", "--json"));
        int events = (int) arguments.number("--events", 50_000, 1);
        int connections = (int) arguments.number("--connections", 10_000, FIRST_CONNECTIONS + 1);
        long seconds = arguments.number("--seconds", 30, 1);
        Results results = new Results("memory");
        List<String> program = Node.fromClassPath();
        try (Scratch scratch = Scratch.make()) {
            err.println("importing " + events + " events");
            StockedHome stock = StockedHome.make(program, scratch.folder(), events, SEED);
            results.add("events in the imported file", Integer.toString(events));
            results.add("import, process start included", stock.importTime().toMillis() + " ms");
            try (Node node = Node.start(program, stock.home(), List.of())) {
                results.add("resident after start", kB(figures(node).residentBytes()));
                err.println("busy queries for " + seconds + " s");
                BusyQueries.Report busy =
                        new BusyQueries(SEED).run(node.address(), node.process(), Duration.ofSeconds(seconds));
                results.add("busy queries answered", Long.toString(busy.queries()));
                results.add("peak resident under busy queries", kB(busy.peakResidentBytes()));
                results.add("of it the process's own (RssAnon)", kB(busy.peakAnonymousBytes()));
            }
            // A node of its own: in one that was busy, new connections would fit into memory it has already.
            try (Node node = Node.start(program, stock.home(), List.of())) {
                idle(node, connections, results, err);
            }
        }
        results.report(out, arguments.text("--json"));
    }

    private static void idle(Node node, int connections, Results results, PrintStream err)
            throws IOException, InterruptedException {
        InetSocketAddress address = node.address();
        try (IdleCrowd crowd = IdleCrowd.empty()) {
            crowd.growTo(address, FIRST_CONNECTIONS);
            ProcessFigures first = settled(node);
            err.println("opening " + connections + " connections");
            crowd.growTo(address, connections);
            ProcessFigures grown = figures(node);
            ProcessFigures all = settled(node);
            int added = connections - FIRST_CONNECTIONS;
            results.add("idle connections, one subscription each", Integer.toString(crowd.size()));
            results.add("resident with the first " + FIRST_CONNECTIONS, kB(first.residentBytes()));
            results.add("resident with all, at once", kB(grown.residentBytes()));
            results.add("resident with all, after a collection", kB(all.residentBytes()));
            results.add(
                    "process memory for each, at once",
                    (grown.residentBytes() - first.residentBytes()) / added + " bytes");
            results.add(
                    "process memory for each, after a collection",
                    (all.residentBytes() - first.residentBytes()) / added + " bytes");
        }
    }

    /// After a collection, so that garbage of the queries before does not count.
    private static ProcessFigures settled(Node node) throws IOException, InterruptedException {
        Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        ProcessBuilder builder =
                new ProcessBuilder(jcmd.toString(), Long.toString(node.process().pid()), "GC.run");
        try (Child child = Child.start(builder)) {
            child.await(Duration.ofSeconds(30));
        }
        TimeUnit.MILLISECONDS.sleep(500);
        return figures(node);
    }

    private static ProcessFigures figures(Node node) throws IOException {
        return ProcessFigures.of(node.process().pid());
    }

    private static String kB(long bytes) {
        return (bytes >> 10) + " kB";
    }
}
