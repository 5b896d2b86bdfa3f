package postroad.lab;

import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import postroad.lab.crash.Kills;
import postroad.lab.crash.PowerLoss;
import postroad.lab.crash.Recorder;
import postroad.lab.process.Node;

/// `bench crash`: the long forms of the trials by power cuts and by kills.
final class CrashBench {
    private CrashBench() {}

    static void run(List<String> args, PrintStream out, PrintStream err) throws IOException, InterruptedException {
        Arguments arguments = new Arguments(args, Set.of("--points", "--batches", "--kills", "--seed", "--json"));
        int points = (int) arguments.number("--points", 2_000, 0);
        int batches = (int) arguments.number("--batches", 300, 1);
        int kills = (int) arguments.number("--kills", 200, 0);
        long seed = arguments.number("--seed", System.nanoTime() & 0xffff, Long.MIN_VALUE);
        Results results = new Results("crash");
        results.add("seed", Long.toString(seed));
        if (points > 0) {
            cutPower(points, batches, seed, results, err);
        }
        if (kills > 0) {
            kill(kills, seed, results, err);
        }
        results.report(out, arguments.text("--json"));
    }

    private static void cutPower(int points, int batches, long seed, Results results, PrintStream err)
            throws IOException, InterruptedException {
        try (Scratch scratch = Scratch.make()) {
            Optional<Recorder> recorder = Recorder.compile(scratch.folder());
            if (recorder.isEmpty()) {
                err.println("no C compiler here: what a store writes cannot be recorded, power cuts are left out");
                results.add("power cuts", "left out: no C compiler");
                return;
            }
            PowerLoss trial = PowerLoss.record(recorder.get(), scratch.folder(), seed, batches, true);
            err.println("recorded " + trial.operations() + " operations; cutting the power at " + points + " points");
            PowerLoss.Report report = trial.judge(points);
            results.add("operations recorded", Integer.toString(report.operations()));
            results.add("bytes recorded", Long.toString(report.bytes()));
            results.add("batches acknowledged", Integer.toString(report.batches()));
            results.add("power cuts survived", report.images().toString());
        }
    }

    private static void kill(int kills, long seed, Results results, PrintStream err)
            throws IOException, InterruptedException {
        try (Scratch scratch = Scratch.make()) {
            Kills.Report report = new Kills(Node.fromClassPath(), scratch.folder(), seed, err::println).run(kills);
            results.add("kills survived", Integer.toString(report.kills()));
            results.add("kills during a start survived", Integer.toString(report.startsKilled()));
            results.add("events acknowledged", Long.toString(report.acknowledged()));
            results.add("events kept though not acknowledged", Long.toString(report.unanswered()));
            results.add("slowest start after a kill", report.slowestStart().toMillis() + " ms");
        }
    }
}
