package postroad.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import postroad.nostr.client.ClientOptions;
import postroad.nostr.client.RelayConnection;
import postroad.nostr.client.Subscription;
import postroad.nostr.core.Event;
import postroad.nostr.core.Filter;
import postroad.nostr.kit.Corpus;

/// A node in this process, and the verbs that speak to it.
class UpTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @TempDir
    Path folder;

    private Path home;
    private Path key;
    private Cli cli;

    @BeforeEach
    void prepare() {
        home = folder.resolve("home");
        key = folder.resolve("me.key");
        cli = new Cli(home);
        assertThat(cli.run("key", key.toString()).status()).isZero();
    }

    private static String lines(List<Event> events) {
        StringBuilder lines = new StringBuilder();
        events.forEach(event -> lines.append(event.json()).append('\n'));
        return lines.toString();
    }

    @Test
    void aFirstNoteIsPublishedReadBackAndCounted() throws Exception {
        try (RunningNode node = RunningNode.start(home)) {
            Cli.Result published = cli.run(
                    "publish",
                    node.url(),
                    "--key",
                    key.toString(),
                    "--content",
                    "hello",
                    "--tag",
                    "t=intro",
                    "--tag",
                    "[\"e\",\"\",\"\",\"root\"]");
            Cli.Result found = cli.run("req", node.url(), "{\"#t\":[\"intro\"]}");
            Cli.Result count = cli.run("count", node.url(), "{\"kinds\":[1]}", "{\"kinds\":[7]}");

            assertThat(published.status()).as(published.err()).isZero();
            assertThat(published.out()).matches("[0-9a-f]{64} ok\n");
            assertThat(found.status()).as(found.err()).isZero();
            assertThat(found.out())
                    .contains("\"content\":\"hello\"")
                    .contains("[[\"t\",\"intro\"],[\"e\",\"\",\"\",\"root\"]]")
                    .contains(published.out().substring(0, 64));
            assertThat(count.out()).isEqualTo("1\n");
        }
    }

    @Test
    void stopsCleanlyAndServesTheSameAfterAnotherStart() throws Exception {
        RunningNode first = RunningNode.start(home);
        cli.run("publish", first.url(), "--key", key.toString(), "--content", "kept");
        String before = cli.run("req", first.url(), "{}").out();
        int status = first.stop();

        assertThat(status).isZero();
        assertThat(first.err()).contains("postroad: serving").contains("postroad: stopping");
        assertThat(home.resolve("control.sock")).doesNotExist();
        try (RunningNode second = RunningNode.start(home)) {
            assertThat(cli.run("req", second.url(), "{}").out()).isEqualTo(before);
        }
    }

    @Test
    void importsIntoARunningNodeReachLiveSubscriptions() throws Exception {
        List<Event> events = Corpus.traffic(11).take(200);
        try (RunningNode node = RunningNode.start(home);
                RelayConnection connection = RelayConnection.open(node.url(), ClientOptions.DEFAULT);
                Subscription live = connection.subscribe(List.of(Filter.ALL.withLimit(0)))) {
            assertThat(live.next(PATIENCE)).get().isInstanceOf(Subscription.Item.EndOfStored.class);

            Cli.Result result = cli.runWithInput(lines(events).getBytes(UTF_8), "import");

            assertThat(result.status()).as(result.err()).isZero();
            assertThat(result.err()).contains("into the running node of " + home);
            assertThat(result.out()).contains("read       200\n");
            Optional<Subscription.Item> first = live.next(PATIENCE);
            assertThat(first).get().isInstanceOf(Subscription.Item.Found.class);
        }
    }

    @Test
    void anExportOfARunningNodeIsThatOfTheStoppedOne() throws Exception {
        List<Event> events = Corpus.tangle(12).take(400);
        Path copy = folder.resolve("copied-home").resolve("store");
        String running;
        try (RunningNode node = RunningNode.start(home)) {
            cli.runWithInput(lines(events).getBytes(UTF_8), "import");
            Cli.Result export = cli.run("export");
            Cli.Result backup = cli.run("backup", copy.toString());
            running = export.out();

            assertThat(backup.status()).as(backup.err()).isZero();
            assertThat(export.err().replaceAll("(?s).*as of sequence (\\d+).*", "$1"))
                    .isEqualTo(backup.out().replaceAll("(?s)backup of sequence (\\d+) in .*", "$1"));
            assertThat(node.url()).isNotEmpty();
        }

        assertThat(running).isNotEmpty();
        assertThat(cli.run("export").out()).isEqualTo(running);
        assertThat(new Cli(folder.resolve("copied-home")).run("export").out()).isEqualTo(running);
    }

    @Test
    void importingTwiceIntoARunningNodeChangesNothing() throws Exception {
        byte[] lines = lines(Corpus.traffic(13).take(150)).getBytes(UTF_8);
        try (RunningNode node = RunningNode.start(home)) {
            cli.runWithInput(lines, "import");
            String before = cli.run("export").out();
            Cli.Result again = cli.runWithInput(lines, "import");

            assertThat(again.status()).isZero();
            assertThat(again.out()).contains("stored     0\n");
            assertThat(cli.run("export").out()).isEqualTo(before);
            assertThat(node.url()).isNotEmpty();
        }
    }

    @Test
    void publishesFilesAndTellsWhatWasRefused() throws Exception {
        Event good = Corpus.traffic(14).next();
        String bad = good.json().replace("\"sig\":\"", "\"sig\":\"00").replaceFirst("..\"}$", "\"}");
        Path file = Files.writeString(folder.resolve("events.jsonl"), good.json() + "\n" + bad + "\nnonsense\n");
        try (RunningNode node = RunningNode.start(home)) {
            Cli.Result result = cli.run("publish", node.url(), file.toString());
            Cli.Result again = cli.run("publish", node.url(), file.toString(), "--quiet", "--json");

            assertThat(result.status()).isEqualTo(3);
            assertThat(result.lines())
                    .containsExactly(good.id() + " ok", good.id() + " refused invalid: bad signature");
            assertThat(result.err())
                    .contains(file + ":3: invalid: an event must be a JSON object")
                    .contains("1 accepted, 2 refused");
            assertThat(again.lines())
                    .allSatisfy(
                            line -> assertThat(line).startsWith("[\"OK\",\"").contains(",false,"));
        }
    }

    @Test
    void passesTheRelaysReasonForClosingOn() throws Exception {
        try (RunningNode node = RunningNode.start(home, "--auth", "required")) {
            Cli.Result stranger = cli.run("req", node.url(), "{}");
            Cli.Result known = cli.run("req", node.url(), "{}", "--auth", key.toString());

            assertThat(stranger.status()).isEqualTo(1);
            assertThat(stranger.out()).isEmpty();
            assertThat(stranger.err())
                    .contains("the relay refused: auth-required: ")
                    .contains("; prove a key with --auth KEYFILE");
            assertThat(cli.run("count", node.url(), "{}").err()).contains("; prove a key with --auth KEYFILE");
            assertThat(cli.run("publish", node.url(), "--key", key.toString(), "--content", "x")
                            .err())
                    .contains("publish: the relay wants to know who sends this: prove a key with --auth KEYFILE");
            assertThat(known.status()).as(known.err()).isZero();
        }
    }

    @Test
    void showsItsFiguresAndItsDocument() throws Exception {
        try (RunningNode node = RunningNode.start(home, "--set", "info.name=Ours", "--set", "limits.max_limit=777")) {
            cli.run("publish", node.url(), "--key", key.toString(), "--content", "hello");
            Cli.Result info = cli.run("info");
            Cli.Result document = cli.run("info", node.url());

            assertThat(info.out())
                    .containsPattern("node +running\n")
                    .containsPattern("relay +" + node.url() + "\n")
                    .containsPattern("store.events +1\n")
                    .containsPattern("relay.accepted +1\n");
            assertThat(document.out()).contains("\"name\" : \"Ours\"").contains("\"max_limit\" : 777");
            assertThat(cli.run("info", node.url(), "--json").lines()).hasSize(1);
            assertThat(cli.run("info", node.url().replace("ws:", "HTTP:")).out())
                    .isEqualTo(document.out());
        }
    }

    @Test
    void aSecondNodeOnTheSameHomeIsRefusedAndDoesNoHarm() throws Exception {
        try (RunningNode node = RunningNode.start(home)) {
            Cli.Result second = cli.run("up", "--listen", "127.0.0.1:0");

            assertThat(second.status()).isEqualTo(1);
            assertThat(second.out()).isEmpty();
            assertThat(second.err()).contains("the store in " + home.resolve("store") + " is open in");
            assertThat(cli.run("info").out()).contains(node.url());
        }
    }

    @Test
    void saysThatThePortIsTaken() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Cli.Result result = cli.run("up", "--listen", "127.0.0.1:" + taken.getLocalPort());

            assertThat(result.status()).isEqualTo(1);
            assertThat(result.err().lines())
                    .singleElement()
                    .asString()
                    .contains("cannot listen on 127.0.0.1 port " + taken.getLocalPort())
                    .contains("--listen ADDR:0 takes a free one");
        }
        assertThat(home).doesNotExist();
    }

    @Test
    void aPortThatIsTakenDoesNoHarmToAHomeThatIsThere() throws Exception {
        byte[] lines = lines(Corpus.traffic(15).take(20)).getBytes(UTF_8);
        cli.runWithInput(lines, "import");
        String before = cli.run("export").out();
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Cli.Result result = cli.run("up", "--listen", "127.0.0.1:" + taken.getLocalPort());

            assertThat(result.status()).isEqualTo(1);
            assertThat(result.err())
                    .contains("cannot listen on 127.0.0.1 port " + taken.getLocalPort() + ": Address already in use; ")
                    .doesNotContain("failed with error");
        }
        assertThat(cli.run("export").out()).isEqualTo(before).isNotEmpty();
    }

    @Test
    void anExportOldestFirstIsTheSameRunningOrStopped() throws Exception {
        byte[] lines = lines(Corpus.traffic(16).take(300)).getBytes(UTF_8);
        List<String> running;
        try (RunningNode node = RunningNode.start(home)) {
            cli.runWithInput(lines, "import");
            running = cli.run("export", "--reverse").lines();
            assertThat(running).isEqualTo(cli.run("export").lines().reversed());
            assertThat(node.url()).isNotEmpty();
        }
        assertThat(cli.run("export", "--reverse").lines()).isEqualTo(running).isNotEmpty();
    }

    @Test
    void aRunningNodeSaysInPlainWordsWhyABackupCannotBeMade() throws Exception {
        Path inFile = Files.writeString(folder.resolve("file"), "").resolve("copy");
        try (RunningNode node = RunningNode.start(home)) {
            Cli.Result result = cli.run("backup", inFile.toString());

            assertThat(result.status()).isEqualTo(1);
            assertThat(result.err())
                    .contains("the backup to " + inFile + " failed: ")
                    .doesNotContain("java.", "Exception");
            assertThat(node.url()).isNotEmpty();
        }
    }

    @Test
    void countsWhatTheRelayHadAlready() throws Exception {
        List<Event> events = Corpus.traffic(17).take(2);
        Path file = Files.writeString(folder.resolve("events.jsonl"), lines(events) + lines(events.subList(0, 1)));
        try (RunningNode node = RunningNode.start(home)) {
            Cli.Result result = cli.run("publish", node.url(), file.toString());

            assertThat(result.err()).contains("3 accepted (1 of them the relay had already), 0 refused");
        }
    }

    @Test
    void saysThatTheAddressIsNotThisMachines() {
        Cli.Result result = cli.run("up", "--listen", "192.0.2.1:7447");

        assertThat(result.status()).isEqualTo(1);
        assertThat(result.err()).contains("this machine has no such address");
    }

    @Test
    void refusesSettingsThatMakeNoSenseAsUsage() {
        assertThat(cli.run("up", "--auth", "maybe").status()).isEqualTo(2);
        assertThat(cli.run("up", "--auth", "maybe").err()).contains("--auth: auth must be one of");
        assertThat(cli.run("up", "--set", "limits.max_limt=5").err()).contains("did you mean limits.max_limit?");
        assertThat(cli.run("up", "--set", "nonsense").err()).contains("--set must be KEY=VALUE");
        assertThat(cli.run("up", "extra").status()).isEqualTo(2);
        assertThat(home).doesNotExist();
    }

    @Test
    void saysWhereTheFileIsWrong() throws Exception {
        Files.createDirectories(home);
        Files.writeString(home.resolve("config.toml"), "\nlisten = 5\n");

        Cli.Result result = cli.run("up");

        assertThat(result.status()).isEqualTo(1);
        assertThat(result.err())
                .startsWith("postroad up: " + home.resolve("config.toml") + ":2: listen must be ADDR:PORT");
    }

    @Test
    void saysThatNoRelayIsThere() throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        for (String verb : List.of("req", "count", "info")) {
            List<String> words = new ArrayList<>(List.of(verb, "ws://127.0.0.1:" + port));
            if (!verb.equals("info")) {
                words.add("{}");
            }
            Cli.Result result = cli.run(words.toArray(String[]::new));

            assertThat(result.status()).isEqualTo(1);
            assertThat(result.err())
                    .isEqualTo("postroad " + verb + ": cannot connect to 127.0.0.1:" + port
                            + ": connection refused, nothing listens there\n");
        }
        assertThat(cli.run("req", "http://127.0.0.1", "{}").status()).isEqualTo(2);
    }

    @Test
    void theTrainingRunForTheStartUpCacheWorks() {
        Cli.Result result = cli.run("train", "node");

        assertThat(result.status()).as(result.err()).isZero();
    }

    @Test
    void tellsThatARelayHasMoreThanItGaveUnlessNoMoreWasAskedFor() throws Exception {
        String more = "the relay has more that matches";
        try (RunningNode node = RunningNode.start(home, "--set", "limits.max_limit=2")) {
            for (String content : List.of("one", "two", "three")) {
                cli.run("publish", node.url(), "--key", key.toString(), "--content", content);
            }

            Cli.Result asked = cli.run("req", node.url(), "{\"limit\":1}");
            Cli.Result capped = cli.run("req", node.url(), "{\"limit\":3}");
            Cli.Result unlimited = cli.run("req", node.url(), "{}");
            Cli.Result oneOfTwo = cli.run("req", node.url(), "{\"limit\":1}", "{\"kinds\":[1]}");
            Cli.Result none = cli.run("req", node.url(), "{\"limit\":0}");

            assertThat(cli.run("count", node.url(), "{}").out()).isEqualTo("3\n");
            assertThat(asked.out().lines()).hasSize(1);
            assertThat(asked.err()).doesNotContain(more);
            assertThat(none.err()).doesNotContain(more);
            assertThat(capped.out().lines()).hasSize(2);
            assertThat(capped.err()).contains(more);
            assertThat(unlimited.err()).contains(more);
            assertThat(oneOfTwo.err()).contains(more);
        }
    }

    @Test
    void leavesItToTheRelayWhetherAFilterIsKnown() throws Exception {
        try (RunningNode node = RunningNode.start(home)) {
            for (String verb : List.of("req", "count")) {
                Cli.Result search = cli.run(verb, node.url(), "{\"search\":\"x\"}");
                Cli.Result unknown = cli.run(verb, node.url(), "{\"ids\":[\"ABC\"],\"colour\":1}");

                assertThat(search.status()).isEqualTo(1);
                assertThat(search.err()).contains("the relay refused: ").contains("no full-text search");
                assertThat(unknown.status()).isEqualTo(1);
                assertThat(unknown.err()).contains("the relay refused: ");
            }
        }
    }

    @Test
    void refusesWhatIsNoFilterAtAll() {
        for (String text : List.of("[]", "7", "{", "{} {}", "{\"search\":\"a\",\"search\":\"b\"}")) {
            Cli.Result result = cli.run("req", "ws://127.0.0.1:1", text);

            assertThat(result.status()).as(text).isEqualTo(2);
            assertThat(result.err()).contains("the filter " + text + " is not");
        }
    }

    @Test
    void aStoreIsNotTakenForAHome() throws Exception {
        cli.run("import");
        Path backup = folder.resolve("backup");
        Cli.Result made = cli.run("backup", backup.toString());
        Cli onBackup = new Cli(backup);
        Cli onStore = new Cli(home.resolve("store"));

        assertThat(made.err()).contains("cp -r " + backup + " HOME/store");
        for (String verb : List.of("up", "import", "info", "export")) {
            Cli.Result result = onBackup.run(verb);

            assertThat(result.status()).isEqualTo(1);
            assertThat(result.err())
                    .contains(backup + " holds a data.mdb: it is itself a store (a backup?), not a home")
                    .contains("cp -r " + backup + " HOME/store");
            assertThat(onStore.run(verb).err()).contains("its home may be " + home);
        }
        assertThat(backup.resolve("store")).doesNotExist();
    }

    @Test
    void saysWhatAnAddressBeginsWith() {
        assertThat(cli.run("info", "127.0.0.1:7447").err()).contains("it must begin with ws:// or http://");
        assertThat(cli.run("info", "127.0.0.1:7447").status()).isEqualTo(2);
        assertThat(cli.run("req", "127.0.0.1:7447", "{}").err()).contains("it must begin with ws:// or wss://");
    }

    @Test
    void infoTellsOfAPortWithoutTlsInTheSameWordsAsReq() throws Exception {
        try (RunningNode node = RunningNode.start(home)) {
            Cli.Result result = cli.run("info", node.url().replace("ws://", "https://"));

            assertThat(result.status()).isEqualTo(1);
            assertThat(result.err()).contains("it does not speak TLS there; perhaps http:// or ws:// is meant");
        }
    }
}
