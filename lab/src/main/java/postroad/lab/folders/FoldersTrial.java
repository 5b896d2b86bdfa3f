package postroad.lab.folders;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import postroad.lab.sync.TrialTree;

/// Runs what a [FoldersPlan] says. On each ground and line, in each round, every program brings the
/// scenes in their order onto a tree of its own; the next round has the programs in reversed order.
/// After every scene the trees are compared.
public final class FoldersTrial {
    private final FoldersPlan plan;
    private final PrintStream talk;
    private final List<Contender> contenders = new ArrayList<>();
    private final FoldersReport report;

    /// Programs that took too long or failed on a line: they are not asked again there.
    private final Set<String> givenUp = new HashSet<>();

    /// @param talk where progress goes
    public FoldersTrial(FoldersPlan plan, PrintStream talk) {
        this.plan = plan;
        this.talk = talk;
        this.report = new FoldersReport(plan);
    }

    /// Whether this process is root's.
    public static boolean isRoot() throws IOException {
        return Files.getFileStore(Path.of("/")).supportsFileAttributeView("unix")
                && Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
    }

    /// Runs all of it.
    ///
    /// @throws IllegalStateException when a session of this program did not end well, or did not
    ///     make the sender's tree
    public FoldersReport run() throws IOException, InterruptedException {
        for (Ground ground : plan.grounds()) {
            Stage stage = new Stage(ground);
            chooseContenders(ground.folder());
            for (Line line : plan.lines()) {
                try (Wan wan =
                        plan.wanlink().isPresent() ? Wan.up(plan.wanlink().get(), line) : Wan.loopback()) {
                    for (int round = 1; round <= plan.rounds(); round++) {
                        stage.round(line, wan, round);
                    }
                    wan.complaint().ifPresent(text -> report.remark(ground, line, text));
                }
            }
            stage.remove();
        }
        return report;
    }

    private void chooseContenders(Path folder) throws IOException {
        contenders.clear();
        Path state = Files.createDirectories(folder.resolve("state"));
        for (int parallel : plan.parallel()) {
            contenders.add(new Postroad(
                    plan.program(),
                    state.resolve("postroad"),
                    parallel,
                    plan.parallel().size() == 1));
        }
        for (String peer : plan.peers()) {
            for (Contender contender : peers(peer, state)) {
                Optional<String> missing = contender.missing();
                if (missing.isEmpty()) {
                    contenders.add(contender);
                } else {
                    report.skipped(peer, missing.get());
                }
            }
        }
    }

    private List<Contender> peers(String name, Path state) {
        return switch (name) {
            case "rsync" -> List.of(new Rsync(state));
            case "ffsync" ->
                plan.parallel().stream()
                        .<Contender>map(parallel -> new Ffsync(state.resolve("ffsync"), parallel))
                        .toList();
            default -> throw new IllegalArgumentException("--peers knows rsync and ffsync, not " + name);
        };
    }

    /// The trees on one ground.
    private final class Stage {
        private final Ground ground;
        private final Path target;
        private final Map<Scene, Path> sources = new EnumMap<>(Scene.class);
        private final Map<Scene, Map<String, String>> expected = new EnumMap<>(Scene.class);

        Stage(Ground ground) throws IOException, InterruptedException {
            this.ground = ground;
            this.target = ground.folder().resolve("target");
            Path tree = plan.fixture().orElse(ground.folder().resolve("source"));
            if (plan.fixture().isEmpty()) {
                talk.println(ground.word() + ": making a tree of " + plan.files() + " files, seed " + plan.seed());
                if (plan.small()) {
                    TrialTree.small(tree, plan.seed(), plan.files());
                } else {
                    TrialTree.mixed(tree, plan.seed(), plan.files());
                }
            }
            sources.put(Scene.FRESH, tree);
            sources.put(Scene.UNCHANGED, tree);
            if (plan.scenes().contains(Scene.EDITED)) {
                TrialTree.edit(copied(Scene.EDITED));
                TrialTree.addBeside(sources.get(Scene.EDITED), plan.seed());
            }
            if (plan.scenes().contains(Scene.RENAMED)) {
                TrialTree.rename(copied(Scene.RENAMED));
            }
            for (Scene scene : plan.scenes()) {
                expected.put(scene, TrialTree.describe(sources.get(scene)));
            }
            report.tree(tree);
        }

