package postroad.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import postroad.lab.process.Child;
import postroad.lab.process.ProcessFigures;

/// A sender's folder and a receiver's, and the processes that sync them: of an ordinary user, in the locale `C`, on
/// the loopback.
///
/// Names are made by the shell and compared by `find` and `sha256sum`, so that neither Java nor the program under test
/// has a say in what their bytes are.
final class SyncSides {
    static final Duration PATIENCE = Duration.ofMinutes(2);

    private static final int NOT_FOUND = 127;
    private static final long LOOK_NANOS = 10_000_000;
    /// What the launcher's limits are to keep each side below.
    private static final long MOST_RESIDENT = 300L << 20;

    private final Path folder;
    private final Path source;
    private final Path target;

    private SyncSides(Path folder, Path target) {
        this.folder = folder;
        this.source = folder.resolve("source");
        this.target = target;
    }

    /// Makes both folders, empty, below `folder`.
    static SyncSides in(Path folder) throws Exception {
        SyncSides sides = new SyncSides(folder, folder.resolve("target"));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        for (String name : List.of("source", "target", "home-send", "home-receive", "outside")) {
            Files.createDirectory(folder.resolve(name));
            Tool.run("chown", OrdinaryUser.name(), folder.resolve(name).toString());
        }
        List<String> look = List.of("test", "-r", Program.JARS.toString());
        assumeTrue(
                Tool.run(OrdinaryUser.command(look)).status() == 0,
                "the program is not packaged, or no ordinary user may read where it lies");
        return sides;
    }

    /// The same sender with another receiving folder.
    SyncSides to(Path other) {
        return new SyncSides(folder, other);
    }

    Path source() {
        return source;
    }

    Path target() {
        return target;
    }

    /// A folder that is neither side's.
    Path outside() {
        return folder.resolve("outside");
    }

    /// Empties a folder.
    static void empty(Path tree) throws InterruptedException {
        List<String> line = List.of("find", tree.toString(), "-mindepth", "1", "-delete");
        Tool.run("chmod", "-R", "u+rwX", tree.toString());
        assertThat(Tool.run(line)).matches(done -> done.status() == 0);
    }

    /// Runs a script of the shell in a folder, as the ordinary user.
    static void shell(Path in, String script) throws InterruptedException {
        List<String> line = List.of("env", "LC_ALL=C", "sh", "-euc", "cd \"$0\"\n" + script, in.toString());
        Tool.Outcome ended = Tool.run(OrdinaryUser.command(line));
        assertThat(ended.status()).as("%s\n%s", script, ended.said()).isZero();
    }

    /// Starts `receive` on the target and waits until it listens.
    Receiver receive(String... options) throws IOException, InterruptedException {
        return receiveAt("127.0.0.1:0", options);
    }

