package postroad.nostr.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import postroad.common.Sha256;
import postroad.nostr.core.Event;
import postroad.nostr.core.EventDraft;
import postroad.nostr.core.Filter;
import postroad.nostr.core.KindClass;
import postroad.nostr.core.PackedEvent;
import postroad.nostr.core.PublicKey;
import postroad.nostr.core.Query;
import postroad.nostr.core.RelayUrl;
import postroad.nostr.core.Signer;
import postroad.nostr.core.Tag;
import postroad.nostr.core.TagValue;
import postroad.nostr.core.Viewer;
import postroad.nostr.kit.Corpus;
import postroad.nostr.kit.Keys;
import postroad.nostr.kit.ModelStore;
import postroad.nostr.kit.ModelStore.Asker;
import postroad.nostr.kit.RandomFilters;
import postroad.nostr.kit.SlowEvent;

/// What every store must do: its answers are those of [ModelStore], the slow and obvious one.
abstract class EventStoreContract {
    static final RelayUrl OWN = RelayUrl.parse("wss://relay.example.com").orElseThrow();
    static final long BEFORE = Corpus.BEGIN - 1;

    @TempDir
    Path folder;

    /// Opens the store in `folder`, which is made when missing; its own address is [#OWN].
    final EventStore open(Path folder) {
        return open(folder, Set.of(OWN));
    }

    /// Opens the store in `folder`, whose own addresses are `urls`.
    abstract EventStore open(Path folder, Set<RelayUrl> urls);

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void writesWhatTheModelWrites(long seed) {
        List<Event> corpus = corpus(seed, 600);
        ModelStore model = new ModelStore(Set.of(OWN));
        Random random = new Random(seed);

        try (EventStore store = open(folder)) {
            for (List<Event> batch : Asking.batches(corpus, 40, random)) {
                long now = Corpus.BEGIN - 20 + random.nextInt(30);
                WriteResult result = Asking.write(store, now, batch);

                assertThat(result.outcomes().stream().map(Asking::outcome))
                        .containsExactlyElementsOf(batch.stream()
                                .map(event -> model.write(event, now))
                                .toList());
                assertThat(result.sequence()).isEqualTo(model.sequence()).isEqualTo(store.sequence());
                assertThat(Asking.contents(store)).containsExactlyElementsOf(Asking.jsonOfRows(model));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13})
    void answersWhatTheModelAnswers(long seed) {
        List<Event> corpus = corpus(seed, 900);
        ModelStore model = new ModelStore(Set.of(OWN));

        try (EventStore store = open(folder)) {
            fill(store, model, corpus, seed);
            assertSameAnswers(store, model, corpus, seed, 500);
        }
        try (EventStore store = open(folder)) {
            assertSameAnswers(store, model, corpus, seed + 1, 150);
            deleteMany(store, model, corpus, seed);
            assertSameAnswers(store, model, corpus, seed + 2, 150);
        }
        try (EventStore store = open(folder)) {
            assertSameAnswers(store, model, corpus, seed + 3, 50);
        }
    }

    @Test
    void answersWhatTheModelAnswersOfUsualTraffic() {
        List<Event> corpus = Corpus.traffic(14).take(1000);
        ModelStore model = new ModelStore(Set.of(OWN));

        try (EventStore store = open(folder)) {
            fill(store, model, corpus, 14);
            assertSameAnswers(store, model, corpus, 14, 200);
        }
    }

    /// Around the numbers of values from which another index, or none, is walked instead.
    @ParameterizedTest
    @ValueSource(ints = {2_001, 4_096, 4_097})
    void answersWhatTheModelAnswersToFiltersOfThousandsOfValues(int values) {
        List<Event> corpus = corpus(values, 80);
        corpus.addAll(Corpus.traffic(values).take(50));
        ModelStore model = new ModelStore(Set.of(OWN));
        RandomFilters filters = new RandomFilters(values, corpus);
        Random random = new Random(values);

        try (EventStore store = open(folder)) {
            fill(store, model, corpus, values);
            int rows = 0;
            try (StoreReader reader = store.reader()) {
                for (int i = 0; i < 12; i++) {
                    List<String> query = new ArrayList<>(List.of(filters.nextLarge(values)));
                    if (i % 4 == 0) {
                        query.add(filters.next());
                    }
                    Asker asker = i % 2 == 0 ? Asker.OPERATOR : asker(corpus, random);
                    assertSameAnswer(store, model, reader, query, asker, Corpus.BEGIN, random);
                    rows += model.query(query, asker, Corpus.BEGIN).size();
                }
            }
            assertThat(rows).as("something was found").isGreaterThan(30);
        }
    }

    /// An index key holds sixteen bytes of a value: of 64 hex digits the first 32, of other text those of its hash.
    @Test
    void tellsTagValuesApartThatShareAKey() {
        String text = "a text whose hash begins as the others do";
        String begin = HexFormat.of().formatHex(sha256(text), 0, 16);
        List<String> values = List.of(text, begin + "0".repeat(32), begin + "1".repeat(32), begin + "f".repeat(32));
        assertThat(values.stream()
                        .map(value ->
                                HexFormat.of().formatHex(TagValue.of(value).hash())))
                .containsOnly(begin);
        Events events = new Events();
        List<Event> made = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            List<Tag> tags = new ArrayList<>();
            for (int bit = 0; bit < values.size(); bit++) {
                if ((i >> bit & 1) != 0) {
                    tags.add(Tag.of("x", values.get(bit)));
                }
            }
            made.add(events.note(i % 3, 1000 + i / 2, tags.toArray(Tag[]::new)));
        }
        ModelStore model = new ModelStore(Set.of(OWN));
        Random random = new Random(1);

        try (EventStore store = open(folder);
                StoreReader reader = store.reader()) {
            fill(store, model, made, 1);
            for (int wanted = 1; wanted < 1 << values.size(); wanted++) {
                String list = listed(values, wanted);
                for (String form :
                        List.of("{\"#x\":%s}", "{\"&x\":%s}", "{\"#x\":%s,\"limit\":5}", "{\"&x\":%s,\"limit\":2}")) {
                    List<String> query = List.of(form.formatted(list));
                    assertSameAnswer(store, model, reader, query, Asker.OPERATOR, BEFORE, random);
                }
            }
            assertThat(Asking.ids(store, "{\"#x\":[\"" + begin + "2".repeat(32) + "\"]}", BEFORE))
                    .as("another value of the same key, which no event has")
                    .isEmpty();
        }
    }

