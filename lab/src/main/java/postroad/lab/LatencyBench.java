package postroad.lab;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import postroad.lab.latency.LatencyPlan;
import postroad.lab.latency.LatencyReport;
import postroad.lab.latency.LatencyTrial;

/// `bench latency`: where the time of a session goes when the wire is long.
final class LatencyBench {
    private LatencyBench() {}

    static void run(List<String> args, PrintStream out, PrintStream err) throws IOException, InterruptedException {
        Arguments arguments = new Arguments(args, LatencyPlan.OPTIONS, LatencyPlan.FLAGS);
        LatencyPlan plan = LatencyPlan.of(arguments);
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
}