    /// The same at an address.
    Receiver receiveAt(String address, String... options) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of(
                "receive",
                target.toString(),
                "--home",
                folder.resolve("home-receive").toString()));
        words.addAll(List.of("--listen", address, "--json"));
        words.addAll(List.of(options));
        Child child = Child.start(builder(words));
        try {
            return new Receiver(child, child.awaitLine("listening ", PATIENCE).strip());
        } catch (IOException | InterruptedException | RuntimeException e) {
            child.close();
            throw e;
        }
    }

    /// Runs `send` of the source to its end.
    Sent send(Receiver receiver, String... options) throws IOException, InterruptedException {
        return sendFrom(source, "home-send", receiver, options);
    }

    /// The same to whoever listens at an address.
    Sent sendTo(String address, String... options) throws IOException, InterruptedException {
        return send(words(source, "home-send", address, options));
    }

    /// The same from another folder, and as another identity.
    Sent sendFrom(Path from, String home, Receiver receiver, String... options)
            throws IOException, InterruptedException {
        return send(words(from, home, receiver.address(), options));
    }

    private Sent send(List<String> words) throws IOException, InterruptedException {
        Path out = Files.createTempFile("postroad-out-", ".txt");
        try (Child child = Child.start(builder(words).redirectOutput(out.toFile()))) {
            long peak = peakUntilTheEnd(child);
            int status = child.await(PATIENCE);
            assertThat(peak).as("resident bytes of a sender").isLessThan(MOST_RESIDENT);
            return new Sent(status, Files.readString(out, StandardCharsets.ISO_8859_1), child.talk());
        } finally {
            Files.delete(out);
        }
    }

    /// The most memory that a process had; the system keeps that figure, so only its last moments may be missed.
    private static long peakUntilTheEnd(Child child) {
        long until = System.nanoTime() + PATIENCE.toNanos();
        long peak = 0;
        while (child.isAlive() && System.nanoTime() < until) {
            peak = Math.max(peak, peak(child));
            LockSupport.parkNanos(LOOK_NANOS);
        }
        return peak;
    }

    private static long peak(Child child) {
        try {
            return ProcessFigures.of(child.pid()).peakBytes();
        } catch (IOException | IllegalStateException e) {
            // It is over.
            return 0;
        }
    }

    /// Starts `send` of the source.
    Child startSend(Receiver receiver, String... options) throws IOException {
        return Child.start(builder(words(source, "home-send", receiver.address(), options)));
    }

    private List<String> words(Path from, String home, String address, String... options) {
        List<String> words = new ArrayList<>(List.of("send", from.toString(), address));
        words.addAll(List.of("--home", folder.resolve(home).toString(), "--json"));
        words.addAll(List.of(options));
        return words;
    }

    private ProcessBuilder builder(List<String> words) {
        List<String> line = new ArrayList<>(List.of("env", "-u", "LC_ALL", "LANG=C"));
        line.addAll(Program.command());
        line.addAll(words);
        return new ProcessBuilder(OrdinaryUser.command(line))
                .directory(folder.toFile())
                .redirectInput(new File("/dev/null"));
    }

    /// Makes a folder for another identity of a sender's.
    void makeHome(String name) throws IOException, InterruptedException {
        Path made = Files.createDirectory(folder.resolve(name));
        Tool.run("chown", OrdinaryUser.name(), made.toString());
    }

    /// Both trees are the same in names, kinds, bytes, modes, times and links, and nothing else is in the receiver's;
    /// pipes and sockets aside.
    void areEqual() throws IOException, InterruptedException {
        assertThat(state(target)).containsExactlyElementsOf(state(source));
    }

    /// All of a tree, a line for each name, as bytes that are printable.
    static List<String> state(Path tree) throws IOException, InterruptedException {
        String script = "cd \"$0\" && find . -mindepth 1 ! -type p ! -type s"
                + " -printf '%p\\0%y %m %T@ %l\\0' && printf '\\0' && find . -type f -exec sha256sum -bz {} +";
        Path out = Files.createTempFile("postroad-state-", ".bin");
        try {
            int status = new ProcessBuilder("env", "LC_ALL=C", "sh", "-c", script, tree.toString())
                    .redirectOutput(out.toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
            assertThat(status).as("looking at %s", tree).isNotEqualTo(NOT_FOUND);
            return lines(Files.readString(out, StandardCharsets.ISO_8859_1).split("\0", -1));
        } finally {
            Files.delete(out);
        }
    }

    private static List<String> lines(String[] words) {
        TreeMap<String, String> lines = new TreeMap<>();
        int at = 0;
        while (!words[at].isEmpty()) {
            lines.put(words[at], words[at + 1]);
            at += 2;
        }
        for (at++; at < words.length && !words[at].isEmpty(); at++) {
            int space = words[at].indexOf(' ');
            lines.merge(
                    words[at].substring(space + 2), words[at].substring(0, space), (meta, hash) -> meta + " " + hash);
        }
        return lines.entrySet().stream()
                .map(each -> printable(each.getKey()) + " " + printable(each.getValue()))
                .toList();
    }

    private static String printable(String bytes) {
        StringBuilder text = new StringBuilder();
        bytes.chars()
                .forEach(each -> text.append(
                        each >= ' ' && each < 127 ? Character.toString(each) : String.format("<%02x>", each)));
        return text.toString();
    }

    /// A `receive` that serves.
    record Receiver(Child child, String address) implements AutoCloseable {
        /// The number of its port.
        int port() {
            return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
        }

        /// The same one by another way.
        Receiver at(String way) {
            return new Receiver(child, way);
        }

        /// Asks it to end, and waits; returns the exit status. By then it must have stayed within its memory.
        int stop() throws IOException, InterruptedException {
            assertThat(peak(child)).as("resident bytes of a receiver").isLessThan(MOST_RESIDENT);
            child.terminate();
            return child.await(PATIENCE);
        }

        @Override
        public void close() {
            child.close();
        }
    }

    /// How a `send` ended: exit status, its JSON, what it said.
    record Sent(int status, String json, String talk) {
        /// A number of the JSON.
        long number(String name) {
            String rest = json.substring(json.indexOf("\"" + name + "\":") + name.length() + 3);
            return Long.parseLong(rest.replaceAll("(?s)[^0-9].*", ""));
        }

        /// How long it took by its own account.
        double seconds() {
            return Double.parseDouble(json.replaceAll("(?s).*\"seconds\":([0-9.]+).*", "$1"));
        }

        Sent hasStatus(int wanted) {
            assertThat(status).as("%s\n%s", talk, json).isEqualTo(wanted);
            return this;
        }
    }
}
