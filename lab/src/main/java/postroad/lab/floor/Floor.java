package postroad.lab.floor;

import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import postroad.lab.floor.FloorOptions.Scale;
import postroad.lab.process.Child;
import postroad.lab.process.Jvm;
import postroad.lab.process.Node;
import postroad.lab.process.ProcessFigures;
import postroad.nostr.core.Event;
import postroad.nostr.kit.Corpus;

/// One run of `bench floor`: the stages in this process, then our relay in its own process, with an echo
/// server of the same engine and the peers beside it.
public final class Floor {
    private static final String ECHO_1 = "echo, 1 frame";
    private static final String ECHO_22 = "echo, 22 frames";
    private static final String NOTICE = "NOTICE";
    private static final String CLOSE_THEN = "CLOSE + ";
    private static final String NAGLED = ", client without TCP_NODELAY";
    private static final String QUIET = "author, ~21 rows, quiet";
    private static final String DURING_SCAN = "author, ~21 rows, during a full scan by another";
    private static final String DURING_INGEST = "author, ~21 rows, during ingest at half rate";
    private static final String ALL_AT_ONCE = "live, one event to all subscribers";

    /// About what a small REQ has.
    private static final int REQUEST_BYTES = 130;

    private static final int SMALL_BYTES = 20;
    private static final int CONNECTIONS = 8;
    private static final Duration START = Duration.ofSeconds(30);

    private final FloorOptions options;
    private final Scale scale;
    private final Path scratch;
    private final PrintStream out;
    private final PrintStream err;
    private final long begun = System.nanoTime();
    private final Map<String, Object> json = new LinkedHashMap<>();
    private final Goals goals = new Goals();
    private final List<String> conclusion = new ArrayList<>();

    private Floor(FloorOptions options, Path scratch, PrintStream out, PrintStream err) {
        this.options = options;
        this.scale = options.scale();
        this.scratch = scratch;
        this.out = out;
        this.err = err;
    }

    /// Runs it: tables to `out`, progress to `err`.
    ///
    /// @param scratch a folder for the stores, removed by the caller
    /// @return everything that was found, for `--json`
    public static Map<String, Object> run(FloorOptions options, Path scratch, PrintStream out, PrintStream err)
            throws IOException, InterruptedException {
        Floor floor = new Floor(options, scratch, out, err);
        floor.run();
        return floor.json;
    }

    private void run() throws IOException, InterruptedException {
        Map<String, String> machine = Machine.facts(scratch);
        String load = Machine.load();
        machine.put("load average before", load);
        machine.forEach((name, fact) -> out.println(name + ": " + fact));
        say("corpus of " + options.events() + " events, seed " + options.seed());
        List<Event> traffic = FloorCorpus.traffic(options.corpora(), options.events(), options.seed());
        Map<String, List<String>> questions = Questions.about(traffic);
        Grid stages = inProcess(traffic, questions);
        say("the steps of ingest, one by one");
        Map<String, Double> steps =
                IngestSteps.run(scratch.resolve("steps"), traffic.subList(0, Math.min(traffic.size(), 20_000)));
        try (Child echo =
                Child.start(new ProcessBuilder(Jvm.command(Node.options(), EchoProcess.class.getName(), List.of())))) {
            int port = Integer.parseInt(echo.awaitLine("echo ", START).strip());
            Target engine = new Target(
                    "echo", new InetSocketAddress(InetAddress.getLoopbackAddress(), port), OptionalLong.of(echo.pid()));
            onTheWire(engine, traffic, questions, stages, steps);
        }
        machine.put("load average after", Machine.load());
        out.println();
        out.println("load average before: " + load + ", after: " + machine.get("load average after"));
        goals.print(out);
        out.println();
        conclusion.forEach(out::println);
        json.put("machine", machine);
        json.put("events", options.events());
        json.put("seed", options.seed());
        json.put("quick", options.quick());
        json.put("goals", goals.json());
        json.put("conclusion", conclusion);
        json.put("seconds", (System.nanoTime() - begun) / 1_000_000_000);
        out.flush();
    }

    // ---- in process

