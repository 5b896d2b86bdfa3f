package postroad.lab.latency;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import postroad.lab.sync.TreeSize;
import postroad.lab.sync.TreeState;
import postroad.lab.sync.TrialSession;
import postroad.lab.sync.TrialTree;
import postroad.sync.core.SessionOptions;
import postroad.wire.Identity;

/// Runs what a [LatencyPlan] says: in each round every kind of session once, in the next round in reversed order, each
/// on the real sender and receiver, into a tree that is then compared byte for byte.
public final class LatencyTrial {
    /// Sessions over no wire that let the compiler do its work before anything is measured.
    private static final int WARM_UPS = 2;

    private static final int WARM_UP_FILES = 1000;

    private final LatencyPlan plan;
    private final Path folder;
    private final PrintStream talk;
    private final Path receiver;
    private final Map<TreeState, Path> sources = new EnumMap<>(TreeState.class);
    private final Map<TreeState, Map<String, String>> expected = new EnumMap<>(TreeState.class);
    private final Optional<SimulatedDialing.Identities> identities;
    private long rewritten;

    /// @param folder where trees may lie; what this makes there is gone afterwards
    /// @param talk where progress goes
    public LatencyTrial(LatencyPlan plan, Path folder, PrintStream talk) throws IOException {
        this.plan = plan;
        this.folder = folder;
        this.talk = talk;
        this.receiver = folder.resolve("receiver");
        this.identities = plan.tls()
                ? Optional.of(new SimulatedDialing.Identities(
                        Identity.loadOrCreate(folder.resolve("sender-identity")),
                        Identity.loadOrCreate(folder.resolve("receiver-identity"))))
                : Optional.empty();
    }

    /// Runs all of it.
    ///
    /// @throws IllegalStateException when a session did not end well, or its result is not the sender's tree
    public LatencyReport run() throws IOException, InterruptedException {
        prepare();
        warmUp();
        List<Cell> cells = cells();
        Map<Cell, List<Sample>> samples = new LinkedHashMap<>();
        cells.forEach(cell -> samples.put(cell, new ArrayList<>()));
        for (int round = 1; round <= plan.rounds(); round++) {
            List<Cell> order = new ArrayList<>(cells);
            if (round % 2 == 0) {
                Collections.reverse(order);
            }
            for (Cell cell : order) {
                Sample sample = measure(cell);
                samples.get(cell).add(sample);
                talk.printf(
                        Locale.ROOT,
                        "round %d of %d: %s, K = %d, %d ms: %.3f s%n",
                        round,
                        plan.rounds(),
                        cell.group(),
                        cell.parallel(),
                        cell.rttMillis(),
                        sample.nanos() / 1e9);
            }
        }
        return new LatencyReport(plan, TreeSize.of(sources.get(TreeState.FRESH)), rewritten, samples);
    }

    private void prepare() throws IOException, InterruptedException {
        Path tree = plan.fixture().orElse(folder.resolve("fixture"));
        if (plan.fixture().isEmpty()) {
            talk.println("making a tree of " + plan.files() + " files, seed " + plan.seed());
            plan.shape().make(tree, plan.seed(), plan.files());
        } else if (!Files.isDirectory(tree)) {
            throw new IllegalArgumentException("--fixture " + tree + " is no folder");
        }
        sources.put(TreeState.FRESH, tree);
        sources.put(TreeState.UNCHANGED, tree);
        if (plan.states().contains(TreeState.EDITED)) {
            rewritten = TrialTree.edit(copied(tree, TreeState.EDITED));
        }
        if (plan.states().contains(TreeState.RENAMED)) {
            TrialTree.rename(copied(tree, TreeState.RENAMED));
        }
        for (TreeState state : plan.states()) {
            expected.put(state, TrialTree.describe(sources.get(state)));
        }
    }

    private Path copied(Path tree, TreeState state) throws IOException, InterruptedException {
        Path copy = folder.resolve(state.word());
        session(tree, copy, 4, Optional.empty(), 0);
        sources.put(state, copy);
        return copy;
    }

    private void warmUp() throws IOException, InterruptedException {
        talk.println("warming up");
        Path from = folder.resolve("warm-up");
        TrialTree.small(from, plan.seed(), WARM_UP_FILES);
        for (int i = 0; i < WARM_UPS; i++) {
            session(from, receiver, 4, Optional.empty(), 0);
            session(from, receiver, 1, Optional.empty(), 0);
            TrialTree.remove(receiver);
        }
        TrialTree.remove(from);
    }

    /// Every row, and for each K one over a wire without delay.
    private List<Cell> cells() {
        List<Cell> cells = new ArrayList<>();
        for (TreeState state : plan.states()) {
            for (Optional<Integer> inFlight : plan.inFlight()) {
                for (int parallel : plan.parallel()) {
                    cells.add(new Cell(state, inFlight, parallel, 0));
                    plan.rttMillis().forEach(millis -> cells.add(new Cell(state, inFlight, parallel, millis)));
                }
            }
        }
        return cells;
    }

    private Sample measure(Cell cell) throws IOException, InterruptedException {
        TrialTree.remove(receiver);
        if (cell.state() != TreeState.FRESH) {
            session(sources.get(TreeState.FRESH), receiver, 4, Optional.empty(), 0);
        }
        Path source = sources.get(cell.state());
        TrialSession.Result result = session(source, receiver, cell.parallel(), cell.inFlight(), cell.rttMillis());
        if (!TrialTree.describe(receiver).equals(expected.get(cell.state()))) {
            throw new IllegalStateException("the receiver's tree is not the sender's after " + cell);
        }
        TrialTree.remove(receiver);
        return new Sample(result.took(), result.sent(), result.received());
    }

    private TrialSession.Result session(Path from, Path to, int parallel, Optional<Integer> inFlight, int rttMillis)
            throws IOException, InterruptedException {
        SessionOptions options = SessionOptions.DEFAULT.withParallel(parallel).withDelete(true);
        SessionOptions held = inFlight.map(options::withInFlight).orElse(options);
        return new TrialSession(held, held, System::nanoTime)
                .run(from, to, new SimulatedDialing(plan, rttMillis, identities));
    }
}
