package postroad.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.github.luben.zstd.ZstdOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import postroad.common.Bytes32;
import postroad.common.SecretKey;
import postroad.nostr.core.Event;
import postroad.nostr.core.EventDraft;
import postroad.nostr.core.Tag;
import postroad.nostr.kit.Corpus;
import postroad.nostr.kit.ModelStore;

/// Import and export of a node that does not run.
class TransferTest {
    private static final SecretKey KEY = SecretKey.of(new Bytes32(0, 0, 0, 9));

    @TempDir
    Path folder;

    private Cli cli;

    @BeforeEach
    void prepare() {
        cli = new Cli(folder.resolve("home"));
    }

    private static Event event(long time, int kind, String content, Tag... tags) {
        return new EventDraft(time, kind, List.of(tags), content).sign(KEY);
    }

    private static byte[] lines(List<Event> events) {
        StringBuilder text = new StringBuilder();
        events.forEach(event -> text.append(event.json()).append('\n'));
        return text.toString().getBytes(UTF_8);
    }

    private Cli.Result importAll(List<Event> events) {
        return cli.runWithInput(lines(events), "import");
    }

    private String exported() {
        Cli.Result export = cli.run("export");
        assertThat(export.status()).as(export.err()).isZero();
        return export.out();
    }

    @Test
    void importsWhatTheModelKeepsAndExportsItNewestFirst() {
        List<Event> events = Corpus.tangle(1).take(900);
        ModelStore model = new ModelStore(Set.of());
        long now = System.currentTimeMillis() / 1000;
        events.forEach(event -> model.write(event, now));

        Cli.Result result = importAll(events);

        assertThat(result.status()).as(result.err()).isZero();
        assertThat(result.out()).contains("read       900\n").contains("refused    0\n");
        List<String> expected = model.query(List.of("{}"), ModelStore.Asker.OPERATOR, now).stream()
                .map(event -> event.id())
                .toList();
        assertThat(exported().lines().map(line -> line.substring(7, 71))).containsExactlyElementsOf(expected);
    }