    private Grid inProcess(List<Event> traffic, Map<String, List<String>> questions) throws IOException {
        InProcess inProcess = new InProcess(scale.rounds(), Math.max(scale.samples() / 2, 10), scale.warmUpNanos());
        say("stages in process, traffic");
        Grid stages = inProcess.run(
                "In process, " + traffic.size() + " events like real traffic",
                scratch.resolve("traffic"),
                traffic,
                questions);
        show("stages", stages);
        say("stages in process, plain notes");
        List<Event> plain = FloorCorpus.plain(options.corpora(), options.events(), options.seed());
        Map<String, List<String>> plainQuestions = Questions.about(plain);
        plainQuestions.keySet().retainAll(List.of(Questions.NONE, Questions.ONE, Questions.AUTHOR));
        show(
                "stages_plain",
                inProcess.run(
                        "In process, " + plain.size() + " notes without tags, 20 of each author",
                        scratch.resolve("plain"),
                        plain,
                        plainQuestions));
        String row = Questions.AUTHOR;
        goals.atMost("A, ~21 rows, p50", 0.02, " ms", millis(stages, row, InProcess.A, 50));
        goals.atMost("B, ~21 rows, p50", 0.03, " ms", millis(stages, row, InProcess.B, 50));
        goals.atMost("C, ~21 rows, p50", 0.05, " ms", millis(stages, row, InProcess.C, 50));
        return stages;
    }

    // ---- on the wire

    private void onTheWire(
            Target echo,
            List<Event> traffic,
            Map<String, List<String>> questions,
            Grid stages,
            Map<String, Double> steps)
            throws IOException, InterruptedException {
        List<String> program = Node.fromClassPath();
        Path home = scratch.resolve("home");
        List<Target> targets = new ArrayList<>();
        Grid wire;
        try (Node node = Node.start(program, home, List.of())) {
            targets.add(new Target(
                    "postroad", node.address(), OptionalLong.of(node.process().pid())));
            for (String url : options.peers()) {
                targets.add(Target.peer(url));
            }
            Map<Target, Ingest.Outcome> ingest = ingest(targets, traffic, steps);
            say("cross-checking the answers");
            CrossCheck check = CrossCheck.run(targets, questions);
            wire = quiet(echo, targets, check, questions);
            awake(echo, targets, check);
            eight(echo, targets, check, questions);
            disturbed(targets, check, ingest);
            Corpus fresh = FloorCorpus.fresh(options.seed());
            oneByOne(targets, fresh);
            fanOut(targets, fresh);
            ProcessFigures figures = ProcessFigures.of(node.process().pid());
            double megabytes = figures.residentBytes() / 1_048_576.0;
            out.printf(
                    Locale.ROOT,
                    "%npostroad: %.0f MB resident after all that, at most %.0f MB%n",
                    megabytes,
                    figures.peakBytes() / 1_048_576.0);
            json.put("resident_mb", megabytes);
            goals.atMost("resident memory after all that", 350, " MB", Optional.of(megabytes));
            if (node.stop() != 0) {
                throw new IllegalStateException(
                        "the relay did not end well: " + node.process().talk());
            }
            say("first questions of a fresh process, page cache warm and cold");
            show(
                    "cold",
                    Cold.measure(program, home, check.asks(targets.getFirst(), Questions.AUTHOR), options.quick()));
        }
        conclude(stages, wire, targets);
    }

    private Map<Target, Ingest.Outcome> ingest(List<Target> targets, List<Event> traffic, Map<String, Double> steps)
            throws IOException {
        say("publishing the corpus, 500 in flight");
        Grid grid = new Grid("Ingest");
        Map<Target, Ingest.Outcome> outcomes = Ingest.many(grid, targets, traffic);
        show("ingest", grid);
        outcomes.forEach((target, outcome) -> {
            out.printf(
                    Locale.ROOT,
                    "%s: %.0f events/s (middle part %.0f), %.0f us of processor time each; %d refused, %d known%n",
                    target.name(),
                    outcome.perSecond(),
                    outcome.medianRate(),
                    outcome.cpuMicros(),
                    outcome.refused(),
                    outcome.duplicates());
            if (outcome.refused() > 0) {
                out.println("  last refusal: " + outcome.lastRefusal());
            }
        });
        Target ours = targets.getFirst();
        double all = outcomes.get(ours).cpuMicros();
        out.println();
        out.println("Processor time of one event, microseconds: step by step on one thread; share of the relay's "
                + String.format(Locale.ROOT, "%.0f", all));
        steps.forEach((step, micros) ->
                out.printf(Locale.ROOT, "  %-36s %6.1f  %3.0f %%%n", step, micros, 100 * micros / all));
        out.println("The relay's own threads");
        outcomes.get(ours).threads().entrySet().stream()
                .filter(thread -> thread.getValue() / 1000 >= 0.05)
                .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
                .forEach(thread -> out.printf(
                        Locale.ROOT,
                        "  %-36s %6.1f  %3.0f %%%n",
                        thread.getKey(),
                        thread.getValue() / 1000,
                        thread.getValue() / 10 / all));
        Map<String, Object> byTarget = new LinkedHashMap<>();
        outcomes.forEach((target, outcome) -> byTarget.put(target.name(), outcome));
        json.put("ingest_outcomes", byTarget);
        json.put("ingest_steps_us", steps);
        goals.atMost("relay CPU per event over verify CPU", 2, "", Optional.of(all / steps.get(IngestSteps.VERIFY)));
        peer(targets)
                .ifPresent(peer -> goals.atLeast(
                        "EVENT to OK, 500 in flight, against the peer",
                        2.5,
                        " times",
                        comparable(outcomes, ours, peer)
                                ? Optional.of(outcomes.get(ours).medianRate()
                                        / outcomes.get(peer).medianRate())
                                : Optional.empty()));
        return outcomes;
    }

