package postroad.nostr.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import postroad.nostr.core.Event;
import postroad.nostr.core.Query;
import postroad.nostr.core.RelayUrl;
import postroad.nostr.core.Viewer;
import postroad.nostr.kit.Corpus;
import postroad.nostr.kit.ModelStore;
import postroad.nostr.kit.ModelStore.Asker;
import postroad.nostr.kit.RandomFilters;

/// What every store must do: its answers are those of [ModelStore], the slow and obvious one.
abstract class EventStoreContract {
    static final RelayUrl OWN = RelayUrl.parse("wss://relay.example.com").orElseThrow();
    static final long BEFORE = Corpus.BEGIN - 1;

    @TempDir
    Path folder;

    /// Opens the store in `folder`, which is made when missing; its own address is [#OWN].
    abstract EventStore open(Path folder);

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
            assertSameAnswers(store, model, corpus, seed, 700);
        }
        try (EventStore store = open(folder)) {
            assertSameAnswers(store, model, corpus, seed + 1, 150);
        }
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
            assertThat(snapshot.count(query, now, Long.MAX_VALUE))
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
                assertThat(snapshot.count(Asking.query("{}"), BEFORE, 10)).isEqualTo(OptionalLong.of(0));
                assertThat(snapshot.sequence()).isZero();
            }
        }
    }

    static Query all() {
        return Asking.query(List.of("{}"), Viewer.OPERATOR);
    }
}