        private Path copied(Scene scene) throws IOException, InterruptedException {
            Path copy = ground.folder().resolve(scene.word());
            TrialTree.copy(sources.get(Scene.FRESH), copy);
            sources.put(scene, copy);
            return copy;
        }

        void remove() throws IOException {
            TrialTree.remove(target);
            for (Path source : sources.values()) {
                if (plan.fixture().isEmpty() || !source.equals(plan.fixture().get())) {
                    TrialTree.remove(source);
                }
            }
        }

        void round(Line line, Wan wan, int round) throws IOException, InterruptedException {
            List<Contender> order = new ArrayList<>(contenders);
            if (round % 2 == 0) {
                Collections.reverse(order);
            }
            for (Contender contender : order) {
                scenes(contender, line, wan, round);
            }
            report.floor(ground, line, plainWrite());
        }

        private void scenes(Contender contender, Line line, Wan wan, int round)
                throws IOException, InterruptedException {
            for (Scene scene : plan.scenes()) {
                if (givenUp.contains(line + contender.name())) {
                    return;
                }
                prepare(scene);
                bring(contender, new Row(ground, line, contender.name(), scene), wan, round);
            }
        }

        private void prepare(Scene scene) throws IOException, InterruptedException {
            TrialTree.remove(target);
            if (scene != Scene.FRESH) {
                TrialTree.copy(sources.get(Scene.FRESH), target);
            }
        }

        private void bring(Contender contender, Row row, Wan wan, int round) throws IOException, InterruptedException {
            try {
                Duration took = contender.bring(sources.get(row.scene()), target, wan, plan.limit());
                String result = TrialTree.difference(expected.get(row.scene()), TrialTree.describe(target));
                if (contender.isOurs() && !result.equals("equal")) {
                    throw new IllegalStateException("the receiver's tree after " + row + ": " + result);
                }
                report.add(row, took, result);
                talk.printf(
                        Locale.ROOT,
                        "%s, %s, round %d of %d: %s, %s: %.2f s%s%n",
                        ground.word(),
                        row.line(),
                        round,
                        plan.rounds(),
                        row.program(),
                        row.scene().word(),
                        took.toNanos() / 1e9,
                        result.equals("equal") ? "" : ", " + result);
            } catch (IOException e) {
                if (contender.isOurs()) {
                    throw new IllegalStateException(row + " failed: " + e.getMessage(), e);
                }
                givenUp.add(row.line() + row.program());
                report.failed(row, e.getMessage());
                talk.println(row.program() + ", " + row.scene().word() + ": " + e.getMessage());
            }
        }

        /// What the disk takes by itself: every file of the tree made and written once, one after
        /// the other.
        private Duration plainWrite() throws IOException {
            TrialTree.remove(target);
            Path source = sources.get(Scene.FRESH);
            List<Path> all;
            try (Stream<Path> walk = Files.walk(source)) {
                all = walk.toList();
            }
            long begun = System.nanoTime();
            for (Path path : all) {
                Path to = target.resolve(source.relativize(path).toString());
                if (Files.isDirectory(path)) {
                    Files.createDirectories(to);
                } else if (Files.isRegularFile(path)) {
                    try (InputStream in = new BufferedInputStream(Files.newInputStream(path), 1 << 16);
                            OutputStream out = Files.newOutputStream(to)) {
                        in.transferTo(out);
                    }
                }
            }
            Duration took = Duration.ofNanos(System.nanoTime() - begun);
            TrialTree.remove(target);
            return took;
        }
    }
}
