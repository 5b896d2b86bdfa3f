package postroad.nostr.kit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import postroad.nostr.core.Event;

/// The judge itself must hold what it demands.
class ModelStoreTest {
    private static final long NOW = Corpus.BEGIN + 20;

    @Test
    void everyOrderOfArrivalLeavesTheSameEvents() {
        for (long seed = 0; seed < 24; seed++) {
            List<SlowEvent> events = new ArrayList<>(
                    Corpus.tangle(seed).take(60).stream().map(SlowEvent::of).toList());
            Set<String> expected = stored(events);

            Random random = new Random(seed);
            for (int round = 0; round < 10; round++) {
                Collections.shuffle(events, random);
                assertThat(stored(events)).as("seed %d round %d", seed, round).isEqualTo(expected);
            }
        }
    }

    @Test
    void theTangleMeetsEveryRule() {
        ModelStore store = new ModelStore(Set.of());
        EnumSet<ModelStore.Outcome> met = EnumSet.noneOf(ModelStore.Outcome.class);

        List<Event> events = Corpus.tangle(4).take(600);
        IntStream.range(0, 2).forEach(round -> events.forEach(event -> met.add(store.write(event, NOW))));

        assertThat(met).containsExactlyInAnyOrder(ModelStore.Outcome.values());
    }

    @Test
    void mostRandomFiltersMatchSomething() {
        List<Event> events = Corpus.traffic(2).take(500);
        ModelStore store = new ModelStore(Set.of());
        events.forEach(event -> store.write(event, NOW));
        RandomFilters filters = new RandomFilters(2, events);

        long matching = IntStream.range(0, 300)
                .filter(i -> store.count(filters.nextQuery(), ModelStore.Asker.OPERATOR, NOW) > 0)
                .count();

        assertThat(matching).isBetween(120L, 280L);
    }

    private static Set<String> stored(List<SlowEvent> events) {
        ModelStore store = new ModelStore(Set.of());
        events.forEach(event -> store.write(event, NOW));
        return store.rows().stream()
                .map(row -> row.event().id())
                .collect(java.util.stream.Collectors.toUnmodifiableSet());
    }
}
