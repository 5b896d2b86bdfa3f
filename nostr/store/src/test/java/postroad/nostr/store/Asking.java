package postroad.nostr.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import postroad.common.Bytes32;
import postroad.nostr.core.Event;
import postroad.nostr.core.Filter;
import postroad.nostr.core.Query;
import postroad.nostr.core.VerifiedEvent;
import postroad.nostr.core.Viewer;
import postroad.nostr.kit.ModelStore;
import postroad.nostr.kit.RandomFilters;
import postroad.nostr.kit.SlowEvent;

/// What the tests ask of a store, in their own words.
final class Asking {
    private Asking() {}

    static WriteResult write(EventStore store, long now, List<Event> events) {
        return store.write(events.stream().map(VerifiedEvent::unchecked).toList(), now);
    }

    static WriteOutcome write(EventStore store, long now, Event event) {
        return write(store, now, List.of(event)).outcomes().getFirst();
    }

    static Query query(List<String> filters, Viewer viewer) {
        return new Query(filters.stream().map(RandomFilters::parse).toList(), viewer);
    }

    static Query query(String filter) {
        return query(List.of(filter), Viewer.OPERATOR);
    }

    static Viewer viewer(ModelStore.Asker asker) {
        return Viewer.of(
                asker.keys().stream().map(Bytes32::ofHex).collect(Collectors.toSet()),
                Filter.Kinds.of(asker.privateKinds().stream()
                        .mapToInt(Integer::intValue)
                        .toArray()));
    }

    /// All rows of a query, in one snapshot.
    static Rows rows(EventStore store, Query query, long now) {
        Rows rows = new Rows();
        try (StoreReader reader = store.reader();
                Snapshot snapshot = reader.open()) {
            assertThat(snapshot.run(store.plan(query), now, Budget.UNLIMITED, rows))
                    .isTrue();
        }
        return rows;
    }

    static List<String> ids(EventStore store, String filter, long now) {
        return rows(store, query(filter), now).ids();
    }

    /// Everything stored, by sequence.
    static List<String> contents(EventStore store) {
        return replay(store).json();
    }

    static Rows replay(EventStore store) {
        Rows rows = new Rows();
        try (StoreReader reader = store.reader();
                Snapshot snapshot = reader.open()) {
            snapshot.replay(0, Long.MAX_VALUE, rows);
        }
        return rows;
    }

    static Set<String> contentSet(EventStore store) {
        return new HashSet<>(contents(store));
    }

    static List<String> json(List<SlowEvent> events) {
        return events.stream().map(SlowEvent::json).toList();
    }

    static List<String> jsonOfRows(ModelStore model) {
        return model.rows().stream().map(row -> row.event().json()).toList();
    }

    static ModelStore.Outcome outcome(WriteOutcome outcome) {
        return switch (outcome) {
            case WriteOutcome.Stored _ -> ModelStore.Outcome.STORED;
            case WriteOutcome.Ephemeral _ -> ModelStore.Outcome.EPHEMERAL;
            case WriteOutcome.Duplicate _ -> ModelStore.Outcome.DUPLICATE;
            case WriteOutcome.Superseded _ -> ModelStore.Outcome.SUPERSEDED;
            case WriteOutcome.Deleted _ -> ModelStore.Outcome.DELETED;
            case WriteOutcome.Vanished _ -> ModelStore.Outcome.VANISHED;
            case WriteOutcome.Expired _ -> ModelStore.Outcome.EXPIRED;
            case WriteOutcome.Failed(String reason) -> throw new AssertionError(reason);
        };
    }

    /// Cuts a list into batches of one to `most`.
    static <T> List<List<T>> batches(List<T> all, int most, java.util.Random random) {
        List<List<T>> batches = new ArrayList<>();
        for (int at = 0; at < all.size(); ) {
            int end = Math.min(all.size(), at + 1 + random.nextInt(most));
            batches.add(all.subList(at, end));
            at = end;
        }
        return batches;
    }
}
