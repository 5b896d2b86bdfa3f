package postroad.nostr.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import postroad.common.Bytes32;
import postroad.nostr.core.Event;
import postroad.nostr.core.Filter;
import postroad.nostr.kit.Corpus;
import postroad.nostr.kit.RandomFilters;
import postroad.nostr.kit.SlowEvent;
import postroad.nostr.kit.SlowMatcher;

class LiveIndexTest {
    @Test
    void findsEverySubscriptionThatAnEventMatches() {
        List<Event> events = Corpus.traffic(17).take(400);
        RandomFilters filters = new RandomFilters(23, events);
        LiveIndex<Integer> index = new LiveIndex<>();
        Map<Integer, List<Filter>> open = new TreeMap<>();
        Map<Integer, LiveIndex.Places<Integer>> places = new TreeMap<>();
        Random random = new Random(29);

        for (int round = 0; round < 3_000; round++) {
            List<Filter> asked = new ArrayList<>();
            for (int i = random.nextInt(3); i >= 0; i--) {
                asked.add(RandomFilters.parse(filters.next()));
            }
            open.put(round, asked);
            places.put(round, index.add(round, asked));
            if (random.nextInt(3) == 0) {
                int gone = List.copyOf(open.keySet()).get(random.nextInt(open.size()));
                open.remove(gone);
                index.remove(places.remove(gone));
            }
            if (round % 20 == 0) {
                Event event = events.get(random.nextInt(events.size()));
                assertThat(candidates(index, event)).containsAll(matching(open, event));
            }
        }
        open.keySet().forEach(gone -> index.remove(places.get(gone)));

        for (Event event : events) {
            assertThat(candidates(index, event)).isEmpty();
        }
        assertThat(index.isEmpty()).isTrue();
    }

    /// Around the number of values from which a filter is registered under something broader.
    @ParameterizedTest
    @ValueSource(ints = {2_000, 2_001, 4_097})
    void findsSubscriptionsOfThousandsOfValues(int values) {
        List<Event> events = Corpus.traffic(values).take(40);
        List<SlowEvent> slow =
                events.stream().map(Event::json).map(SlowEvent::of).toList();
        RandomFilters filters = new RandomFilters(values, events);
        LiveIndex<Integer> index = new LiveIndex<>();
        List<LiveIndex.Places<Integer>> places = new ArrayList<>();
        Map<Integer, Filter> open = new TreeMap<>();
        List<Set<Integer>> wanted = new ArrayList<>();
        slow.forEach(event -> wanted.add(new HashSet<>()));

        for (int i = 0; i < 10; i++) {
            String json = filters.nextLarge(values);
            open.put(i, RandomFilters.parse(json));
            places.add(index.add(i, List.of(open.get(i))));
            for (int e = 0; e < slow.size(); e++) {
                if (SlowMatcher.matches(json, slow.get(e))) {
                    wanted.get(e).add(i);
                }
            }
        }

        for (int e = 0; e < events.size(); e++) {
            Event event = events.get(e);
            Set<Integer> found = candidates(index, event);
            found.removeIf(id -> !open.get(id).matches(event.packed(), 0));
            assertThat(found).isEqualTo(wanted.get(e));
        }
        assertThat(wanted).anyMatch(some -> !some.isEmpty());
        places.forEach(index::remove);
        assertThat(index.isEmpty()).isTrue();
    }

    @Test
    void looksAtFewOfTheSubscriptionsOfOthers() {
        List<Event> events = Corpus.traffic(3).take(1_000);
        LiveIndex<Integer> index = new LiveIndex<>();
        for (int i = 0; i < 10_000; i++) {
            Bytes32 stranger = new Bytes32(1, 2, 3, i);
            index.add(i, List.of(author(stranger)));
        }

        for (Event event : events) {
            assertThat(candidates(index, event)).isEmpty();
        }
    }

    private static Filter author(Bytes32 author) {
        return new Filter(
                Filter.ALL.ids(),
                java.util.Optional.of(Filter.Set32.of(List.of(author))),
                java.util.Optional.of(Filter.Kinds.of(1)),
                List.of(),
                Filter.ALL.since(),
                Filter.ALL.until(),
                Filter.ALL.limit());
    }

    private static Set<Integer> candidates(LiveIndex<Integer> index, Event event) {
        Set<Integer> found = new HashSet<>();
        index.forCandidates(event.packed(), 0, found::add);
        return found;
    }

    private static Set<Integer> matching(Map<Integer, List<Filter>> open, Event event) {
        Set<Integer> matching = new HashSet<>();
        open.forEach((id, filters) -> {
            if (filters.stream().anyMatch(filter -> filter.matches(event.packed(), 0))) {
                matching.add(id);
            }
        });
        return matching;
    }
}
