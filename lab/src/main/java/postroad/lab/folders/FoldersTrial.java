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
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import postroad.lab.sync.TreeState;
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
    private final Set<Row.Series> givenUp = new HashSet<>();

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
            case "rsync-ssh" -> List.of(new RsyncOverSsh(state.resolve("ssh")));
            case "ffsync" ->
                plan.parallel().stream()
                        .<Contender>map(parallel -> new Ffsync(state.resolve("ffsync"), parallel))
                        .toList();
            default -> throw new IllegalArgumentException("--peers knows rsync, rsync-ssh and ffsync, not " + name);
        };
    }

    /// The trees on one ground.
    private final class Stage {
        private final Ground ground;
        private final Path tree;
        private final Path source;
        private final Path target;

        Stage(Ground ground) throws IOException {
            this.ground = ground;
            this.tree = plan.fixture().orElse(ground.folder().resolve("tree"));
            this.source = ground.folder().resolve("source");
            this.target = ground.folder().resolve("target");
            if (plan.fixture().isEmpty()) {
                talk.println(ground.word() + ": making a tree of " + plan.files() + " files, seed " + plan.seed());
                plan.shape().make(tree, plan.seed(), plan.files());
            }
            report.tree(tree);
        }

        void remove() throws IOException {
            TrialTree.remove(target);
            TrialTree.remove(source);
            if (plan.fixture().isEmpty()) {
                TrialTree.remove(tree);
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

        /// Each scene goes on from what the program itself made of the one before.
        private void scenes(Contender contender, Line line, Wan wan, int round)
                throws IOException, InterruptedException {
            TrialTree.remove(source);
            TrialTree.remove(target);
            TrialTree.copy(tree, source);
            if (!plan.scenes().contains(TreeState.FRESH)) {
                bring(contender, new Row(ground, line, contender.name(), TreeState.FRESH), wan, round);
            }
            for (TreeState scene : plan.scenes()) {
                change(scene, contender);
                bring(contender, new Row(ground, line, contender.name(), scene), wan, round);
            }
        }

        private void change(TreeState scene, Contender contender) throws IOException {
            List<Path> files = TrialTree.files(source).stream()
                    .filter(file -> contender
                            .ownNames()
                            .filter(file.toString()::endsWith)
                            .isEmpty())
                    .toList();
            switch (scene) {
                case FRESH, UNCHANGED -> {}
                case EDITED -> {
                    TrialTree.edit(files);
                    TrialTree.addBeside(files, plan.seed());
                }
                case RENAMED -> TrialTree.rename(files);
            }
        }

        private String difference(Contender contender) throws IOException {
            return TrialTree.difference(described(source, contender), described(target, contender));
        }

        private Map<String, String> described(Path root, Contender contender) throws IOException {
            Map<String, String> names = TrialTree.describe(root);
            contender.ownNames().ifPresent(end -> names.keySet().removeIf(name -> name.endsWith(end)));
            return names;
        }

        private void bring(Contender contender, Row row, Wan wan, int round) throws IOException, InterruptedException {
            if (givenUp.contains(row.series())) {
                return;
            }
            try {
                Duration took = contender.bring(source, target, wan, plan.limit());
                String result = difference(contender);
                if (contender.isOurs() && !result.equals("equal")) {
                    throw new IllegalStateException("the receiver's tree after " + row + ": " + result);
                }
                if (plan.scenes().contains(row.scene())) {
                    report.add(row, took, result);
                }
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
                givenUp.add(row.series());
                report.failed(row, e.getMessage());
                talk.println(row.program() + ", " + row.scene().word() + ": " + e.getMessage());
            }
        }

        /// What the disk takes by itself: every file of the tree made and written once, one after
        /// the other.
        private Duration plainWrite() throws IOException {
            TrialTree.remove(target);
            List<Path> all;
            try (Stream<Path> walk = Files.walk(tree)) {
                all = walk.toList();
            }
            long begun = System.nanoTime();
            for (Path path : all) {
                Path to = target.resolve(tree.relativize(path).toString());
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
