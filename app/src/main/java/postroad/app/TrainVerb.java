package postroad.app;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.commons.cli.Options;
import postroad.common.SecretKey;
import postroad.nostr.core.EventDraft;
import postroad.nostr.core.Signer;
import postroad.nostr.core.Tag;

/// `postroad train`: exercises the program on a throwaway home, for the launcher to make start-up caches from.
///
/// Not for people, so it is not in the overview.
final class TrainVerb implements Verb {
    private static final int EVENTS = 500;
    private static final int ROUNDS = 3;
    private static final int FILES = 60;

    @Override
    public String name() {
        return "train";
    }

    @Override
    public String words() {
        return "short|node|sync";
    }

    @Override
    public String description() {
        return """
                Runs the program once on a throwaway home, for the launcher to make its start-up caches from:
                the short commands, the node as well, or folder sync.
                """;
    }

    @Override
    public String example() {
        return """
                postroad train short
                """;
    }

    @Override
    public Options options() {
        return new Options();
    }

    @Override
    public int run(Arguments arguments, Console console) throws Exception {
        arguments.requireWords(1, 1, "short, node or sync");
        Path folder = Files.createTempDirectory("postroad-train-");
        try {
            if (arguments.words().getFirst().equals("sync")) {
                folderSync(folder);
                return DONE;
            }
            shortCommands(folder);
            withNode(folder, arguments.words().getFirst().equals("node"));
            return DONE;
        } finally {
            deleteTree(folder);
        }
    }

    private static void shortCommands(Path folder) throws IOException {
        silently(folder, "--help");
        silently(folder, "--version");
        silently(folder, "req", "--help");
        silently(folder, "config");
        silently(folder, "key", folder.resolve("key").toString());
        silently(folder, "info");
    }

    /// Runs a node in this process and speaks to it as the command line does.
    private static void withNode(Path folder, boolean warm) throws Exception {
        PipedInputStream out = new PipedInputStream(64 << 10);
        PrintStream toUs = new PrintStream(new PipedOutputStream(out), true, UTF_8);
        List<String> up = new ArrayList<>(List.of("up", "--listen", "127.0.0.1:0"));
        Thread node = Thread.ofPlatform()
                .name("train-node")
                .start(() -> Main.run(up, InputStream.nullInputStream(), toUs, nowhere(), environment(folder)));
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(out, UTF_8))) {
            String line = reader.readLine();
            if (line == null || !line.startsWith("relay ")) {
                throw new Failure("the node did not start");
            }
            String url = line.substring("relay ".length());
            String key = folder.resolve("key").toString();
            silently(folder, "publish", url, "--key", key, "--content", "hello", "--tag", "t=intro");
            silently(folder, "req", url, "{\"kinds\":[1],\"limit\":5}");
            silently(folder, "count", url, "{}");
            silently(folder, "info", url);
            silently(folder, "info", "--json");
            if (warm) {
                silently(events(), folder, "import");
                silently(folder, "req", url, "{\"limit\":400}");
                silently(folder, "export");
            }
        } finally {
            node.interrupt();
            node.join();
        }
    }

    /// Brings a small tree over a loopback connection, changes it, and brings it again, as two sides in this process.
    private static void folderSync(Path folder) throws Exception {
        Path source = Files.createDirectories(folder.resolve("source").resolve("inside"));
        PipedInputStream out = new PipedInputStream(64 << 10);
        PrintStream toUs = new PrintStream(new PipedOutputStream(out), true, UTF_8);
        Map<String, String> there =
                Map.of("POSTROAD_HOME", folder.resolve("there").toString());
        List<String> words =
                List.of("receive", folder.resolve("target").toString(), "--listen", "127.0.0.1:0", "--trust-first");
        Thread receiver = Thread.ofPlatform()
                .name("train-receive")
                .start(() -> Main.run(words, InputStream.nullInputStream(), toUs, nowhere(), there));
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(out, UTF_8))) {
            String line = reader.readLine();
            while (line != null && !line.startsWith("listening ")) {
                line = reader.readLine();
            }
            if (line == null) {
                throw new Failure("the receiver did not start");
            }
            Thread drain =
                    Thread.ofPlatform().daemon().start(() -> reader.lines().forEach(each -> {}));
            String peer = line.substring("listening ".length());
            for (int round = 0; round < ROUNDS; round++) {
                for (int i = 0; i < FILES; i++) {
                    Files.writeString(source.resolve("file-" + i), ("line " + i * round + "\n").repeat(1 + 40 * i));
                }
                Files.write(source.resolve("large"), new byte[(1 + round) << 20]);
                silently(folder, "send", source.getParent().toString(), peer, "--trust-first", "--itemize");
            }
            receiver.interrupt();
            receiver.join();
            toUs.close();
            drain.join();
        }
    }

    private static byte[] events() {
        Signer signer = new Signer(SecretKey.random());
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < EVENTS; i++) {
            List<Tag> tags = List.of(
                    Tag.of("t", "tag" + i % 7), Tag.of("p", signer.publicKey().hex()));
            lines.append(signer.sign(new EventDraft(1_700_000_000 + i, i % 9, tags, "event \"" + i + "\"\n"))
                    .json());
            lines.append('\n');
        }
        return lines.toString().getBytes(UTF_8);
    }

    private static void silently(Path folder, String... words) {
        silently(new byte[0], folder, words);
    }

    private static void silently(byte[] input, Path folder, String... words) {
        // A failure here costs a slower start and nothing else; the tests of each verb are elsewhere.
        int _ = Main.run(
                Arrays.asList(words), new ByteArrayInputStream(input), nowhere(), nowhere(), environment(folder));
    }

    private static PrintStream nowhere() {
        return new PrintStream(OutputStream.nullOutputStream(), true, UTF_8);
    }

    private static Map<String, String> environment(Path folder) {
        return Map.of("POSTROAD_HOME", folder.resolve("home").toString());
    }

    private static void deleteTree(Path root) throws IOException {
        try (Stream<Path> paths = Files.walk(root)) {
            for (Path path : paths.toList().reversed()) {
                Files.deleteIfExists(path);
            }
        }
    }
}