    /// Whether both have stored everything that was published to them.
    private static boolean comparable(Map<Target, Ingest.Outcome> outcomes, Target ours, Target peer) {
        return outcomes.get(peer).refused() == outcomes.get(ours).refused()
                && outcomes.get(peer).duplicates() == outcomes.get(ours).duplicates();
    }

    private Grid quiet(Target echo, List<Target> targets, CrossCheck check, Map<String, List<String>> questions)
            throws IOException {
        say("one connection, quiet");
        Grid grid = new Grid("On the wire, one connection, from the write to EOSE");
        Wire wire = new Wire(grid);
        List<Wire.Cell> cells = new ArrayList<>();
        int samples = scale.samples();
        int size = Math.max(SMALL_BYTES, check.meanBytes());
        cells.add(new Wire.Cell(ECHO_1, echo, List.of(Ask.echo(1, SMALL_BYTES, REQUEST_BYTES)), true, false, samples));
        cells.add(new Wire.Cell(ECHO_22, echo, List.of(Ask.echo(22, size, REQUEST_BYTES)), true, false, samples));
        for (Target target : targets) {
            cells.add(new Wire.Cell(NOTICE, target, List.of(Ask.notice()), true, false, samples));
        }
        for (String row : questions.keySet()) {
            for (Target target : targets) {
                int count = Questions.isLong(row) ? Math.max(1, samples / 4) : samples;
                cells.add(new Wire.Cell(row, target, check.asks(target, row), true, false, count));
            }
        }
        for (String row : List.of(Questions.NONE, Questions.AUTHOR)) {
            for (Target target : targets) {
                List<Ask> closing =
                        check.asks(target, row).stream().map(Ask::afterClose).toList();
                cells.add(new Wire.Cell(CLOSE_THEN + row, target, closing, true, false, samples));
                cells.add(new Wire.Cell(row + NAGLED, target, check.asks(target, row), false, false, samples / 4));
                cells.add(new Wire.Cell(CLOSE_THEN + row + NAGLED, target, closing, false, false, scale.nagled()));
            }
        }
        for (String row : List.of(Questions.AUTHOR, Questions.HASHTAG)) {
            if (questions.containsKey(row)) {
                for (Target target : targets) {
                    int count = Questions.isLong(row) ? Math.max(1, samples / 10) : samples / 2;
                    cells.add(new Wire.Cell(row + ", deflate", target, check.asks(target, row), true, true, count));
                }
            }
        }
        wire.run(cells, scale.cellWarmUpNanos(), scale.rounds());
        for (Wire.Cell cell : cells) {
            check.differences().forEach((row, difference) -> {
                if (cell.row().contains(row)) {
                    grid.makeVoid(cell.row(), difference);
                }
            });
            String rows =
                    questions.containsKey(cell.row()) ? check.meanRows(targets.getFirst(), cell.row()) + " rows, " : "";
            grid.note(cell.row(), rows + "CPU us: " + wire.cpuText(cell.row(), all(echo, targets)) + "  ");
        }
        show("wire", grid);
        json.put("wire_cpu_us", wire.cpuMicros());
        Target ours = targets.getFirst();
        goals.atMost("wire: empty REQ / echo 1", 1.3, "", ratio(grid, Questions.NONE, ours, ECHO_1, echo));
        goals.atMost("wire: ~21 rows / echo 22", 1.6, "", ratio(grid, Questions.AUTHOR, ours, ECHO_22, echo));
        peer(targets).ifPresent(peer -> {
            against(grid, Questions.AUTHOR, ours, peer, 0.2);
            against(grid, Questions.ONE, ours, peer, 0.35);
            against(grid, Questions.NONE, ours, peer, 0.35);
            against(grid, Questions.HASHTAG, ours, peer, 0.2);
            against(grid, Questions.RECENT, ours, peer, 0.2);
        });
        return grid;
    }