    private static String listed(List<String> values, int wanted) {
        return IntStream.range(0, values.size())
                .filter(bit -> (wanted >> bit & 1) != 0)
                .mapToObj(bit -> "\"" + values.get(bit) + "\"")
                .collect(Collectors.joining(",", "[", "]"));
    }

    private static byte[] sha256(String text) {
        return Sha256.of(text.getBytes(UTF_8));
    }

    /// Deletes a third of everything, and sweeps what has expired.
    private static void deleteMany(EventStore store, ModelStore model, List<Event> corpus, long seed) {
        Keys keys = new Keys(seed);
        List<Event> deletions = new ArrayList<>();
        for (int author = 0; author < 5; author++) {
            Signer signer = keys.signer(author);
            List<Tag> targets = corpus.stream()
                    .filter(event -> event.author().equals(signer.publicKey()))
                    .filter(event -> event.idBytes().w0() % 3 == 0)
                    .map(event -> Tag.of("e", event.id().hex()))
                    .toList();
            deletions.add(signer.sign(new EventDraft(Corpus.BEGIN, 5, targets, "")));
        }
        Asking.write(store, BEFORE, deletions);
        deletions.forEach(event -> model.write(event, BEFORE));

        assertThat(store.removeExpired(Corpus.BEGIN + 15, 1000)).isEqualTo(model.removeExpired(Corpus.BEGIN + 15));
        assertThat(Asking.contents(store)).containsExactlyElementsOf(Asking.jsonOfRows(model));
    }

    /// Compares query, completeness and count of random filters by random viewers, in one snapshot and in slices.
    static void assertSameAnswers(EventStore store, ModelStore model, List<Event> corpus, long seed, int queries) {
        RandomFilters filters = new RandomFilters(seed, corpus);
        Random random = new Random(seed);
        try (StoreReader reader = store.reader()) {
            for (int i = 0; i < queries; i++) {
                List<String> query = filters.nextQuery();
                Asker asker = asker(corpus, random);
                long now = Corpus.BEGIN + random.nextInt(60);

                assertSameAnswer(store, model, reader, query, asker, now, random);
            }
        }
    }

    private static void assertSameAnswer(
            EventStore store,
            ModelStore model,
            StoreReader reader,
            List<String> filters,
            Asker asker,
            long now,
            Random random) {
        Query query = Asking.query(filters, Asking.viewer(asker));
        List<String> expected = Asking.json(model.query(filters, asker, now));

        Scan scan = store.plan(query);
        Rows rows = new Rows();
        try (Snapshot snapshot = reader.open()) {
            assertThat(snapshot.run(scan, now, Budget.UNLIMITED, rows)).isTrue();
            assertThat(snapshot.count(query, now, Long.MAX_VALUE, () -> true))
                    .as("count %s", filters)
                    .hasValue(model.count(filters, asker, now));
        }
        Rows sliced = new Rows(1 + random.nextInt(4));
        runInSlices(store.plan(query), reader, now, sliced, random);

        assertThat(rows.json()).as("%s by %s", filters, asker).containsExactlyElementsOf(expected);
        assertThat(sliced.json()).as("in slices: %s", filters).containsExactlyElementsOf(expected);
        assertThat(scan.rows()).isEqualTo(expected.size());
        assertThat(scan.replacedUpTo()).isEqualTo(scan.watermark());
        boolean more = model.hasMore(filters, asker, now);
        assertThat(scan.completeness())
                .as("completeness of %s", filters)
                .isIn(more ? Scan.Completeness.MORE : Scan.Completeness.FINISHED, Scan.Completeness.UNKNOWN);
    }

