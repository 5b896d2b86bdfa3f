package postroad.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import postroad.lab.process.Node;
import postroad.nostr.core.Event;
import postroad.nostr.core.EventDraft;
import postroad.nostr.core.Signer;
import postroad.nostr.kit.Corpus;
import postroad.nostr.kit.Keys;
import postroad.nostr.kit.SlowEvent;
import postroad.nostr.kit.SlowMatcher;

/// Two clients that others wrote ask a node that holds 50,000 imported events, before and after it was
/// killed, and get what a plain look through the exported lines gives.
final class IndependentClientsTest {
    private static final int EVENTS = 50_000;
    private static final long SEED = 14;
    private static final Set<Integer> PRIVATE_KINDS = Set.of(4, 13, 1059, 21_059);

    @TempDir
    private static Path folder;

    private static Path home;
    private static List<SlowEvent> stored;
    private static List<Event> sample;

    @BeforeAll
    static void importEvents() throws Exception {
        home = folder.resolve("home");
        Path corpus = folder.resolve("corpus.jsonl");
        Corpus.writeJsonLines(corpus, EVENTS, SEED);
        sample = Corpus.traffic(SEED).take(3_000).stream()
                .filter(event -> !PRIVATE_KINDS.contains(event.kind()))
                .toList();

        Program.Outcome imported = Program.run(home, "import", corpus.toString());
        assertThat(imported.status()).as(imported.talk()).isZero();

        Program.Outcome exported = Program.run(home, "export");
        assertThat(exported.status()).as(exported.talk()).isZero();
        stored = exported.out().stream().map(SlowEvent::of).toList();
        assertThat(stored.size()).isGreaterThan(EVENTS / 2);
        Files.delete(corpus);
    }

    @Test
    void nostrToolsGetsTheSameAnswersAfterAKill() throws Exception {
        demandSameAnswers(Clients.nostrTools(), true);
    }

    @Test
    void nostrSdkGetsTheSameAnswersAfterAKill() throws Exception {
        demandSameAnswers(Clients.nostrSdk(), false);
    }

    @Test
    void nostrToolsPublishesAndFollows() throws Exception {
        demandPublishing(Clients.nostrTools(), 1);
    }

    @Test
    void nostrSdkPublishesAndFollows() throws Exception {
        demandPublishing(Clients.nostrSdk(), 2);
    }

    private static void demandSameAnswers(List<String> client, boolean inOrder) throws Exception {
        List<List<String>> queries = queries();
        List<String> commands = queries.stream()
                .map(query -> "{\"query\":[" + String.join(",", query) + "]}")
                .toList();
        List<JsonNode> before;
        List<JsonNode> after;
        try (Node node = Node.start(Program.command(), home, List.of())) {
            before = Clients.ask(client, node.url(), commands);
            node.kill();
        }
        try (Node node = Node.start(Program.command(), home, List.of())) {
            after = Clients.ask(client, node.url(), commands);
            assertThat(node.stop()).isZero();
        }

        for (int i = 0; i < queries.size(); i++) {
            List<String> wanted = wanted(queries.get(i));
            assertThat(ids(before.get(i), inOrder)).as(commands.get(i)).isEqualTo(inOrder ? wanted : sorted(wanted));
            assertThat(ids(after.get(i), inOrder)).as(commands.get(i)).isEqualTo(ids(before.get(i), inOrder));
        }
    }

    private static void demandPublishing(List<String> client, int author) throws Exception {
        Signer signer = new Keys(SEED + 1).signer(author);
        long now = Instant.now().getEpochSecond();
        Event first = signer.sign(new EventDraft(now - 1, 1, List.of(), "first"));
        Event second = signer.sign(new EventDraft(now, 1, List.of(), "second"));
        String filter = "{\"authors\":[\"" + first.author().hex() + "\"]}";
        try (Node node = Node.start(Program.command(), folder.resolve("home-" + author), List.of())) {
            List<JsonNode> answers = Clients.ask(
                    client,
                    node.url(),
                    List.of(
                            "{\"publish\":" + first.json() + "}",
                            "{\"query\":[" + filter + "]}",
                            "{\"count\":[" + filter + "]}",
                            "{\"live\":[" + filter + "],\"publish\":" + second.json() + "}",
                            "{\"count\":[" + filter + "]}"));

            assertThat(answers.get(0).path("accepted").asBoolean()).isTrue();
            assertThat(ids(answers.get(1), true)).containsExactly(first.id().hex());
            assertThat(answers.get(2).path("count").asInt()).isEqualTo(1);
            assertThat(ids(answers.get(3), true)).containsExactly(second.id().hex());
            assertThat(answers.get(4).path("count").asInt()).isEqualTo(2);
            assertThat(node.stop()).isZero();
        }
    }

    /// Filters of every sort about the sample, each within the relay's largest limit.
    private static List<List<String>> queries() {
        List<List<String>> queries = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Event event = sample.get(i * 477 + 11);
            String id = event.id().hex();
            String author = event.author().hex();
            queries.add(List.of("{\"ids\":[\"" + id + "\"]}"));
            queries.add(List.of("{\"authors\":[\"" + author + "\"],\"limit\":80}"));
            queries.add(List.of("{\"authors\":[\"" + author + "\"],\"kinds\":[1,6,7],\"limit\":20}"));
            queries.add(List.of("{\"kinds\":[" + event.kind() + "],\"limit\":60}"));
            queries.add(List.of("{\"#p\":[\"" + author + "\"],\"limit\":100}"));
            queries.add(List.of("{\"#e\":[\"" + id + "\"],\"limit\":50}"));
            queries.add(List.of("{\"#t\":[\"tag" + i + "\",\"tag9\"],\"limit\":60}"));
            queries.add(List.of("{\"since\":" + event.createdAt() + ",\"until\":" + (event.createdAt() + 120) + "}"));
            queries.add(List.of("{\"kinds\":[0],\"authors\":[\"" + author + "\"]}", "{\"kinds\":[30023],\"limit\":7}"));
        }
        return queries;
    }

    private static List<String> wanted(List<String> filters) {
        Set<SlowEvent> wanted = new HashSet<>();
        for (String filter : filters) {
            stored.stream()
                    .filter(event -> !PRIVATE_KINDS.contains(event.kind()))
                    .filter(event -> SlowMatcher.matches(filter, event))
                    .sorted(SlowEvent.ORDER)
                    .limit(Math.min(500, SlowMatcher.limit(filter)))
                    .forEach(wanted::add);
        }
        return wanted.stream().sorted(SlowEvent.ORDER).map(SlowEvent::id).toList();
    }

    private static List<String> ids(JsonNode answer, boolean inOrder) {
        List<String> ids = StreamSupport.stream(answer.path("ids").spliterator(), false)
                .map(JsonNode::asText)
                .toList();
        return inOrder ? ids : sorted(ids);
    }

    private static List<String> sorted(List<String> ids) {
        return ids.stream().sorted().toList();
    }
}