    /// The short rows once more, with processors that do not sleep.
    private void awake(Target echo, List<Target> targets, CrossCheck check) throws IOException {
        say("one connection, processors kept awake");
        Grid grid = new Grid("On the wire, one connection, each processor kept awake by a process of idle priority");
        Wire wire = new Wire(grid);
        List<Wire.Cell> cells = new ArrayList<>();
        int samples = scale.samples();
        int size = Math.max(SMALL_BYTES, check.meanBytes());
        cells.add(new Wire.Cell(ECHO_1, echo, List.of(Ask.echo(1, SMALL_BYTES, REQUEST_BYTES)), true, false, samples));
        cells.add(new Wire.Cell(ECHO_22, echo, List.of(Ask.echo(22, size, REQUEST_BYTES)), true, false, samples));
        for (String row : List.of(Questions.NONE, Questions.ONE, Questions.AUTHOR)) {
            for (Target target : targets) {
                cells.add(new Wire.Cell(row, target, check.asks(target, row), true, false, samples));
            }
        }
        Optional<Spinners> spinners = Spinners.tryStart();
        if (spinners.isEmpty()) {
            say("not measured: there is no chrt here");
            return;
        }
        try (var _ = spinners.get()) {
            wire.run(cells, scale.cellWarmUpNanos() / 4, scale.rounds());
        }
        for (Wire.Cell cell : cells) {
            Optional.ofNullable(check.differences().get(cell.row()))
                    .ifPresent(difference -> grid.makeVoid(cell.row(), difference));
            grid.note(cell.row(), "CPU us: " + wire.cpuText(cell.row(), all(echo, targets)) + "  ");
        }
        show("wire_awake", grid);
        Target ours = targets.getFirst();
        goals.atMost("the same, awake: empty REQ / echo 1", 1.3, "", ratio(grid, Questions.NONE, ours, ECHO_1, echo));
        goals.atMost(
                "the same, awake: ~21 rows / echo 22", 1.6, "", ratio(grid, Questions.AUTHOR, ours, ECHO_22, echo));
        peer(targets)
                .filter(peer -> !grid.isVoid(Questions.AUTHOR))
                .ifPresent(peer -> goals.atMost(
                        "the same, awake: ~21 rows, p50 against the peer",
                        0.2,
                        "",
                        ratio(grid, Questions.AUTHOR, ours, Questions.AUTHOR, peer)));
    }

    private void against(Grid grid, String row, Target ours, Target peer, double most) {
        if (!grid.isVoid(row)) {
            goals.atMost(row + ", p50 against the peer", most, "", ratio(grid, row, ours, row, peer));
        }
    }

    private void eight(Target echo, List<Target> targets, CrossCheck check, Map<String, List<String>> questions)
            throws IOException, InterruptedException {
        say(CONNECTIONS + " connections");
        Grid grid = new Grid("On the wire, " + CONNECTIONS + " connections as fast as answers come");
        Map<String, Map<String, List<Load.Outcome>>> outcomes = new LinkedHashMap<>();
        List<String> rows = new ArrayList<>(List.of(ECHO_22, Questions.NONE, Questions.AUTHOR, Questions.HASHTAG));
        rows.removeIf(row -> !row.equals(ECHO_22) && !questions.containsKey(row));
        rows.forEach(grid::declare);
        List<Target> order = new ArrayList<>(targets);
        for (int round = 0; round < scale.loadRounds(); round++) {
            for (String row : rows) {
                for (Target target : row.equals(ECHO_22) ? List.of(echo) : order) {
                    List<Ask> asks = row.equals(ECHO_22)
                            ? List.of(Ask.echo(22, check.meanBytes(), REQUEST_BYTES))
                            : check.asks(target, row);
                    outcomes.computeIfAbsent(row, absent -> new LinkedHashMap<>())
                            .computeIfAbsent(target.name(), absent -> new ArrayList<>())
                            .add(Load.run(grid, row, target, asks, CONNECTIONS, scale.loadNanos()));
                }
            }
            Collections.reverse(order);
            Collections.reverse(rows);
        }
        outcomes.forEach((row, byTarget) -> {
            StringBuilder text = new StringBuilder();
            byTarget.forEach((target, of) -> text.append(String.format(
                    Locale.ROOT,
                    "%s %.0f/s, CPU %.0f us  ",
                    target,
                    middle(of).perSecond(),
                    middle(of).cpuMicros())));
            grid.note(row, text.toString());
            Optional.ofNullable(check.differences().get(row)).ifPresent(difference -> grid.makeVoid(row, difference));
        });
        show("eight_connections", grid);
        json.put("eight_connections_outcomes", outcomes);
        peer(targets).filter(peer -> !grid.isVoid(Questions.AUTHOR)).ifPresent(peer -> {
            Load.Outcome ours = middle(outcomes.get(Questions.AUTHOR).get("postroad"));
            Load.Outcome theirs = middle(outcomes.get(Questions.AUTHOR).get(peer.name()));
            goals.atLeast(
                    "eight connections, ~21 rows: REQ/s against the peer",
                    5,
                    " times",
                    Optional.of(ours.perSecond() / theirs.perSecond()));
            goals.atMost(
                    "eight connections, ~21 rows: relay CPU per REQ against the peer",
                    0.2,
                    "",
                    peer.pid().isPresent() ? Optional.of(ours.cpuMicros() / theirs.cpuMicros()) : Optional.empty());
        });
    }