    static void runInSlices(Scan scan, StoreReader reader, long now, RowSink sink, Random random) {
        boolean done = false;
        while (!done) {
            Budget budget = new Budget(1 + random.nextInt(3), 1 + random.nextInt(2000), random.nextInt(2));
            try (Snapshot snapshot = reader.open()) {
                done = snapshot.run(scan, now, budget, sink);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {21, 22, 23, 24, 25, 26, 27, 28})
    void holdsTheSameEventsWhateverTheOrderOfArrival(long seed) {
        List<Event> corpus = corpus(seed, 150);
        Random random = new Random(seed);
        Set<String> expected = new HashSet<>();

        for (int turn = 0; turn < 8; turn++) {
            Path place = folder.resolve("order" + turn);
            try (EventStore store = open(place)) {
                Asking.batches(corpus, 20, random).forEach(batch -> Asking.write(store, BEFORE, batch));

                if (turn == 0) {
                    expected = Asking.contentSet(store);
                }
                assertThat(Asking.contentSet(store)).isEqualTo(expected);
            }
            Collections.shuffle(corpus, random);
        }
    }

    /// Events that collide, in the order they were made, some of them twice.
    static List<Event> corpus(long seed, int count) {
        List<Event> events = new ArrayList<>(Corpus.tangle(seed).take(count));
        Random random = new Random(seed);
        for (int i = 0; i < count / 20; i++) {
            events.add(random.nextInt(events.size()), events.get(random.nextInt(events.size())));
        }
        return events;
    }

    static void fill(EventStore store, ModelStore model, List<Event> corpus, long seed) {
        for (List<Event> batch : Asking.batches(corpus, 100, new Random(seed))) {
            Asking.write(store, BEFORE, batch);
            batch.forEach(event -> model.write(event, BEFORE));
        }
    }

    static Asker asker(List<Event> corpus, Random random) {
        if (random.nextInt(3) == 0) {
            return Asker.OPERATOR;
        }
        Set<String> keys = new HashSet<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            keys.add(corpus.get(random.nextInt(corpus.size())).author().hex());
        }
        return new Asker(keys, Set.of(4, 1059));
    }

    @Test
    void answersNothingWhenEmpty() {
        try (EventStore store = open(folder)) {
            assertThat(store.sequence()).isZero();
            assertThat(Asking.ids(store, "{}", BEFORE)).isEmpty();
            try (StoreReader reader = store.reader();
                    Snapshot snapshot = reader.open()) {
                assertThat(snapshot.count(Asking.query("{}"), BEFORE, 10, () -> true))
                        .isEqualTo(OptionalLong.of(0));
                assertThat(snapshot.sequence()).isZero();
            }
        }
    }

    static Query all() {
        return Asking.query(List.of("{}"), Viewer.OPERATOR);
    }

    // Order.

    @Test
    void ordersFiveThousandEventsOfOneSecondByIdThroughEveryIndex() {
        Events events = new Events();
        List<Event> made = new ArrayList<>();
        for (int i = 0; i < 5000; i++) {
            Tag topic = Tag.of("t", "topic" + i % 3);
            made.add(events.event(i % 4, 1000, i % 2 == 0 ? 1 : 7, topic, Tag.of("p", events.key(i % 5))));
        }

        try (EventStore store = open(folder)) {
            Asking.batches(made, 700, new Random(1)).forEach(batch -> Asking.write(store, BEFORE, batch));
            assertOrdered(store, made, events);
        }
        try (EventStore store = open(folder)) {
            assertOrdered(store, made, events);
        }
    }

    private static void assertOrdered(EventStore store, List<Event> made, Events events) {
        assertIds(store, "{}", made, _ -> true);
        assertIds(store, "{\"kinds\":[1]}", made, event -> event.kind() == 1);
        assertIds(store, "{\"kinds\":[7,1]}", made, _ -> true);
        assertIds(store, "{\"#t\":[\"topic0\",\"topic2\"]}", made, event -> !hasValue(event, "topic1"));
        String two = "[\"" + events.key(1) + "\",\"" + events.key(3) + "\"]";
        Set<PublicKey> authors =
                Set.of(events.author(1).publicKey(), events.author(3).publicKey());
        assertIds(store, "{\"authors\":" + two + "}", made, event -> authors.contains(event.author()));
        assertIds(
                store,
                "{\"authors\":" + two + ",\"kinds\":[7,9]}",
                made,
                event -> authors.contains(event.author()) && event.kind() == 7);
        assertIds(
                store,
                "{\"#p\":" + two + ",\"since\":1000,\"until\":1000}",
                made,
                event -> hasValue(event, events.key(1)) || hasValue(event, events.key(3)));
    }

    private static boolean hasValue(Event event, String value) {
        return event.tags().stream().anyMatch(tag -> tag.value().equals(value));
    }

    private static void assertIds(EventStore store, String filter, List<Event> made, Predicate<Event> wanted) {
        List<String> expected = made.stream()
                .filter(wanted)
                .map(event -> event.id().hex())
                .sorted()
                .toList();

        assertThat(expected).isNotEmpty();
        assertThat(Asking.ids(store, filter, BEFORE)).as(filter).containsExactlyElementsOf(expected);
        Rows sliced = new Rows(97);
        try (StoreReader reader = store.reader()) {
            runInSlices(store.plan(Asking.query(filter)), reader, BEFORE, sliced, new Random(5));
        }
        assertThat(sliced.ids()).as(filter).containsExactlyElementsOf(expected);
    }

    // Scans.

    @Test
    void leavesOutOfALaterSliceWhatWasWrittenAfterTheFirst() {
        Events events = new Events();
        List<Event> early = new ArrayList<>();
        List<Event> late = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            early.add(events.note(1, 10L * i));
            late.add(events.note(1, 10L * i + 5));
        }
        try (EventStore store = open(folder);
                StoreReader reader = store.reader()) {
            Asking.write(store, BEFORE, early);
            Scan scan = store.plan(all());
            Rows rows = new Rows(1);
            slice(reader, scan, rows);

            Asking.write(store, BEFORE, late);
            finish(reader, scan, rows);

            assertThat(rows.ids())
                    .containsExactlyElementsOf(early.reversed().stream()
                            .map(event -> event.id().hex())
                            .toList());
            assertThat(scan.watermark()).isEqualTo(200);
        }
    }

    @Test
    void handsOverAReplacementBeforeGoingOn() {
        Events events = new Events();
        try (EventStore store = open(folder);
                StoreReader reader = store.reader()) {
            Event old = events.event(1, 10, 0);
            Asking.write(store, BEFORE, List.of(old, events.note(1, 30), events.note(1, 40)));
            Scan scan = store.plan(Asking.query("{\"authors\":[\"" + events.key(1) + "\"],\"limit\":3}"));
            Rows rows = new Rows(1);
            slice(reader, scan, rows);

            Event replacement = events.event(1, 50, 0);
            Asking.write(store, BEFORE, List.of(events.event(2, 50, 0), replacement));
            finish(reader, scan, rows);

            assertThat(rows.sequences()).containsExactly(3L, 5L, 2L);
            assertThat(rows.ids().get(1)).isEqualTo(replacement.id().hex());
            assertThat(scan.watermark()).isEqualTo(3);
            assertThat(scan.replacedUpTo()).isEqualTo(5);
        }
    }

    @Test
    void leavesOutWhatWasDeletedWhileTheScanPaused() {
        Events events = new Events();
        try (EventStore store = open(folder);
                StoreReader reader = store.reader()) {
            Event doomed = events.note(1, 20);
            Asking.write(store, BEFORE, List.of(events.note(1, 10), doomed, events.note(1, 30)));
            Scan scan = store.plan(all());
            Rows rows = new Rows(1);
            slice(reader, scan, rows);

            Asking.write(store, BEFORE, events.deletion(1, 40, doomed));
            finish(reader, scan, rows);

            assertThat(rows.sequences()).containsExactly(3L, 1L);
        }
    }

    @Test
    void keepsToTheRowsOfItsBudget() {
        Events events = new Events();
        try (EventStore store = open(folder);
                StoreReader reader = store.reader()) {
            Asking.write(store, BEFORE, List.of(events.note(1, 1), events.note(1, 2), events.note(1, 3)));
            Scan scan = store.plan(all());
            Rows rows = new Rows();

            try (Snapshot snapshot = reader.open()) {
                boolean done = snapshot.run(scan, BEFORE, new Budget(2, Long.MAX_VALUE, Long.MAX_VALUE), rows);

                assertThat(done).isFalse();
                assertThat(rows.sequences()).hasSize(2);
                assertThat(snapshot.run(scan, BEFORE, Budget.UNLIMITED, rows)).isTrue();
                assertThat(rows.sequences()).hasSize(3);
            }
        }
    }