    @Test
    void theSameLinesAgainChangeNothing() {
        List<Event> events = Corpus.traffic(2).take(500);
        importAll(events);
        String before = exported();

        Cli.Result again = importAll(events);

        assertThat(again.status()).isZero();
        assertThat(again.out()).contains("stored     0\n");
        assertThat(exported()).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void anyOrderGivesTheSameStore(long seed) {
        List<Event> events = new ArrayList<>(Corpus.tangle(seed).take(700));
        Cli other = new Cli(folder.resolve("other"));
        importAll(events);
        Collections.shuffle(events, new Random(seed));

        other.runWithInput(lines(events), "import");

        assertThat(other.run("export").out()).isEqualTo(exported());
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain.jsonl", "packed.gz", "packed.zst", "named-wrongly.txt"})
    void unpacksFilesByWhatTheyHold(String name) throws Exception {
        List<Event> events = Corpus.traffic(3).take(300);
        Path file = folder.resolve(name);
        try (OutputStream out = switch (name) {
            case "packed.gz" -> new GZIPOutputStream(Files.newOutputStream(file));
            case "packed.zst", "named-wrongly.txt" -> new ZstdOutputStream(Files.newOutputStream(file));
            default -> Files.newOutputStream(file);
        }) {
            out.write(lines(events));
        }

        Cli.Result result = cli.run("import", file.toString());

        assertThat(result.status()).as(result.err()).isZero();
        assertThat(result.out()).contains("read       300\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"all.jsonl", "all.jsonl.gz", "all.jsonl.zst"})
    void anExportedFileImportsToTheSameStore(String name) throws Exception {
        importAll(Corpus.traffic(4).take(400));
        Path file = folder.resolve(name);
        Cli other = new Cli(folder.resolve("other"));

        Cli.Result export = cli.run("export", "-o", file.toString());
        Cli.Result result = other.run("import", file.toString());

        assertThat(export.out()).isEmpty();
        assertThat(export.err()).containsPattern("export: \\d+ events as of sequence \\d+");
        assertThat(result.status()).isZero();
        assertThat(other.run("export").out()).isEqualTo(exported());
        try (var left = Files.list(folder)) {
            assertThat(left.map(path -> path.getFileName().toString())).noneMatch(left1 -> left1.endsWith(".part"));
        }
    }

    @Test
    void refusesBadLinesByReasonAndTakesTheRest() throws Exception {
        Event good = event(100, 1, "good");
        Event forged = event(200, 1, "forged");
        String json = forged.json().replace(forged.signatureHex(), good.signatureHex());
        Path file = folder.resolve("mixed.jsonl");
        Files.writeString(
                file,
                good.json() + "\n\nnot json\n" + json + "\n" + good.json().replace("good", "evil")
                        + "\nnot json either\n");

        Cli.Result result = cli.run("import", file.toString());

        assertThat(result.status()).isEqualTo(3);
        assertThat(result.out())
                .contains("read       5\n")
                .contains("stored     1\n")
                .contains("refused    4\n")
                .contains("1 × invalid: bad signature (first: " + file + ":4)")
                .contains("bad event id: it is not the hash of the event (first: " + file + ":5)")
                .contains("2 × invalid: an event must be a JSON object (first: " + file + ":3)");
        assertThat(exported()).isEqualTo(good.json() + "\n");
    }

    @Test
    void countsWhatTheRulesLeaveOutWithoutFailing() {
        Event older = event(100, 0, "older");
        Event newer = event(200, 0, "newer");
        Event note = event(50, 1, "gone");
        Event deletion = event(300, 5, "", Tag.of("e", note.id().hex()));
        Event expired = event(10, 1, "expired", Tag.of("expiration", "20"));
        Event ephemeral = event(10, 20_001, "passing");

        Cli.Result result = importAll(List.of(newer, older, newer, deletion, note, expired, ephemeral));

        assertThat(result.status()).isZero();
        assertThat(result.out())
                .contains(
                        "read       7\nstored     2\nduplicate  1\noutdated   1\ndeleted    1\nexpired    1\nephemeral  1\nrefused    0\n");
    }

    @Test
    void followsRequestsToVanishThatNameThisRelayInAnyOrder() {
        Event note = event(100, 1, "gone");
        Event request = event(200, 62, "", Tag.of("relay", "WSS://Relay.Example:443/"));
        Event elsewhere = event(150, 62, "", Tag.of("relay", "wss://other.example"));
        Event later = event(300, 1, "after");
        List<Event> events = List.of(note, elsewhere, request, later);
        String expected = later.json() + "\n" + request.json() + "\n" + elsewhere.json() + "\n";
        Cli backwards = new Cli(folder.resolve("backwards"));
        Cli byEnvironment = new Cli(folder.resolve("by-environment")).with("POSTROAD_URLS", "wss://relay.example");

        Cli.Result result = cli.runWithInput(lines(events), "import", "--url", "wss://relay.example/");
        backwards.runWithInput(lines(events.reversed()), "import", "--url", "wss://relay.example");
        byEnvironment.runWithInput(lines(events), "import");

        assertThat(result.status()).as(result.err()).isZero();
        assertThat(exported()).isEqualTo(expected);
        assertThat(backwards.run("export").out()).isEqualTo(expected);
        assertThat(byEnvironment.run("export").out()).isEqualTo(expected);
    }

    @Test
    void withoutAnAddressOfItsOwnFollowsRequestsToVanishFromAllRelaysOnly() {
        Event note = event(100, 1, "stays");
        Event request = event(200, 62, "", Tag.of("relay", "wss://relay.example"));

        importAll(List.of(note, request));
        assertThat(exported()).isEqualTo(request.json() + "\n" + note.json() + "\n");

        importAll(List.of(event(201, 62, "", Tag.of("relay", "ALL_RELAYS"))));
        assertThat(exported()).doesNotContain("stays");
    }

    @Test
    void takesProtectedAndOldEventsButNoneFromTheFuture() {
        Event protectedOne = event(100, 1, "mine alone", Tag.of("-"));
        Event future = event(System.currentTimeMillis() / 1000 + 100_000, 1, "from the future");

        Cli.Result result = importAll(List.of(protectedOne, future));

        assertThat(result.status()).isEqualTo(3);
        assertThat(result.out()).contains("stored     1\n").contains("s in the future");
    }

    @Test
    void skipsTheCheckOfSignaturesOnlyWithALoudWarning() {
        Event good = event(100, 1, "good");
        String forged =
                good.json().replace(good.signatureHex(), event(1, 1, "x").signatureHex());

        Cli.Result result = cli.runWithInput(forged.getBytes(UTF_8), "import", "--no-verify");

        assertThat(result.status()).isZero();
        assertThat(result.err()).contains("WARNING").contains("NOT checked");
        assertThat(exported()).isEqualTo(forged + "\n");
    }

    @Test
    void printsTheSummaryForScripts() throws Exception {
        Cli.Result result = cli.runWithInput("nonsense\n".getBytes(UTF_8), "import", "--json");

        Map<?, ?> json = new com.fasterxml.jackson.databind.ObjectMapper().readValue(result.out(), Map.class);
        assertThat(json.get("read")).isEqualTo(1);
        assertThat(json.get("refused")).isEqualTo(1);
        assertThat((List<?>) json.get("refusals")).hasSize(1);
    }

    @Test
    void noticesAMissingFileBeforeItBegins() {
        Path good = folder.resolve("good.jsonl");

        Cli.Result result = cli.run("import", good.toString());

        assertThat(result.status()).isEqualTo(1);
        assertThat(result.err()).isEqualTo("postroad import: " + good + ": there is no such file\n");
        assertThat(folder.resolve("home")).doesNotExist();
    }

    @Test
    void saysWhichPackedFileIsBroken() throws Exception {
        Path file = folder.resolve("broken.gz");
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(packed)) {
            out.write(lines(Corpus.traffic(5).take(300)));
        }
        Files.write(file, java.util.Arrays.copyOf(packed.toByteArray(), packed.size() / 2));

        Cli.Result result = cli.run("import", file.toString());

        assertThat(result.status()).isEqualTo(1);
        assertThat(result.err()).contains(file.toString()).contains("import again");
    }

    @Test
    void exportsWhatFiltersAndTimesAskFor() {
        Event old = event(100, 1, "old");
        Event profile = event(200, 0, "profile");
        Event recent = event(300, 1, "recent");
        importAll(List.of(old, profile, recent));

        assertThat(cli.run("export", "--filter", "{\"kinds\":[1]}").out())
                .isEqualTo(recent.json() + "\n" + old.json() + "\n");
        assertThat(cli.run("export", "--since", "200", "--until", "200").out()).isEqualTo(profile.json() + "\n");
        assertThat(cli.run("export", "--since=150", "--filter", "{\"kinds\":[1]}", "--filter", "{\"kinds\":[0]}")
                        .out())
                .isEqualTo(recent.json() + "\n" + profile.json() + "\n");
        assertThat(cli.run("export", "--filter", "{\"kinds\":[1],\"limit\":1}").out())
                .isEqualTo(recent.json() + "\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "reversed.jsonl", "reversed.jsonl.zst"})
    void exportsOldestFirstWhenAsked(String name) throws Exception {
        importAll(Corpus.tangle(8).take(400));
        List<String> forth = exported().lines().toList();
        Path file = folder.resolve(name);
        Cli other = new Cli(folder.resolve("other"));

        Cli.Result export =
                name.isEmpty() ? cli.run("export", "--reverse") : cli.run("export", "--reverse", "-o", file.toString());

        assertThat(export.status()).as(export.err()).isZero();
        if (name.isEmpty()) {
            assertThat(export.lines()).isEqualTo(forth.reversed());
        } else {
            other.run("import", file.toString());
            assertThat(other.run("export").lines()).isEqualTo(forth);
        }
        assertThat(cli.run("export", "--reverse", "--filter", "{\"limit\":3}").lines())
                .isEqualTo(forth.subList(0, 3).reversed());
        try (var left = Files.list(folder)) {
            assertThat(left.map(path -> path.getFileName().toString())).noneMatch(one -> one.startsWith("."));
        }
    }

    @Test
    void namesTheFileThatWasGivenWhenItCannotBeWritten() throws Exception {
        importAll(List.of(event(1, 1, "a")));
        Path missing = folder.resolve("missing").resolve("out.jsonl");
        Path inFile = Files.writeString(folder.resolve("file"), "").resolve("out.jsonl");
        String longName = "x".repeat(254);

        assertThat(cli.run("export", "-o", missing.toString()).err())
                .isEqualTo("postroad export: " + missing + ": there is no folder " + missing.getParent()
                        + "; make it first\n");
        assertThat(cli.run("export", "-o", inFile.toString()).err())
                .startsWith("postroad export: " + inFile + ": there is no folder ");
        assertThat(cli.run("export", "-o", folder.toString()).err())
                .isEqualTo("postroad export: " + folder + ": it is a folder; name a file\n");
        assertThat(cli.run("export", "-o", folder.resolve(longName).toString()).err())
                .startsWith("postroad export: " + folder.resolve(longName) + ": cannot be written: ")
                .doesNotContain(".part");
        assumeThat(Path.of("/dev/full")).exists();
        assertThat(cli.run("export", "-o", "/dev/full").err())
                .startsWith("postroad export: /dev/full: cannot be written on: ");
    }

    @Test
    void saysInPlainWordsWhyABackupCannotBeMade() throws Exception {
        importAll(List.of(event(1, 1, "a")));
        Path inFile = Files.writeString(folder.resolve("file"), "").resolve("copy");

        Cli.Result result = cli.run("backup", inFile.toString());

        assertThat(result.status()).isEqualTo(1);
        assertThat(result.err())
                .startsWith("postroad backup: the backup to " + inFile + " failed: ")
                .contains("name a folder that this user may write to")
                .doesNotContain("java.", "Exception");
    }

    @Test
    void readsTheEventsThoughTheConfigurationIsBroken() throws Exception {
        importAll(List.of(event(1, 1, "a")));
        Path file = Files.writeString(folder.resolve("home").resolve("config.toml"), "\nlisen = 5\n");

        for (List<String> words : List.of(
                List.of("export"),
                List.of("info"),
                List.of("backup", folder.resolve("copy").toString()))) {
            Cli.Result result = cli.run(words.toArray(String[]::new));

            assertThat(result.status()).as(result.err()).isZero();
            assertThat(result.err()).contains("warning: " + file + ":2: there is no setting lisen");
        }
        assertThat(cli.run("import").status()).isEqualTo(1);
        assertThat(cli.run("export", "--config", file.toString()).status()).isEqualTo(1);
    }

    @Test
    void refusesAFilterThatIsNone() {
        Cli.Result result = cli.run("export", "--filter", "{\"kindz\":[1]}");

        assertThat(result.status()).isEqualTo(2);
        assertThat(result.err()).contains("kindz");
    }

    @Test
    void saysThatThereIsNoStore() {
        for (String verb : List.of("export", "info")) {
            Cli.Result result = cli.run(verb);

            assertThat(result.status()).isEqualTo(1);
            assertThat(result.err()).contains("there is no store in " + folder.resolve("home"));
        }
    }

    @Test
    void endsQuietlyWhenTheReaderOfAnExportGoesAway() {
        importAll(Corpus.traffic(6).take(1000));
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        PrintStream gone = new PrintStream(new OutputStream() {
            @Override
            public void write(int one) throws IOException {
                throw new IOException("Broken pipe");
            }
        });

        int status = Main.run(
                List.of("export"),
                java.io.InputStream.nullInputStream(),
                gone,
                new PrintStream(err, true, UTF_8),
                Map.of("POSTROAD_HOME", folder.resolve("home").toString()));

        assertThat(status).isEqualTo(1);
        assertThat(err.toString(UTF_8)).isEmpty();
    }

    @Test
    void makesTheHomeForItsOwnerAlone() throws Exception {
        importAll(List.of());

        assertThat(java.nio.file.attribute.PosixFilePermissions.toString(
                        Files.getPosixFilePermissions(folder.resolve("home"))))
                .isEqualTo("rwx------");
    }

    @Test
    void saysThatTheHomeCannotBeMade() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "");
        Cli inFile = new Cli(file.resolve("home"));

        Cli.Result result = inFile.runWithInput(new byte[0], "import");

        assertThat(result.status()).isEqualTo(1);
        assertThat(result.err()).contains("cannot make the home folder").contains("--home");
    }

    @Test
    void backsAStoppedStoreUp() {
        importAll(Corpus.traffic(7).take(200));
        String all = exported();
        Path copy = folder.resolve("copied-home").resolve("store");

        Cli.Result backup = cli.run("backup", copy.toString(), "--json");

        assertThat(backup.status()).as(backup.err()).isZero();
        assertThat(backup.out()).contains("\"sequence\":");
        assertThat(new Cli(folder.resolve("copied-home")).run("export").out()).isEqualTo(all);
        assertThat(cli.run("backup", copy.toString()).status()).isEqualTo(1);
    }

    @Test
    void showsFiguresOfAStoppedNode() {
        importAll(List.of(event(1, 1, "a"), event(2, 1, "b")));

        Cli.Result info = cli.run("info");

        assertThat(info.out()).containsPattern("node +stopped\n").containsPattern("store.events +2\n");
        assertThat(cli.run("info", "--json").out())
                .contains("\"store.events\":2")
                .contains("\"node\":\"stopped\"");
    }
}