    private static Load.Outcome middle(List<Load.Outcome> of) {
        return of.stream()
                .sorted((a, b) -> Double.compare(a.perSecond(), b.perSecond()))
                .toList()
                .get(of.size() / 2);
    }

    private void disturbed(List<Target> targets, CrossCheck check, Map<Target, Ingest.Outcome> ingest)
            throws IOException, InterruptedException {
        say("one connection, others busy");
        Grid grid = new Grid("On the wire, one connection while others are busy");
        Wire wire = new Wire(grid);
        Corpus fresh = FloorCorpus.fresh(options.seed() + 1);
        List<Target> order = new ArrayList<>(targets);
        Map<String, List<Long>> done = new LinkedHashMap<>();
        for (int round = 0; round < scale.loadRounds(); round++) {
            for (Target target : order) {
                List<Ask> asks = check.asks(target, Questions.AUTHOR);
                double rate = ingest.get(target).medianRate() / 2;
                List<byte[]> frames = fresh.take((int) (2 * rate * scale.loadNanos() / 1e9) + 10).stream()
                        .map(Publisher::frame)
                        .toList();
                wire.runFor(cell(QUIET, target, asks), scale.loadNanos());
                try (Disturbance scan = Disturbance.scan(target)) {
                    wire.runFor(cell(DURING_SCAN, target, asks), scale.loadNanos());
                    add(done, DURING_SCAN + ": rows, " + target.name(), scan.end());
                }
                try (Disturbance publish = Disturbance.ingest(target, frames, rate)) {
                    wire.runFor(cell(DURING_INGEST, target, asks), scale.loadNanos());
                    add(done, DURING_INGEST + ": OKs, " + target.name(), publish.end());
                }
            }
            Collections.reverse(order);
        }
        show("disturbed", grid);
        done.forEach((what, each) -> out.println("  " + what + ", in each round: " + each));
        json.put("disturbed_done", done);
        String ours = targets.getFirst().name();
        double quiet = grid.micros(QUIET, ours, 99).orElseThrow() / 1000;
        goals.atMost(
                "p99 of ~21 rows during a full scan, over quiet",
                2,
                " ms",
                millis(grid, DURING_SCAN, ours, 99).map(p99 -> p99 - quiet));
        goals.atMost(
                "p99 of ~21 rows during ingest at half rate, over quiet",
                2,
                " ms",
                millis(grid, DURING_INGEST, ours, 99).map(p99 -> p99 - quiet));
    }

    private static void add(Map<String, List<Long>> done, String what, long count) {
        done.computeIfAbsent(what, absent -> new ArrayList<>()).add(count);
    }

    private static Wire.Cell cell(String row, Target target, List<Ask> asks) {
        return new Wire.Cell(row, target, asks, true, false, 0);
    }

