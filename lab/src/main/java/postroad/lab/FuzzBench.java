package postroad.lab;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import postroad.lab.fuzz.Fuzzer;
import postroad.lab.fuzz.GoodMessages;
import postroad.lab.fuzz.Health;
import postroad.lab.fuzz.TrialRelay;
import postroad.nostr.relay.Limits;

/// `bench fuzz`: the long form of the fuzzer.
final class FuzzBench {
    private static final int WARM_UP_CONNECTIONS = 500;
    private static final int GOOD_MESSAGES = 400;

    /// What may stay in use after a run beside what the warm-up has already made: an array grown to the longest message
    /// here and there, and a pool's next chunk.
    private static final long SLACK_BYTES = 16 << 20;

    private FuzzBench() {}

    static void run(List<String> args, PrintStream out, PrintStream err) throws IOException, InterruptedException {
        Arguments arguments = new Arguments(args, Set.of("--minutes", "--seed", "--json"));
        long minutes = arguments.number("--minutes", 5, 1);
        long seed = arguments.number("--seed", System.nanoTime() & 0xffff, Long.MIN_VALUE);
        err.println("fuzzing for " + minutes + " minutes, seed " + seed);
        Results results = new Results("fuzz");
        results.add("seed", Long.toString(seed));
        try (Scratch scratch = Scratch.make();
                TrialRelay relay = TrialRelay.start(scratch.folder(), Limits.DEFAULT);
                Health health = Health.watch()) {
            Fuzzer fuzzer = new Fuzzer(relay.address(), GoodMessages.of(seed, GOOD_MESSAGES));
            fuzzer.run(seed, Duration.ofMinutes(1), WARM_UP_CONNECTIONS);
            long before = Health.usedBytes();
            Fuzzer.Report report = fuzzer.run(seed + WARM_UP_CONNECTIONS, Duration.ofMinutes(minutes), Long.MAX_VALUE);
            long after = Health.usedBytes();
            results.add("connections", Long.toString(report.connections()));
            results.add("questions answered after bad input", Long.toString(report.probes()));
            results.add("ways", report.rounds());
            results.add("memory in use before and after", (before >> 10) + " kB, " + (after >> 10) + " kB");
            demand(health.complaints(), "the relay suffered");
            demand(relay.problems(), "the store suffered");
            if (after > before + SLACK_BYTES) {
                throw new IllegalStateException(
                        "memory did not return: " + (before >> 10) + " kB before, " + (after >> 10) + " kB after");
            }
        }
        results.report(out, arguments.text("--json"));
    }

    private static void demand(List<String> complaints, String what) {
        if (!complaints.isEmpty()) {
            throw new IllegalStateException(what + ": " + String.join("\n", complaints));
        }
    }
}
