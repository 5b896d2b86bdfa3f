package postroad.lab;

import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Set;

/// `postroad bench`: dispatches to the trials and measurements. Each ends by itself.
public final class Bench {
    private static final String USAGE = """
            usage: postroad bench crash  [--points N] [--batches N] [--kills N] [--seed S] [--json FILE]
                   postroad bench floor  [--events N] [--seed S] [--peer URL]... [--corpora DIR] [--quick] [--json FILE]
                   postroad bench folders [--wanlink SCRIPT] [--peers NAME,…] [--rtt-ms N,…] [--loss PERCENT,…]
                                  [--rate-mbit N,…] [--congestion NAME,…] [--buffers wide|system] [--parallel K,…]
                                  [--state S,…] [--ground memory,disk] [--rounds N] [--quick] [--seed S] [--files N]
                                  [--small|--tiny] [--fixture DIR] [--out-dir DIR] [--limit S] [--json FILE]
                   postroad bench fuzz   [--minutes N] [--seed S] [--json FILE]
                   postroad bench latency [--quick] [--parallel K,…] [--rtt-ms N,…] [--in-flight default,1] [--state S,…]
                                  [--wire arrival|coalescing] [--tls] [--rounds N] [--seed S] [--files N] [--small|--tiny]
                                  [--fixture DIR] [--out-dir DIR] [--rate-mbit N] [--jitter-ms N] [--bound-mib N]
                                  [--json FILE]
                   postroad bench memory [--events N] [--connections N] [--seconds N] [--json FILE]
                   postroad bench start  [--events N] [--starts N] [--json FILE]
                   postroad bench sync-fuzz [--minutes N] [--seed S] [--json FILE]

            crash   cuts the power under a store at N points of a recorded run, and kills N nodes under load
            floor   where a small REQ spends its time: in process, on the wire, and beside running relays (--peer)
            folders this program beside rsync and ffsync, whole processes over real links, on the same trees
            fuzz    mistreats a relay for N minutes
            latency sessions of folder sync over simulated wires: how much of their time is waiting for the wire
            memory  resident memory with N events under busy queries, and of N idle connections
            start   time from start to serving with N events, after a clean end and after kill -9
            sync-fuzz  mistreats both sides of folder sync for N minutes

            for example: postroad bench crash --points 2000 --kills 300
            """;

    private Bench() {}

    /// Runs one; results go to `out`, talk to `err`.
    ///
    /// @return 0 when everything held, 1 when something did not, 2 for wrong usage
    public static int run(List<String> args, PrintStream out, PrintStream err) {
        if (args.isEmpty() || Set.of("--help", "-h", "help").contains(args.getFirst())) {
            (args.isEmpty() ? err : out).print(USAGE);
            return args.isEmpty() ? 2 : 0;
        }
        try {
            Results.begin();
            List<String> rest = args.subList(1, args.size());
            switch (args.getFirst()) {
                case "crash" -> CrashBench.run(rest, out, err);
                case "floor" -> FloorBench.run(rest, out, err);
                case "folders" -> FoldersBench.run(rest, out, err);
                case "fuzz" -> FuzzBench.run(rest, out, err);
                case "latency" -> LatencyBench.run(rest, out, err);
                case "memory" -> MemoryBench.run(rest, out, err);
                case "start" -> StartBench.run(rest, out, err);
                case "sync-fuzz" -> SyncFuzzBench.run(rest, out, err);
                default -> throw new IllegalArgumentException("there is no bench " + args.getFirst());
            }
            return 0;
        } catch (IllegalArgumentException e) {
            err.println("postroad bench: " + e.getMessage());
            err.print(USAGE);
            return 2;
        } catch (IllegalStateException | IOException e) {
            err.println("postroad bench " + args.getFirst() + ": FAILED: " + e.getMessage());
            for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
                err.println("  because of " + cause);
            }
            return 1;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            err.println("postroad bench: interrupted");
            return 1;
        }
    }
}
