package postroad.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import postroad.sync.core.Shown;

@Timeout(120)
class FolderSyncTest {
    @TempDir
    Path folder;

    private Path source;
    private Path target;
    private Path there;
    private Cli cli;

    @BeforeEach
    void plant() throws Exception {
        source = Files.createDirectory(folder.resolve("source"));
        target = folder.resolve("target");
        there = folder.resolve("there");
        cli = new Cli(folder.resolve("here"));
        Files.createDirectories(source.resolve("a/b"));
        Files.writeString(source.resolve("a/one"), "one\n");
        Files.writeString(source.resolve("a/b/two"), "two\n".repeat(100_000));
        Files.createSymbolicLink(source.resolve("link"), Path.of("a/one"));
        Files.setPosixFilePermissions(source.resolve("a/one"), PosixFilePermissions.fromString("r--r-----"));
        Files.setLastModifiedTime(source.resolve("a/one"), FileTime.fromMillis(1_700_000_000_123L));
    }

    private Cli.Result send(RunningListener receiver, String... options) {
        String[] words = Stream.concat(Stream.of("send", source.toString(), receiver.address()), Stream.of(options))
                .toArray(String[]::new);
        return cli.run(words);
    }

    /// Every name below a folder with all that is to be the same on both sides.
    private static Map<String, String> tree(Path root) throws IOException {
        Map<String, String> tree = new TreeMap<>();
        try (Stream<Path> paths = Files.walk(root)) {
            for (Path path : paths.filter(each -> !each.equals(root)).toList()) {
                String mode = Files.isSymbolicLink(path)
                        ? "-> " + Files.readSymbolicLink(path)
                        : PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
                String content = Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)
                        ? Integer.toString(Files.readString(path).hashCode())
                        : "";
                FileTime time = Files.getLastModifiedTime(path, LinkOption.NOFOLLOW_LINKS);
                tree.put(root.relativize(path).toString(), mode + " " + time + " " + content);
            }
        }
        return tree;
    }

    @Test
    void pairsOnceThenSendsAndSendsWhatChanged() throws Exception {
        try (RunningListener receiver = RunningListener.start(there, target)) {
            Cli.Result first = send(receiver, "--pair", receiver.word());

            assertThat(first.status()).as(first.err()).isZero();
            assertThat(first.out()).contains("5 names changed, 0 up to date, 0 deleted, 0 failed");
            assertThat(tree(target)).isEqualTo(tree(source));

            Files.writeString(source.resolve("a/b/two"), "three\n");
            Cli.Result second = send(receiver, "--itemize");

            assertThat(second.status()).as(second.err()).isZero();
            assertThat(second.out()).contains(">fct.  a/b/two\n").contains("1 name changed, 4 up to date");
            assertThat(tree(target)).isEqualTo(tree(source));
            assertThat(receiver.stop()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"home", "[a]*?!\\# \u00e9", "deep/er"})
    void theHomesInUseAreNeverSyncedEvenWhenTheyLieInTheTrees(String home) throws Exception {
        Path hereInSource = source.resolve(home);
        Path thereInTarget = target.resolve(home);
        Files.createDirectories(hereInSource.getParent());
        Files.createDirectories(thereInTarget.getParent());
        Files.writeString(target.resolve("stray"), "stray");
        Cli inSource = new Cli(hereInSource);
        try (RunningListener receiver = RunningListener.start(thereInTarget, target, "--delete")) {
            byte[] identity = Files.readAllBytes(thereInTarget.resolve("identity.key"));

            Cli.Result sent = inSource.run(
                    "send",
                    source.toString(),
                    receiver.address(),
                    "--delete",
                    "--include",
                    "**",
                    "--pair",
                    receiver.word());

            assertThat(sent.status()).as(sent.err()).isZero();
            assertThat(sent.err()).contains("leaving out " + Shown.of(home.getBytes(UTF_8)) + ": the home folder");
            assertThat(receiver.err()).contains("leaving out " + Shown.of(home.getBytes(UTF_8)) + ": the home folder");
            assertThat(target.resolve("stray")).doesNotExist();
            assertThat(target.resolve("a/one")).hasContent("one\n");
            assertThat(thereInTarget.resolve("identity.key")).hasBinaryContent(identity);
            // The pins of both are there still, and so is the folder that they lie in.
            assertThat(inSource.run("send", source.toString(), receiver.address(), "--delete")
                            .status())
                    .isZero();
        }
    }

    @Test
    void aHomeThatIsReachedByALinkInTheTreeKeepsTheLink() throws Exception {
        Path home = Files.createDirectory(folder.resolve("home"));
        Path link = source.resolve("way");
        Files.createSymbolicLink(link, home);
        try (RunningListener receiver = RunningListener.start(there, target)) {
            Cli.Result sent =
                    new Cli(link).run("send", source.toString(), receiver.address(), "--pair", receiver.word());

            assertThat(sent.status()).as(sent.err()).isZero();
            assertThat(Files.exists(target.resolve("way"), LinkOption.NOFOLLOW_LINKS))
                    .isFalse();
            assertThat(target.resolve("a/one")).exists();
        }
    }

    @Test
    void aHomeItselfIsNotSynced() throws Exception {
        Path home = folder.resolve("here");
        cli.run("identity");

        Cli.Result sent = cli.run("send", home.toString(), "127.0.0.1:1");
        Cli.Result received = cli.run("receive", home.toString(), "--listen", "127.0.0.1:0");
        Cli.Result asFile = cli.run("receive", home.resolve("identity.key").toString(), "--listen", "127.0.0.1:0");

        for (Cli.Result each : List.of(sent, received, asFile)) {
            assertThat(each.status()).isEqualTo(1);
            assertThat(each.err())
                    .contains("is the home folder that this command uses")
                    .contains("--home");
            assertThat(each.out()).isEmpty();
        }
    }

    @Test
    void aReceiverThatCouldNeverWriteSaysSoAtOnce() throws Exception {
        Files.createDirectory(target);
        Path reserved = Files.createSymbolicLink(target.resolve(".postroad"), source);

        Cli.Result result = cli.run("receive", target.toString(), "--listen", "127.0.0.1:0");

        assertThat(result.status()).isEqualTo(1);
        assertThat(result.err()).contains(reserved + ": it is no folder").contains("move it away");
        assertThat(result.out()).isEmpty();
    }

    @Test
    void theSideThatTurnsSomebodyAwayIsToldWhatToDoThere() throws Exception {
        String own = cli.run("identity").lines().getFirst().substring("fingerprint ".length());
        try (RunningListener receiver =
                RunningListener.start(folder.resolve("unused"), target, "--home", there.toString())) {
            assertThat(send(receiver, "--trust", receiver.fingerprint()).status())
                    .isEqualTo(1);

            receiver.stop();
            assertThat(receiver.err())
                    .contains("it is not trusted here; to trust it: postroad trust " + own + " --home " + there);
        }
    }

    @Test
    void aFingerprintThatIsNotTheOneNamedIsShownBesideIt() throws Exception {
        String other = "ab".repeat(32);
        try (RunningListener receiver = RunningListener.start(there, target)) {
            Cli.Result sent = send(receiver, "--trust", other);

            assertThat(sent.status()).isEqualTo(1);
            assertThat(sent.err())
                    .contains("is not whom --trust names: it has the fingerprint " + receiver.fingerprint() + ", not "
                            + other);
        }
    }

    @Test
    void trustFirstSaysWhyItDoesNotHelp() throws Exception {
        cli.run("trust", "ab".repeat(32));
        try (RunningListener receiver = RunningListener.start(there, target)) {
            Cli.Result sent = send(receiver, "--trust-first");

            assertThat(sent.status()).isEqualTo(1);
            assertThat(sent.err())
                    .contains("--trust-first is for when nobody is trusted yet, and 1 certificate is here");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "send | PATH is missing",
                "send x | HOST:PORT (or --listen ADDR:PORT) is missing",
                "send '' h | PATH is empty",
                "receive | PATH is missing",
                "receive '' | PATH is empty",
                "send x 7448 | HOST:PORT must be HOST:PORT, such as 192.0.2.7:7448, not 7448",
                "receive x --listen 18503 | --listen must be ADDR:PORT or :PORT, such as 0.0.0.0:7448, not 18503",
                "receive x --listen : | --listen must be ADDR:PORT or :PORT, such as 0.0.0.0:7448, not :",
                "receive x --max-delete -1 | --max-delete must be a whole number of at least 0, not -1",
                "receive x --parallel 17 | --parallel must be a whole number from 1 to 16, not 17",
            })
    void wordsThatAreWrongAreNamedWithWhatIsMeant(String words, String message) {
        Cli.Result result = cli.run(Stream.of(words.split(" "))
                .map(word -> word.equals("''") ? "" : word)
                .toArray(String[]::new));

        assertThat(result.err()).contains(message);
        assertThat(result.status()).isEqualTo(2);
    }

    @Test
    void aPortAloneListensEverywhere() throws Exception {
        assertThat(Endpoint.toListen(":7000")).isEqualTo(new Endpoint("::", 7000));
    }

    @Test
    void thePairingWordIsGoodOnceAndForOneOnly() throws Exception {
        try (RunningListener receiver = RunningListener.start(there, target)) {
            String word = receiver.word();
            assertThat(send(receiver, "--pair", word).status()).isZero();

            Cli.Result other =
                    new Cli(folder.resolve("third")).run("send", source.toString(), receiver.address(), "--pair", word);

            assertThat(other.status()).isEqualTo(1);
            assertThat(other.err()).contains("was used before");
        }
    }

    @Test
    void strangersAreToldWhyOnEitherSide() throws Exception {
        try (RunningListener receiver = RunningListener.start(there, target)) {
            Cli.Result unknownHere = send(receiver);
            Cli.Result unknownThere = send(receiver, "--trust", receiver.fingerprint());

            assertThat(unknownHere.status()).isEqualTo(1);
            assertThat(unknownHere.err()).contains("is not trusted here").contains(receiver.fingerprint());
            assertThat(unknownThere.status()).isEqualTo(1);
            assertThat(unknownThere.err()).contains("you are not trusted there").contains("postroad trust ");
            assertThat(target).doesNotExist();
        }
    }

    @Test
    void aTrustedFingerprintNeedsNoPairing() throws Exception {
        String own = cli.run("identity").lines().getFirst().substring("fingerprint ".length());
        assertThat(new Cli(there).run("trust", own, "my", "laptop").status()).isZero();
        assertThat(new Cli(there).run("identity").out()).contains("trusted     " + own + " my laptop");
        try (RunningListener receiver = RunningListener.start(there, target)) {
            assertThat(send(receiver, "--trust", receiver.fingerprint()).status())
                    .isZero();

            assertThat(new Cli(there).run("untrust", "my", "laptop").status()).isZero();
            assertThat(send(receiver, "--trust", receiver.fingerprint()).status())
                    .isEqualTo(1);
        }
    }

    @Test
    void trustFirstPinsTheFirstAndNobodyElse() throws Exception {
        try (RunningListener receiver = RunningListener.start(there, target, "--trust-first")) {
            assertThat(send(receiver, "--trust-first").status()).isZero();
            assertThat(send(receiver).status()).isZero();
            Cli.Result other = new Cli(folder.resolve("third"))
                    .run("send", source.toString(), receiver.address(), "--trust-first");

            assertThat(other.status()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"sender", "receiver"})
    void aDryRunFromEitherSideChangesNothing(String side) throws Exception {
        String[] here = side.equals("sender") ? new String[] {"--dry-run"} : new String[0];
        String[] other = side.equals("sender") ? new String[0] : new String[] {"--dry-run"};
        try (RunningListener receiver = RunningListener.start(there, target, trusting(other))) {
            Cli.Result result = send(receiver, trusting(here));

            assertThat(result.status()).as(result.err()).isZero();
            assertThat(result.out()).contains("dry run, nothing was changed: 5 names changed");
            assertThat(target).doesNotExist();
        }
    }

    private static String[] trusting(String... more) {
        return Stream.concat(Stream.of("--trust-first"), Stream.of(more)).toArray(String[]::new);
    }

    @Test
    void deletesOnlyWhenBothSidesSaySo() throws Exception {
        Files.createDirectories(target.resolve("old"));
        Files.writeString(target.resolve("old/file"), "x");
        try (RunningListener receiver = RunningListener.start(there, target, trusting())) {
            assertThat(send(receiver, trusting("--delete")).status()).isZero();
            assertThat(target.resolve("old/file")).exists();
        }
        try (RunningListener receiver = RunningListener.start(there, target, "--delete")) {
            assertThat(send(receiver).status()).isZero();
            assertThat(target.resolve("old/file")).exists();

            Cli.Result tooMany = send(receiver, "--delete", "--max-delete", "1");
            assertThat(tooMany.status()).isEqualTo(3);
            assertThat(tooMany.err()).contains("--max-delete");
            assertThat(target.resolve("old/file")).exists();

            Cli.Result both = send(receiver, "--delete", "--itemize");
            assertThat(both.status()).as(both.err()).isZero();
            assertThat(both.out()).contains("-f---  old/file\n").contains("-d---  old/\n");
            assertThat(tree(target)).isEqualTo(tree(source));
        }
    }

    @Test
    void aSingleFileGoesIntoAFolderOrBecomesPath() throws Exception {
        source = source.resolve("a/one");
        Files.createDirectory(target);
        Files.writeString(target.resolve("other"), "stays");
        try (RunningListener receiver = RunningListener.start(there, target, trusting("--delete"))) {
            Cli.Result result = send(receiver, trusting("--delete"));

            assertThat(result.status()).as(result.err()).isZero();
            assertThat(target.resolve("one")).hasContent("one");
            assertThat(target.resolve("other")).hasContent("stays");
        }
        target = folder.resolve("as-file");
        try (RunningListener receiver = RunningListener.start(there, target)) {
            assertThat(send(receiver).status()).isZero();
            assertThat(target).hasContent("one");
            assertThat(Files.getLastModifiedTime(target)).isEqualTo(Files.getLastModifiedTime(source));
        }
    }

    @Test
    void patternsHoldInTheOrderOfTheCommandLine() throws Exception {
        Files.writeString(folder.resolve("patterns"), "# a comment\n*.tmp\n");
        for (String name : new String[] {"x.tmp", "keep.tmp", "y.log"}) {
            Files.writeString(source.resolve(name), name);
        }
        try (RunningListener receiver = RunningListener.start(there, target, trusting())) {
            Cli.Result result = send(
                    receiver,
                    trusting(
                            "--exclude-from",
                            folder.resolve("patterns").toString(),
                            "--include",
                            "keep.tmp",
                            "--exclude",
                            "/a/b/"));

            assertThat(result.status()).as(result.err()).isZero();
            assertThat(tree(target)).containsOnlyKeys("a", "a/one", "keep.tmp", "link", "y.log");
        }
    }

    @Test
    void filesFromSendsTheNamesListedOnly() throws Exception {
        try (RunningListener receiver = RunningListener.start(there, target, trusting())) {
            Cli.Result result = cli.runWithInput(
                    "./a/one\0gone\0".getBytes(UTF_8),
                    "send",
                    source.toString(),
                    receiver.address(),
                    "--trust-first",
                    "--files-from",
                    "-",
                    "--from0");

            assertThat(result.status()).isEqualTo(3);
            assertThat(result.err()).contains("gone: ");
            assertThat(tree(target)).containsOnlyKeys("a", "a/one");
        }
        assertThat(cli.run("send", source.toString(), "127.0.0.1:1", "--files-from", "-", "--delete")
                        .status())
                .isEqualTo(2);
    }

    @Test
    void jsonTellsEverythingInOneObject() throws Exception {
        try (RunningListener receiver = RunningListener.start(there, target, trusting("--once", "--json"))) {
            Cli.Result result = send(receiver, trusting("--json", "--itemize"));

            assertThat(result.lines()).hasSize(1);
            assertThat(result.out())
                    .startsWith("{\"verb\":\"send\",\"status\":\"done\",\"exit\":0,")
                    .contains(
                            "\"changed\":5",
                            "\"encrypted\":true",
                            "\"cipher\":\"TLS_",
                            "\"peer_fingerprint\":\"" + receiver.fingerprint(),
                            "\"failures\":[]");
            assertThat(receiver.await()).isZero();
            assertThat(receiver.rest()).singleElement().asString().startsWith("{\"verb\":\"receive\"");
        }
    }

    @Test
    void aCongestionControlThatIsNotThereIsTold() throws Exception {
        try (RunningListener receiver = RunningListener.start(there, target, trusting())) {
            Cli.Result result = send(receiver, trusting("--congestion", "none-such"));

            assertThat(result.status()).as(result.err()).isZero();
            assertThat(result.err()).contains("the congestion control none-such is not there for this user");
        }
    }

    @Test
    void onceIsNotEndedByStrays() throws Exception {
        try (RunningListener receiver = RunningListener.start(there, target, trusting("--once"))) {
            int port = Integer.parseInt(receiver.address().substring("127.0.0.1:".length()));
            try (Socket silent = new Socket();
                    Socket rude = new Socket()) {
                silent.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                rude.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                OutputStream out = rude.getOutputStream();
                out.write("GET / HTTP/1.1\r\n\r\n".getBytes(UTF_8));
                out.flush();

                assertThat(send(receiver, trusting()).status()).isZero();
            }
            assertThat(receiver.await()).isZero();
        }
    }

    @Test
    void theSenderMayBeTheOneThatListens() throws Exception {
        Cli receiver = new Cli(there);
        try (RunningListener sender = RunningListener.sender(folder.resolve("here"), source, "--itemize")) {
            Cli.Result stranger = new Cli(folder.resolve("third"))
                    .run("receive", target.toString(), sender.address(), "--trust", sender.fingerprint());
            assertThat(stranger.status()).isEqualTo(1);
            assertThat(stranger.err()).contains("you are not trusted there");
            assertThat(target).doesNotExist();

            Cli.Result result = receiver.run("receive", target.toString(), sender.address(), "--pair", sender.word());

            assertThat(result.status()).as(result.err() + sender.err()).isZero();
            assertThat(sender.await()).isZero();
            assertThat(sender.rest()).contains(">f+++  a/one");
            assertThat(tree(target)).isEqualTo(tree(source));
        }
        try (RunningListener sender = RunningListener.sender(folder.resolve("here"), source)) {
            Cli.Result again = receiver.run("receive", target.toString(), sender.address(), "--json");

            assertThat(again.status()).as(again.err()).isZero();
            assertThat(again.out()).contains("\"changed\":0,\"up_to_date\":5");
        }
    }

    @Test
    void twoOfAKindAreToldSo() throws Exception {
        try (RunningListener receiver = RunningListener.start(there, target, "--plaintext")) {
            Cli.Result result = cli.run("receive", target.toString(), receiver.address(), "--plaintext");

            assertThat(result.status()).isEqualTo(1);
            assertThat(result.err()).contains("this side receives too");
        }
    }

    @Test
    void withoutEncryptionBothSidesSaySoLoudly() throws Exception {
        try (RunningListener receiver = RunningListener.start(there, target, "--plaintext")) {
            Cli.Result result = send(receiver, "--plaintext");

            assertThat(result.status()).as(result.err()).isZero();
            assertThat(result.err()).contains("WARNING: --plaintext");
            assertThat(receiver.err()).contains("WARNING: --plaintext");
            assertThat(receiver.fingerprint()).isEmpty();
        }
    }

    @Test
    void aFileThatCannotBeReadIsToldAndEverythingElseIsDone() throws Exception {
        // A name that only this side can see: root reads whatever its mode says.
        Files.writeString(folder.resolve("list"), "a/one\nmissing/file\na/b/two\n");
        try (RunningListener receiver = RunningListener.start(there, target, trusting())) {
            Cli.Result result = send(
                    receiver, trusting("--files-from", folder.resolve("list").toString(), "--json"));

            assertThat(result.status()).isEqualTo(3);
            assertThat(result.out()).contains("\"status\":\"partly\"", "\"path\":\"missing/file\"");
            assertThat(tree(target)).containsKeys("a/one", "a/b/two");
        }
    }

    @Test
    void aCommandLineThatMakesNoSenseIsToldBeforeAnythingIsDone() {
        assertThat(cli.run("send", source.toString()).status()).isEqualTo(2);
        assertThat(cli.run("send", source.toString(), "::1").status()).isEqualTo(2);
        assertThat(cli.run("send", source.toString(), "h:1", "--compress", "so").status())
                .isEqualTo(2);
        assertThat(cli.run("send", source.toString(), "h:1", "--bwlimit", "0").status())
                .isEqualTo(2);
        assertThat(cli.run("send", source.toString(), "h:1", "--pair", "pr1abc").status())
                .isEqualTo(2);
        assertThat(cli.run("send", source.toString(), "h:1", "--exclude", "[a").status())
                .isEqualTo(2);
        assertThat(cli.run("send", source.toString(), "h:1", "--plaintext", "--trust-first")
                        .status())
                .isEqualTo(2);
        assertThat(cli.run("send", folder.resolve("none").toString(), "127.0.0.1:1")
                        .status())
                .isEqualTo(1);
    }
}
