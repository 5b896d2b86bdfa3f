package postroad.lab.floor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import postroad.lab.process.Child;
import postroad.lab.process.Node;

/// The first questions that a fresh process is asked, each once: with the store in the page cache, and with
/// it only on the disk. A peer is not restarted, so it has no part in this.
final class Cold {
    private static final String WARM = "author, ~21 rows, first time, pages cached";
    private static final String COLD = "author, ~21 rows, first time, pages cold";
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private Cold() {}

    /// Starts and stops the relay of `home` for each round.
    static Grid measure(List<String> program, Path home, List<Ask> asks, boolean quick)
            throws IOException, InterruptedException {
        Grid grid = new Grid("Each question once, the process just started");
        int rounds = quick ? 1 : 3;
        long[] faults = new long[2];
        for (int round = 0; round < rounds; round++) {
            for (int way = 0; way < 2; way++) {
                boolean isCold = way != round % 2;
                if (isCold) {
                    dropPages(home);
                }
                faults[isCold ? 1 : 0] += ask(grid, isCold ? COLD : WARM, program, home, asks);
            }
        }
        grid.note(WARM, "page faults with a read from the disk: " + faults[0]);
        grid.note(COLD, "page faults with a read from the disk: " + faults[1]);
        return grid;
    }

    private static long ask(Grid grid, String row, List<String> program, Path home, List<Ask> asks)
            throws IOException, InterruptedException {
        try (Node node = Node.start(program, home, List.of())) {
            long faults = Cpu.majorFaults(node.process().pid());
            try (LeanClient client = LeanClient.open(node.address())) {
                for (Ask ask : asks) {
                    grid.record(row, "postroad", ask.time(client));
                }
            }
            faults = Cpu.majorFaults(node.process().pid()) - faults;
            // A clean end: after another one the next start looks through the store, and so warms it.
            if (node.stop() != 0) {
                throw new IOException(
                        "the relay did not end well: " + node.process().talk());
            }
            return faults;
        }
    }

    /// Gives the kernel every reason to forget a store's file that nobody has open.
    private static void dropPages(Path home) throws IOException, InterruptedException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(home)) {
            files = all.filter(file -> file.getFileName().toString().endsWith(".mdb"))
                    .toList();
        }
        for (Path file : files) {
            run("sync", file.toString());
            run("dd", "if=" + file, "iflag=nocache", "count=0", "status=none");
        }
    }

    private static void run(String... command) throws IOException, InterruptedException {
        try (Child child = Child.start(new ProcessBuilder(command))) {
            int status = child.await(PATIENCE);
            if (status != 0) {
                throw new IOException(command[0] + " ended with status " + status + ": " + child.talk());
            }
        }
    }
}