    @Test
    void comesToAnEndThoughEachRunHasNoTimeAtAll() {
        Events events = new Events();
        List<Event> made = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            made.add(events.note(1, i));
        }
        try (EventStore store = open(folder);
                StoreReader reader = store.reader()) {
            Asking.write(store, BEFORE, made);
            Scan scan = store.plan(Asking.query("{\"#t\":[\"none\"],\"kinds\":[1]}"));
            Scan some = store.plan(Asking.query("{\"kinds\":[1,2],\"&t\":[\"none\"]}"));
            Scan most = store.plan(all());
            Rows rows = new Rows();

            for (Scan one : List.of(scan, some, most)) {
                boolean done = false;
                while (!done) {
                    try (Snapshot snapshot = reader.open()) {
                        done = snapshot.run(one, BEFORE, new Budget(10, 10, 0), rows);
                    }
                }
            }

            assertThat(rows.sequences()).hasSize(1000);
        }
    }

    @Test
    void takesOneOfTheLimitForAnEventFoundTwice() {
        Events events = new Events();
        try (EventStore store = open(folder)) {
            for (int i = 0; i < 10; i++) {
                Asking.write(store, BEFORE, events.note(1, i, Tag.of("t", "a"), Tag.of("t", "b"), Tag.of("t", "a")));
            }
            String both = "{\"#t\":[\"a\",\"b\"],\"limit\":6}";
            Query twoFilters = Asking.query(List.of(both, "{\"#t\":[\"b\"],\"limit\":4}"), Viewer.OPERATOR);

            assertThat(Asking.ids(store, both, BEFORE)).hasSize(6);
            assertThat(Asking.rows(store, twoFilters, BEFORE).ids()).hasSize(6);
            assertThat(completeness(store, both)).isEqualTo(Scan.Completeness.MORE);
        }
    }

    @Test
    void looksAtNothingForALimitOfNone() {
        Events events = new Events();
        try (EventStore store = open(folder);
                StoreReader reader = store.reader()) {
            Asking.write(store, BEFORE, events.note(1, 1));
            Scan scan = store.plan(Asking.query("{\"limit\":0}"));

            try (Snapshot snapshot = reader.open()) {
                assertThat(snapshot.run(scan, BEFORE, Budget.UNLIMITED, new Rows()))
                        .isTrue();
            }

            assertThat(scan.rows()).isZero();
            assertThat(scan.examined()).isZero();
            assertThat(scan.completeness()).isEqualTo(Scan.Completeness.UNKNOWN);
        }
    }

    @Test
    void saysWhetherThereIsMore() {
        Events events = new Events();
        try (EventStore store = open(folder)) {
            Asking.write(store, BEFORE, List.of(events.note(1, 1), events.note(1, 2), events.note(1, 3)));

            assertThat(completeness(store, "{\"limit\":2}")).isEqualTo(Scan.Completeness.MORE);
            assertThat(completeness(store, "{\"limit\":3}")).isEqualTo(Scan.Completeness.FINISHED);
            assertThat(completeness(store, "{\"limit\":4}")).isEqualTo(Scan.Completeness.FINISHED);
            assertThat(completeness(store, "{}")).isEqualTo(Scan.Completeness.FINISHED);
        }
    }

    @Test
    void saysNothingOfPrivateEventsToAStranger() {
        Events events = new Events();
        Viewer stranger = Viewer.of(Set.of(), Filter.Kinds.of(4, 1059));
        Viewer recipient = Viewer.of(Set.of(events.author(2).publicKey().bytes()), Filter.Kinds.of(4, 1059));
        try (EventStore store = open(folder);
                StoreReader reader = store.reader()) {
            Event open = events.note(1, 20, Tag.of("p", events.key(2)));
            Event secret = events.event(1, 10, 4, Tag.of("p", events.key(2)));
            Asking.write(store, BEFORE, List.of(secret, open));
            List<String> filters = List.of(
                    "{\"limit\":1}",
                    "{\"#p\":[\"" + events.key(2) + "\"],\"limit\":1}",
                    "{\"authors\":[\"" + events.key(1) + "\"],\"limit\":1}",
                    "{\"ids\":[\"" + secret.id() + "\",\"" + open.id() + "\"],\"limit\":1}");

            for (String filter : filters) {
                assertSees(store, reader, filter, stranger, 1, Scan.Completeness.FINISHED);
                assertSees(store, reader, filter, recipient, 2, Scan.Completeness.MORE);
            }
            assertSees(store, reader, "{\"kinds\":[4]}", stranger, 0, Scan.Completeness.FINISHED);
        }
    }

    private static void assertSees(
            EventStore store, StoreReader reader, String filter, Viewer viewer, long count, Scan.Completeness hint) {
        Query query = Asking.query(List.of(filter), viewer);
        Scan scan = store.plan(query);
        try (Snapshot snapshot = reader.open()) {
            snapshot.run(scan, BEFORE, Budget.UNLIMITED, new Rows());

            assertThat(snapshot.count(query, BEFORE, Long.MAX_VALUE, () -> true))
                    .as(filter)
                    .hasValue(count);
            assertThat(scan.completeness()).as(filter).isEqualTo(hint);
        }
    }

    @Test
    void countsOnlyWithinTheWorkAllowed() {
        Events events = new Events();
        List<Event> made = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            made.add(events.note(1, i));
        }
        try (EventStore store = open(folder);
                StoreReader reader = store.reader()) {
            Asking.write(store, BEFORE, made);
            Query limited = Asking.query("{\"kinds\":[1],\"limit\":5}");

            try (Snapshot snapshot = reader.open()) {
                assertThat(snapshot.count(limited, BEFORE, 100, () -> true)).isEmpty();
                assertThat(snapshot.count(limited, BEFORE, 1000, () -> true)).hasValue(300);
            }
        }
    }

    @Test
    void countsWhatMatchesWhateverTheLimits() {
        Events events = new Events();
        List<String> filters = List.of(
                "{\"kinds\":[1],\"limit\":0}",
                "{\"kinds\":[1],\"limit\":1}",
                "{\"authors\":[\"" + events.key(1) + "\"],\"limit\":2}",
                "{\"limit\":5000}");
        try (EventStore store = open(folder);
                StoreReader reader = store.reader()) {
            Asking.write(store, BEFORE, List.of(events.note(1, 1), events.note(1, 2), events.note(1, 3)));

            try (Snapshot snapshot = reader.open()) {
                for (String filter : filters) {
                    assertThat(snapshot.count(Asking.query(filter), BEFORE, 1000, () -> true))
                            .as(filter)
                            .hasValue(3);
                }
                Query together = Asking.query(filters, Viewer.OPERATOR);
                assertThat(snapshot.count(together, BEFORE, 1000, () -> true)).hasValue(3);
            }
        }
    }

    @Test
    void endsACountThatMayNotGoOn() {
        Events events = new Events();
        try (EventStore store = open(folder);
                StoreReader reader = store.reader()) {
            Asking.write(store, BEFORE, events.note(1, 1));

            try (Snapshot snapshot = reader.open()) {
                assertThat(snapshot.count(all(), BEFORE, 1000, () -> false)).isEmpty();
                assertThat(snapshot.count(all(), BEFORE, 1000, () -> true)).hasValue(1);
            }
        }
    }

    @Test
    void replaysARangeOfSequenceNumbers() {
        Events events = new Events();
        try (EventStore store = open(folder);
                StoreReader reader = store.reader()) {
            Event doomed = events.note(1, 3);
            Asking.write(store, BEFORE, List.of(events.note(1, 1), events.event(1, 2, 20_000), doomed));
            Asking.write(store, BEFORE, List.of(events.note(1, 4), events.deletion(1, 5, doomed), events.note(1, 6)));

            try (Snapshot snapshot = reader.open()) {
                Rows rows = new Rows();
                assertThat(snapshot.replay(1, 5, rows)).isEqualTo(5);
                assertThat(rows.sequences()).containsExactly(4L, 5L);
                Rows one = new Rows(1);
                assertThat(snapshot.replay(0, 6, one)).isEqualTo(1);
                assertThat(snapshot.replay(1, 6, one)).isEqualTo(4);
                assertThat(snapshot.replay(6, 6, one)).isEqualTo(6);
                assertThat(one.sequences()).containsExactly(1L, 4L);
            }
        }
    }

    @Test
    void knowsWhatItHolds() {
        Events events = new Events();
        try (EventStore store = open(folder);
                StoreReader reader = store.reader()) {
            Event stored = events.note(1, 1);
            Event unknown = events.note(1, 2);
            Asking.write(store, BEFORE, stored);

            try (Snapshot snapshot = reader.open()) {
                assertThat(snapshot.contains(stored.id())).isTrue();
                assertThat(snapshot.contains(unknown.id())).isFalse();
            }
        }
    }

    /// While one thread writes notes, new versions and deletions, others scan in slices and then replay
    /// what came since: nobody gets an event twice, and what is there in the end was received by
    /// everybody.
    @Test
    void losesAndRepeatsNothingBetweenSlicedScansAndReplay() throws Exception {
        List<List<Event>> batches = batchesOfNotesVersionsAndDeletions();
        try (EventStore store = open(folder);
                ExecutorService pool = Executors.newFixedThreadPool(4)) {
            batches.subList(0, 40).forEach(batch -> Asking.write(store, BEFORE, batch));
            CountDownLatch begun = new CountDownLatch(3);
            AtomicBoolean written = new AtomicBoolean();
            List<Future<Integer>> clients = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                int seed = i;
                clients.add(pool.submit(() -> {
                    Random random = new Random(seed);
                    int scans = 0;
                    begun.countDown();
                    do {
                        receiveEverything(store, random);
                        scans++;
                    } while (!written.get());
                    return scans;
                }));
            }
            begun.await();
            batches.subList(40, batches.size()).forEach(batch -> Asking.write(store, BEFORE, batch));
            written.set(true);

            for (Future<Integer> client : clients) {
                assertThat(client.get()).isPositive();
            }
        }
    }

    private static void receiveEverything(EventStore store, Random random) {
        String filter = random.nextBoolean() ? "{}" : "{\"kinds\":[0,1,5,30023]}";
        Scan scan = store.plan(Asking.query(List.of(filter, "{\"kinds\":[0,1]}"), Viewer.OPERATOR));
        Rows rows = new Rows(1 + random.nextInt(200));
        try (StoreReader reader = store.reader()) {
            Set<String> addressesBefore = addresses(Asking.replay(store), Long.MAX_VALUE);
            runInSlices(scan, reader, BEFORE, rows, random);
            Set<String> received = new HashSet<>(rows.ids());
            assertThat(received).as("no row twice").hasSameSizeAs(rows.ids());
            try (Snapshot snapshot = reader.open()) {
                Rows all = new Rows();
                snapshot.replay(0, Long.MAX_VALUE, all);
                Set<String> addressesBoth = addresses(all, scan.replacedUpTo());
                addressesBoth.retainAll(addressesBefore);
                assertThat(addresses(rows, Long.MAX_VALUE))
                        .as("some version of each address before EOSE")
                        .containsAll(addressesBoth);

                snapshot.replay(scan.watermark(), snapshot.sequence(), (base, at, _, sequence) -> {
                    boolean replaced =
                            KindClass.of(PackedEvent.kind(base, at)).supersedes() && sequence <= scan.replacedUpTo();
                    if (!replaced) {
                        assertThat(received.add(PackedEvent.id(base, at).hex())).isTrue();
                    }
                    return true;
                });
                assertThat(received).containsAll(all.ids());
            }
        }
    }

    /// The addresses of rows up to a sequence number.
    private static Set<String> addresses(Rows rows, long until) {
        Set<String> addresses = new HashSet<>();
        for (int i = 0; i < rows.json().size(); i++) {
            SlowEvent event = SlowEvent.of(rows.json().get(i));
            if (event.isVersioned() && rows.sequences().get(i) <= until) {
                addresses.add(event.address());
            }
        }
        return addresses;
    }

    private static List<List<Event>> batchesOfNotesVersionsAndDeletions() {
        Events events = new Events();
        Random random = new Random(41);
        List<Event> made = new ArrayList<>();
        for (int i = 0; i < 4000; i++) {
            int author = random.nextInt(5);
            long time = 1000L + i;
            made.add(
                    switch (random.nextInt(6)) {
                        case 0 -> events.event(author, time, 0);
                        case 1 -> events.event(author, time, 30_023, Tag.of("d", "d" + random.nextInt(20)));
                        case 2 -> events.deletion(author, time, made.isEmpty() ? events.note(0, 1) : made.getLast());
                        default -> events.note(author, 1000 + random.nextInt(4000));
                    });
        }
        return Asking.batches(made, 20, random);
    }

    static void slice(StoreReader reader, Scan scan, RowSink rows) {
        try (Snapshot snapshot = reader.open()) {
            assertThat(snapshot.run(scan, BEFORE, Budget.UNLIMITED, rows)).isFalse();
        }
    }

    static void finish(StoreReader reader, Scan scan, RowSink rows) {
        boolean done = false;
        while (!done) {
            try (Snapshot snapshot = reader.open()) {
                done = snapshot.run(scan, BEFORE, Budget.UNLIMITED, rows);
            }
        }
    }

    static Scan.Completeness completeness(EventStore store, String filter) {
        Scan scan = store.plan(Asking.query(filter));
        try (StoreReader reader = store.reader();
                Snapshot snapshot = reader.open()) {
            snapshot.run(scan, BEFORE, Budget.UNLIMITED, new Rows());
        }
        return scan.completeness();
    }

    // Rules.

    @Test
    void seesWhatEarlierEventsOfTheSameBatchDid() {
        Events events = new Events();
        Event note = events.note(1, 10);
        Event first = events.event(1, 10, 0);
        Event second = events.event(1, 20, 0);
        try (EventStore store = open(folder)) {
            List<WriteOutcome> outcomes = Asking.write(
                            store,
                            BEFORE,
                            List.of(note, note, second, first, events.deletion(1, 30, note), note, events.note(1, 40)))
                    .outcomes();

            assertThat(outcomes)
                    .containsExactly(
                            new WriteOutcome.Stored(1),
                            new WriteOutcome.Duplicate(),
                            new WriteOutcome.Stored(2),
                            new WriteOutcome.Superseded(),
                            new WriteOutcome.Stored(3),
                            new WriteOutcome.Deleted(),
                            new WriteOutcome.Stored(4));
            assertThat(Asking.replay(store).sequences()).containsExactly(2L, 3L, 4L);
        }
    }

    @Test
    void remembersADeletionOfWhatHasNotArrivedAcrossARestart() {
        Events events = new Events();
        Event note = events.note(1, 10);
        Event article = events.event(1, 20, 30_023, Tag.of("d", "x"));
        Event newer = events.event(1, 60, 30_023, Tag.of("d", "x"));
        try (EventStore store = open(folder)) {
            Asking.write(
                    store, BEFORE, List.of(events.deletion(1, 30, note), events.deletionOf(1, 50, 30_023, 1, "x")));
        }

        try (EventStore store = open(folder)) {
            assertThat(Asking.write(store, BEFORE, note)).isEqualTo(new WriteOutcome.Deleted());
            assertThat(Asking.write(store, BEFORE, article)).isEqualTo(new WriteOutcome.Deleted());
            assertThat(Asking.write(store, BEFORE, newer)).isInstanceOf(WriteOutcome.Stored.class);
            assertThat(Asking.ids(store, "{\"kinds\":[5]}", BEFORE)).hasSize(2);
        }
    }

    @Test
    void bringsNoOlderVersionBackWhenTheNewestWasDeletedById() {
        Events events = new Events();
        Tag d = Tag.of("d", "x");
        Event one = events.event(1, 10, 30_023, d);
        Event two = events.event(1, 20, 30_023, d);
        Event three = events.event(1, 30, 30_023, d);
        Event deletion = events.deletion(1, 25, two);
        List<List<Event>> orders = List.of(
                List.of(one, two, deletion),
                List.of(one, deletion, two),
                List.of(two, deletion, one),
                List.of(deletion, one, two),
                List.of(deletion, two, one));
        for (int i = 0; i < orders.size(); i++) {
            try (EventStore store = open(folder.resolve("order" + i))) {
                orders.get(i).forEach(event -> Asking.write(store, BEFORE, event));

                assertThat(Asking.ids(store, "{\"kinds\":[30023]}", BEFORE)).isEmpty();
                assertThat(Asking.write(store, BEFORE, one)).isEqualTo(new WriteOutcome.Deleted());
                assertThat(Asking.write(store, BEFORE, three)).isInstanceOf(WriteOutcome.Stored.class);
            }
        }
    }

    @Test
    void keepsADeletionOfSomebodyElsesEventWithoutEffect() {
        Events events = new Events();
        Event note = events.note(1, 10);
        Event profile = events.event(1, 10, 0);
        Event early = events.note(1, 11);
        try (EventStore store = open(folder)) {
            Asking.write(store, BEFORE, List.of(note, profile));
            Asking.write(
                    store,
                    BEFORE,
                    List.of(events.deletion(2, 30, note, profile, early), events.deletionOf(2, 30, 0, 1, "")));
            Asking.write(store, BEFORE, early);

            assertThat(Asking.ids(store, "{}", BEFORE)).hasSize(5);
        }
    }

    @Test
    void deletesNoRequestToDeleteOrToVanish() {
        Events events = new Events();
        Event note = events.note(1, 10);
        Event deletion = events.deletion(1, 20, note);
        Event vanish = events.vanish(2, 20, "wss://elsewhere.example.com");
        try (EventStore store = open(folder)) {
            Asking.write(store, BEFORE, List.of(events.deletion(1, 40, deletion), events.deletion(2, 40, vanish)));
            Asking.write(store, BEFORE, List.of(note, deletion, vanish, events.deletion(1, 50, deletion)));

            assertThat(Asking.ids(store, "{}", BEFORE))
                    .contains(deletion.id().hex(), vanish.id().hex())
                    .doesNotContain(note.id().hex());
        }
    }

    @Test
    void letsTheRecipientDeleteAGiftWrap() {
        Events events = new Events();
        Event wrap = events.wrapFor(2, 1, 10);
        Event late = events.wrapFor(2, 1, 11);
        Event other = events.event(1, 12, 4, Tag.of("p", events.key(2)));
        try (EventStore store = open(folder)) {
            Asking.write(store, BEFORE, List.of(wrap, other, events.deletion(2, 30, wrap, late, other)));

            assertThat(Asking.write(store, BEFORE, late)).isEqualTo(new WriteOutcome.Deleted());
            assertThat(Asking.ids(store, "{\"kinds\":[4,1059]}", BEFORE))
                    .containsExactly(other.id().hex());
        }
    }

    @Test
    void letsAnAuthorVanishFromThisRelayHoweverItsAddressIsWritten() {
        Events events = new Events();
        Event before = events.note(1, 10);
        Event deletion = events.deletion(1, 11, before);
        Event wrap = events.wrapFor(1, 3, 15);
        Event after = events.note(1, 30);
        Event others = events.note(2, 10);
        Event vanish = events.vanish(1, 20, "WSS://Relay.Example.com:443/");
        try (EventStore store = open(folder)) {
            Asking.write(store, BEFORE, List.of(before, deletion, wrap, after, others, vanish));

            assertThat(Asking.ids(store, "{}", BEFORE))
                    .containsExactly(
                            after.id().hex(), vanish.id().hex(), others.id().hex());
        }
        try (EventStore store = open(folder)) {
            assertThat(Asking.write(store, BEFORE, List.of(deletion, wrap, events.note(1, 20)))
                            .outcomes())
                    .containsOnly(new WriteOutcome.Vanished());
            assertThat(Asking.write(store, BEFORE, events.note(1, 21))).isInstanceOf(WriteOutcome.Stored.class);
        }
    }

    @Test
    void followsARequestToVanishOnceItsAddressIsTheRelays() {
        Events events = new Events();
        List<Event> requests = new ArrayList<>();
        for (int i = 0; i < 250; i++) {
            requests.add(events.vanish(1 + i % 5, 20 + i, i < 5 ? "wss://new.example.com" : "wss://third.example.com"));
        }
        Event before = events.note(1, 10);
        Event late = events.note(1, 11);
        Event wrap = events.wrapFor(1, 7, 15);
        Event after = events.note(1, 30);
        RelayUrl address = RelayUrl.parse("wss://new.example.com/").orElseThrow();
        try (EventStore store = open(folder, Set.of(OWN))) {
            Asking.write(store, BEFORE, requests);
            Asking.write(store, BEFORE, List.of(before, wrap, after, events.note(7, 10)));
            assertThat(Asking.ids(store, "{\"kinds\":[1,1059]}", BEFORE)).hasSize(4);
        }

        try (EventStore store = open(folder, Set.of(OWN, address))) {
            assertThat(Asking.ids(store, "{\"kinds\":[1,1059]}", BEFORE))
                    .hasSize(2)
                    .contains(after.id().hex());
            assertThat(Asking.ids(store, "{\"kinds\":[62]}", BEFORE)).hasSize(250);
            assertThat(Asking.write(store, BEFORE, late)).isEqualTo(new WriteOutcome.Vanished());
        }
        try (EventStore store = open(folder, Set.of(OWN))) {
            assertThat(Asking.write(store, BEFORE, late)).as("for good").isEqualTo(new WriteOutcome.Vanished());
        }
    }

    @Test
    void followsARequestToVanishThatCameWhileTheRelayKnewNoAddress() {
        Events events = new Events();
        Event note = events.note(1, 10);
        Event vanish = events.vanish(1, 20, OWN.text());
        try (EventStore store = open(folder, Set.of(OWN))) {
            Asking.write(store, BEFORE, note);
        }
        try (EventStore store = open(folder, Set.of())) {
            Asking.write(store, BEFORE, vanish);
            assertThat(Asking.ids(store, "{}", BEFORE)).contains(note.id().hex());
        }

        try (EventStore store = open(folder, Set.of(OWN))) {
            assertThat(Asking.ids(store, "{}", BEFORE))
                    .containsExactly(vanish.id().hex());
        }
    }

    @Test
    void letsADeletionHaveItsEffectThoughItsAuthorHasVanished() {
        Events events = new Events();
        Event later = events.note(1, 30);
        Event article = events.event(1, 9, 30_023, Tag.of("d", "x"));
        Event deletion = events.deletion(1, 10, later);
        Event vanish = events.vanish(1, 20, "ALL_RELAYS");
        List<List<Event>> orders = List.of(
                List.of(vanish, deletion, later),
                List.of(deletion, vanish, later),
                List.of(later, deletion, vanish),
                List.of(later, vanish, deletion));
        for (int i = 0; i < orders.size(); i++) {
            try (EventStore store = open(folder.resolve("order" + i))) {
                orders.get(i).forEach(event -> Asking.write(store, BEFORE, event));

                assertThat(Asking.ids(store, "{}", BEFORE))
                        .containsExactly(vanish.id().hex());
                assertThat(Asking.write(store, BEFORE, later)).isEqualTo(new WriteOutcome.Deleted());
                assertThat(Asking.write(store, BEFORE, article)).isEqualTo(new WriteOutcome.Vanished());
            }
        }
    }

    @Test
    void keepsARequestToVanishFromAnotherRelayWithoutEffect() {
        Events events = new Events();
        try (EventStore store = open(folder)) {
            Asking.write(
                    store,
                    BEFORE,
                    List.of(
                            events.note(1, 10),
                            events.vanish(1, 20, "wss://elsewhere.example.com/"),
                            events.note(1, 5)));

            assertThat(Asking.ids(store, "{}", BEFORE)).hasSize(3);
        }
    }

    @Test
    void servesNothingThatHasExpiredAndSweepsIt() {
        Events events = new Events();
        Tag soon = Tag.of("expiration", "100");
        Event expiring = events.note(1, 10, soon);
        try (EventStore store = open(folder)) {
            Asking.write(store, 99, List.of(expiring, events.note(1, 11), events.note(2, 12, soon)));

            assertThat(Asking.ids(store, "{}", 99)).hasSize(3);
            assertThat(Asking.ids(store, "{}", 100)).hasSize(1);
            assertThat(Asking.write(store, 100, events.note(1, 13, soon))).isEqualTo(new WriteOutcome.Expired());
            assertThat(store.removeExpired(99, 10)).isZero();
            assertThat(store.removeExpired(100, 1)).isEqualTo(1);
            assertThat(store.removeExpired(100, 10)).isEqualTo(1);
            assertThat(Asking.contents(store)).hasSize(1);
            assertThat(store.sequence()).isEqualTo(3);
        }
    }

    @Test
    void givesEphemeralEventsANumberAndKeepsNothing() {
        Events events = new Events();
        try (EventStore store = open(folder)) {
            assertThat(Asking.write(store, BEFORE, events.event(1, 1, 20_000)))
                    .isEqualTo(new WriteOutcome.Ephemeral(1));
            assertThat(Asking.write(store, BEFORE, events.note(1, 2))).isEqualTo(new WriteOutcome.Stored(2));
            Event again = events.event(1, 3, 29_999);
            assertThat(Asking.write(store, BEFORE, List.of(again, again)).outcomes())
                    .containsExactly(new WriteOutcome.Ephemeral(3), new WriteOutcome.Ephemeral(4));
            assertThat(Asking.contents(store)).hasSize(1);
        }
        try (EventStore store = open(folder)) {
            assertThat(store.sequence()).isEqualTo(4);
        }
    }

    @Test
    void keepsAnEventOfMegabytesToTheLastByte() {
        Events events = new Events();
        Event big = events.event(1, 10, 1, "x\u00fc\n".repeat(1_000_000), Tag.of("t", "y".repeat(5000)));
        try (EventStore store = open(folder)) {
            Asking.write(store, BEFORE, List.of(events.note(1, 1), big, events.note(1, 20)));
        }
        try (EventStore store = open(folder)) {
            Rows rows = Asking.rows(store, Asking.query("{\"#t\":[\"" + "y".repeat(5000) + "\"]}"), BEFORE);

            assertThat(rows.json()).containsExactly(big.json());
        }
    }

    // Life.

    @Test
    void backsUpTheStateOfOneMomentWhileItIsWritten() throws Exception {
        List<List<Event>> batches = batchesThatEndInANote(corpus(31, 3000));
        ModelStore model = new ModelStore(Set.of(OWN));
        try (EventStore store = open(folder.resolve("original"));
                ExecutorService pool = Executors.newFixedThreadPool(1)) {
            Future<?> writing = pool.submit(() -> batches.forEach(batch -> Asking.write(store, BEFORE, batch)));
            List<Long> copied = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                copied.add(store.backup(folder.resolve("copy" + i)));
            }
            writing.get();
            copied.add(store.backup(folder.resolve("copy4")));

            assertThat(copied).isSorted();
            assertThat(copied.getLast()).isEqualTo(store.sequence());
            Iterator<List<Event>> next = batches.iterator();
            for (int i = 0; i < copied.size(); i++) {
                while (model.sequence() < copied.get(i)) {
                    next.next().forEach(event -> model.write(event, BEFORE));
                }
                assertSameStore(folder.resolve("copy" + i), model, batches.getFirst(), copied.get(i));
            }
        }
    }

    /// Batches whose last event gets a number for sure, so that a number tells how far the writer was.
    private static List<List<Event>> batchesThatEndInANote(List<Event> corpus) {
        Events events = new Events();
        List<List<Event>> batches = new ArrayList<>();
        for (List<Event> batch : Asking.batches(corpus, 30, new Random(1))) {
            List<Event> ended = new ArrayList<>(batch);
            ended.add(events.note(1, 1));
            batches.add(ended);
        }
        return batches;
    }

    private void assertSameStore(Path place, ModelStore model, List<Event> corpus, long sequence) {
        try (EventStore copy = open(place)) {
            assertThat(copy.sequence()).isEqualTo(sequence);
            assertThat(Asking.contents(copy)).containsExactlyElementsOf(Asking.jsonOfRows(model));
            assertSameAnswers(copy, model, corpus, sequence, 20);
        }
    }

    @Test
    void backsUpIntoAnAbsentOrEmptyFolderOnly() throws Exception {
        Events events = new Events();
        Path used = folder.resolve("used");
        Files.createDirectories(used);
        Files.writeString(used.resolve("somebody's"), "file");
        try (EventStore store = open(folder.resolve("original"))) {
            Asking.write(store, BEFORE, events.note(1, 1));

            assertThatThrownBy(() -> store.backup(used))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("empty folder");
            assertThat(store.backup(Files.createDirectory(folder.resolve("fresh"))))
                    .isEqualTo(1);
            assertThat(used).isDirectoryContaining(path -> path.endsWith("somebody's"));
        }
    }

    @Test
    void refusesEverythingAfterItWasClosed() {
        Events events = new Events();
        EventStore store = open(folder);
        StoreReader reader = store.reader();
        store.close();

        assertThatThrownBy(reader::open).isInstanceOf(StoreException.class).hasMessageContaining("closed");
        assertThatThrownBy(store::reader).isInstanceOf(StoreException.class).hasMessageContaining("closed");
        assertThatThrownBy(() -> Asking.write(store, BEFORE, events.note(1, 1))).isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> store.removeExpired(1, 1)).isInstanceOf(StoreException.class);
        assertThatThrownBy(store::info).isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> store.backup(folder.resolve("copy"))).isInstanceOf(StoreException.class);
        reader.close();
        store.close();
    }

    @Test
    void waitsForOpenSnapshotsBeforeItCloses() throws Exception {
        Events events = new Events();
        EventStore store = open(folder);
        Asking.write(store, BEFORE, events.note(1, 1));
        StoreReader reader = store.reader();
        AtomicBoolean released = new AtomicBoolean();
        CountDownLatch closing = new CountDownLatch(1);
        try (ExecutorService pool = Executors.newFixedThreadPool(1)) {
            Future<Boolean> closed;
            try (Snapshot snapshot = reader.open()) {
                closed = pool.submit(() -> {
                    closing.countDown();
                    store.close();
                    return released.get();
                });
                closing.await();
                Rows rows = new Rows();
                for (int i = 0; i < 2000; i++) {
                    snapshot.run(store.plan(all()), BEFORE, Budget.UNLIMITED, rows);
                }
                assertThat(rows.json()).hasSize(2000);
                released.set(true);
            }

            assertThat(closed.get()).isTrue();
        }
    }

    @Test
    void closesWhileEverybodyReads() throws Exception {
        Events events = new Events();
        List<Event> made = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            made.add(events.note(i % 3, i));
        }
        try (ExecutorService pool = Executors.newFixedThreadPool(3)) {
            for (int round = 0; round < 15; round++) {
                EventStore store = open(folder);
                Asking.write(store, BEFORE, made);
                CountDownLatch reading = new CountDownLatch(3);
                List<Future<String>> readers = new ArrayList<>();
                for (int i = 0; i < 3; i++) {
                    readers.add(pool.submit(() -> readUntilClosed(store, reading)));
                }
                reading.await();
                store.close();

                for (Future<String> reader : readers) {
                    assertThat(reader.get()).contains("closed");
                }
            }
        }
    }

    /// Reads, with a new reader now and then, until the store refuses; returns its words.
    private static String readUntilClosed(EventStore store, CountDownLatch reading) {
        try {
            while (true) {
                try (StoreReader reader = store.reader()) {
                    for (int i = 0; i < 5; i++) {
                        Rows rows = new Rows();
                        try (Snapshot snapshot = reader.open()) {
                            snapshot.run(store.plan(all()), BEFORE, Budget.UNLIMITED, rows);
                        }
                        assertThat(rows.ids()).hasSize(200);
                        reading.countDown();
                    }
                }
            }
        } catch (StoreException e) {
            return e.getMessage();
        }
    }

    @Test
    void opensOneSnapshotAtATime() {
        try (EventStore store = open(folder);
                StoreReader reader = store.reader();
                Snapshot snapshot = reader.open()) {
            assertThatThrownBy(reader::open).isInstanceOf(IllegalStateException.class);
            assertThat(snapshot.sequence()).isZero();
        }
    }

    @Test
    void tellsItsFigures() {
        Events events = new Events();
        Event note = events.note(1, 1);
        try (EventStore store = open(folder)) {
            Asking.write(store, BEFORE, List.of(note, events.note(1, 2), events.deletion(1, 3, note)));

            StoreInfo info = store.info();

            assertThat(info.sequence()).isEqualTo(3);
            assertThat(info.events()).isEqualTo(2);
            assertThat(info.tombstones()).isEqualTo(1);
            assertThat(info.writable()).isTrue();
            assertThat(info.state()).isEqualTo("ok");
            assertThat(info.usedBytes()).isPositive();
        }
    }
}
