package postroad.lab;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import postroad.lab.folders.FoldersPlan;
import postroad.lab.folders.FoldersReport;
import postroad.lab.folders.FoldersTrial;
import postroad.lab.folders.Ground;
import postroad.lab.folders.Line;
import postroad.lab.process.Jvm;
import postroad.lab.sync.TreeShape;
import postroad.lab.sync.TreeState;
import postroad.sync.core.SessionOptions;

/// `bench folders`: this program beside those that a user would choose instead.
final class FoldersBench {
    /// Options with a value.
    static final Set<String> OPTIONS = Set.of(
            "--wanlink",
            "--peers",
            "--rtt-ms",
            "--loss",
            "--rate-mbit",
            "--congestion",
            "--buffers",
            "--parallel",
            "--state",
            "--ground",
            "--rounds",
            "--seed",
            "--files",
            "--fixture",
            "--out-dir",
            "--limit",
            "--json");

    /// Options without one.
    static final Set<String> FLAGS = Set.of("--quick", "--small", "--tiny");

    /// Options that only a made link has.
    private static final List<String> OF_LINKS =
            List.of("--rtt-ms", "--loss", "--rate-mbit", "--congestion", "--buffers");

    private static final Path MEMORY = Path.of("/dev/shm");
    private static final int MOST_MILLIS = 2_000;
    private static final int MOST_MEGABITS = 100_000;

    /// The launcher's options for folder sync, for where there is no launcher.
    private static final List<String> JVM = List.of(
            "-XX:+UseSerialGC",
            "-Xmx160m",
            "-XX:MaxDirectMemorySize=32m",
            "-XX:ReservedCodeCacheSize=48m",
            "-XX:MaxMetaspaceSize=64m");

    private FoldersBench() {}

    static void run(List<String> args, PrintStream out, PrintStream err) throws IOException, InterruptedException {
        Arguments arguments = new Arguments(args, OPTIONS, FLAGS);
        List<String> where = arguments.words("--ground", "memory,disk");
        if (!Set.of("memory", "disk").containsAll(where)) {
            throw new IllegalArgumentException("--ground is memory or disk, or both with a comma between");
        }
        boolean onDisk = where.contains("disk");
        boolean inMemory = where.contains("memory");
        requireMeans(arguments, inMemory);
        Optional<Path> folder = arguments.text("--out-dir").map(Path::of);
        if (folder.isPresent()) {
            Files.createDirectories(folder.get());
        }
        try (Scratch memory = inMemory ? Scratch.in(MEMORY) : Scratch.make();
                Scratch disk = folder.isPresent() ? Scratch.in(folder.get()) : Scratch.make()) {
            List<Ground> grounds = new ArrayList<>();
            if (inMemory) {
                grounds.add(new Ground("in memory", memory.folder()));
            }
            if (onDisk) {
                grounds.add(new Ground("on disk", disk.folder()));
            }
            FoldersReport report = new FoldersTrial(plan(arguments, grounds), err).run();
            report.print(out);
            if (arguments.text("--json").isPresent()) {
                Results.write(Path.of(arguments.text("--json").get()), "folders", report.data());
            }
        }
    }

    private static void requireMeans(Arguments arguments, boolean inMemory) throws IOException {
        if (arguments.text("--wanlink").isEmpty()) {
            for (String name : OF_LINKS) {
                if (arguments.text(name).isPresent()) {
                    throw new IllegalArgumentException(
                            name + " is for links that are made: say with --wanlink where the script for them is");
                }
            }
        } else if (!Files.isRegularFile(Path.of(arguments.text("--wanlink").get()))) {
            throw new IllegalArgumentException(
                    "--wanlink " + arguments.text("--wanlink").get() + " is no file");
        } else if (!FoldersTrial.isRoot()) {
            throw new IllegalArgumentException("--wanlink makes network namespaces, for which this must run as root");
        }
        if (inMemory && !Files.isWritable(MEMORY)) {
            throw new IllegalArgumentException("--ground memory needs " + MEMORY + ", which is not there; say disk");
        }
    }

    /// Reads what is to be run.
    ///
    /// @throws IllegalArgumentException with a text for the user
    static FoldersPlan plan(Arguments arguments, List<Ground> grounds) {
        TreeShape shape = TreeShape.of(arguments.has("--small"), arguments.has("--tiny"));
        Optional<Path> fixture = arguments.text("--fixture").map(Path::of);
        if (fixture.isPresent() && !Files.isDirectory(fixture.get())) {
            throw new IllegalArgumentException("--fixture " + fixture.get() + " is no folder");
        }
        return new FoldersPlan(
                program(),
                arguments.text("--wanlink").map(Path::of),
                lines(arguments),
                peers(arguments),
                arguments.numbers("--parallel", "4", 1, SessionOptions.MAX_PARALLEL),
                arguments.words("--state", "fresh,unchanged,edited,renamed").stream()
                        .map(TreeState::of)
                        .sorted()
                        .toList(),
                grounds,
                (int) arguments.number("--rounds", arguments.has("--quick") ? 1 : 3, 1),
                arguments.number("--seed", 42, Long.MIN_VALUE),
                (int) arguments.number("--files", shape.usualFiles(), 1),
                shape,
                fixture,
                Duration.ofSeconds(arguments.number("--limit", 300, 1)));
    }

    /// As the user starts it: by the launcher that started this one.
    private static List<String> program() {
        String launcher = System.getProperty("postroad.program", "");
        return launcher.isEmpty() ? Jvm.command(JVM, "postroad.app.Main", List.of()) : List.of(launcher);
    }

    private static List<String> peers(Arguments arguments) {
        List<String> peers = arguments.words("--peers", "rsync,ffsync").stream()
                .filter(name -> !name.equals("none"))
                .toList();
        for (String peer : peers) {
            if (!Set.of("rsync", "rsync-ssh", "ffsync").contains(peer)) {
                throw new IllegalArgumentException("--peers knows rsync, rsync-ssh, ffsync and none, not " + peer);
            }
        }
        return peers;
    }

    private static List<Line> lines(Arguments arguments) {
        if (arguments.text("--wanlink").isEmpty()) {
            return List.of(Line.LOOPBACK);
        }
        List<Line> lines = new ArrayList<>();
        for (int rtt : arguments.numbers("--rtt-ms", "30", 1, MOST_MILLIS)) {
            for (int megabits : arguments.numbers("--rate-mbit", "1000", 0, MOST_MEGABITS)) {
                for (String loss : arguments.words("--loss", "0")) {
                    for (String congestion : arguments.words("--congestion", "cubic")) {
                        for (String buffers : arguments.words("--buffers", "wide")) {
                            lines.add(new Line(rtt, percent(loss), megabits, name(congestion), isSystem(buffers)));
                        }
                    }
                }
            }
        }
        return lines;
    }

    private static double percent(String word) {
        if (!word.matches("[0-9]{1,2}(\\.[0-9]{1,4})?")) {
            throw new IllegalArgumentException("--loss needs percents such as 0.1, with commas between, not " + word);
        }
        return Double.parseDouble(word);
    }

    private static String name(String word) {
        if (!word.matches("[a-z0-9_-]{1,15}")) {
            throw new IllegalArgumentException(
                    "--congestion needs names such as bbr, with commas between, not " + word);
        }
        return word;
    }

    private static boolean isSystem(String word) {
        return switch (word) {
            case "wide" -> false;
            case "system" -> true;
            default -> throw new IllegalArgumentException("--buffers is wide or system, not " + word);
        };
    }
}
