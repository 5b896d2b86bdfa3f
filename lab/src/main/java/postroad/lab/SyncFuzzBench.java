package postroad.lab;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import postroad.lab.syncfuzz.Floods;
import postroad.lab.syncfuzz.SyncFuzzer;

/// `bench sync-fuzz`: the long form of the fuzzer of folder sync.
final class SyncFuzzBench {
    private static final int WIDTH = 8;
    /// Names that a flood announces.
    private static final int MANY = 2_000_000;

    private SyncFuzzBench() {}

    static void run(List<String> args, PrintStream out, PrintStream err) throws IOException, InterruptedException {
        Arguments arguments = new Arguments(args, Set.of("--minutes", "--seed", "--json"));
        long minutes = arguments.number("--minutes", 5, 1);
        long seed = arguments.number("--seed", System.nanoTime() & 0xffff, Long.MIN_VALUE);
        err.println("fuzzing for " + minutes + " minutes, seed " + seed);
        Results results = new Results("sync-fuzz");
        results.add("seed", Long.toString(seed));
        results.add("heap", (Runtime.getRuntime().maxMemory() >> 20) + " MiB");
        try (Scratch scratch = Scratch.make()) {
            results.add("floods", Floods.run(scratch.folder(), MANY).toString());
            SyncFuzzer.Report report =
                    new SyncFuzzer(scratch.folder()).run(seed, WIDTH, Duration.ofMinutes(minutes), Long.MAX_VALUE);
            results.add("sessions", Long.toString(report.sessions()));
            results.add("frames mistreated", Long.toString(report.frames()));
            new TreeMap<>(report.ends()).forEach((how, often) -> results.add(how, Integer.toString(often)));
        }
        results.report(out, arguments.text("--json"));
    }
}