    private void oneByOne(List<Target> targets, Corpus fresh) throws IOException {
        say("events one by one, and when they are seen");
        Grid grid = new Grid("Events one by one");
        Ingest.alone(grid, targets, fresh, scale.loadRounds(), scale.few());
        List<Integer> atOnce = Visibility.measure(grid, targets, fresh, scale.loadRounds(), scale.few());
        grid.note(Visibility.ROW, "found by the first question: " + atOnce);
        show("one_by_one", grid);
        Target ours = targets.getFirst();
        goals.atMost("visibility after OK, p50", 1, " ms", millis(grid, Visibility.ROW, ours.name(), 50));
        peer(targets)
                .ifPresent(peer -> goals.atMost(
                        "EVENT to OK, one in flight, p50 against the peer",
                        0.75,
                        "",
                        ratio(grid, Ingest.ALONE, ours, Ingest.ALONE, peer)));
    }

    private void fanOut(List<Target> targets, Corpus fresh) throws IOException {
        say("live to " + scale.subscribers() + " subscribers");
        Grid grid = new Grid("Live, " + scale.subscribers() + " subscribers on as many connections");
        Map<String, List<FanOut.Burst>> bursts = new LinkedHashMap<>();
        List<Target> order = new ArrayList<>(targets);
        int rounds = Math.max(2, scale.loadRounds() / 2);
        for (int round = 0; round < rounds; round++) {
            for (Target target : order) {
                FanOutEvents events = FanOutEvents.take(fresh, scale.burst(), scale.few() / 5);
                try (FanOut live = FanOut.open(target, scale.subscribers(), events.author())) {
                    live.single(grid, ALL_AT_ONCE, target, events.single());
                    bursts.computeIfAbsent(target.name(), absent -> new ArrayList<>())
                            .add(live.burst(target, events.burst()));
                }
            }
            Collections.reverse(order);
        }
        show("fan_out", grid);
        bursts.forEach((target, of) -> of.forEach(burst -> out.printf(
                Locale.ROOT,
                "  %s: %d events at once, %.0f deliveries/s, %.2f us of processor time each%n",
                target,
                scale.burst(),
                burst.perSecond(),
                burst.cpuMicros())));
        json.put("fan_out_bursts", bursts);
        peer(targets)
                .ifPresent(peer -> goals.atLeast(
                        "live fan-out, deliveries/s against the peer",
                        3,
                        " times",
                        Optional.of(mean(bursts.get("postroad")) / mean(bursts.get(peer.name())))));
    }

    private static double mean(List<FanOut.Burst> bursts) {
        return bursts.stream().mapToDouble(FanOut.Burst::perSecond).average().orElse(0);
    }

    // ---- what it comes to

    private void conclude(Grid stages, Grid wire, List<Target> targets) {
        Target ours = targets.getFirst();
        conclusion.add(String.format(
                Locale.ROOT,
                "A REQ for ~21 rows takes %.1f us in the store, %.1f with the live side, %.1f from bytes to bytes, and"
                        + " %.0f on the wire, where a bare echo of the same bytes takes %.0f.",
                stages.micros(Questions.AUTHOR, InProcess.A, 50).orElse(0.0),
                stages.micros(Questions.AUTHOR, InProcess.B, 50).orElse(0.0),
                stages.micros(Questions.AUTHOR, InProcess.C, 50).orElse(0.0),
                wire.micros(Questions.AUTHOR, ours.name(), 50).orElse(0.0),
                wire.micros(ECHO_22, "echo", 50).orElse(0.0)));
        String missed = goals.missed().isEmpty() ? "" : "; not: " + String.join(", ", goals.missed());
        conclusion.add(goals.count() + " goals are met" + missed + ".");
    }

    private void show(String name, Grid grid) {
        grid.print(out);
        out.flush();
        json.put(name, grid.json());
    }

    private void say(String text) {
        err.printf(Locale.ROOT, "%4d s  %s%n", (System.nanoTime() - begun) / 1_000_000_000, text);
    }

    private static List<Target> all(Target echo, List<Target> targets) {
        List<Target> all = new ArrayList<>(targets);
        all.add(echo);
        return all;
    }

    /// The first of the peers, against which the goals are set.
    private static Optional<Target> peer(List<Target> targets) {
        return targets.size() < 2 ? Optional.empty() : Optional.of(targets.get(1));
    }

    private static Optional<Double> millis(Grid grid, String row, String column, double percentile) {
        return grid.micros(row, column, percentile).map(micros -> micros / 1000);
    }

    /// The p50 of one cell over that of another.
    private static Optional<Double> ratio(Grid grid, String row, Target target, String overRow, Target over) {
        return grid.micros(row, target.name(), 50)
                .flatMap(part -> grid.micros(overRow, over.name(), 50).map(whole -> part / whole));
    }
}
