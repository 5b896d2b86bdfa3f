package postroad.nostr.kit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import postroad.common.Bytes32;
import postroad.nostr.core.Event;
import postroad.nostr.core.Filter;
import postroad.nostr.core.Query;
import postroad.nostr.core.Viewer;

/// The fast filter against the slow one, on seeded corpora.
class FilterJudgeTest {
    private static final long NOW = Corpus.BEGIN + 20;

    @ParameterizedTest
    @CsvSource({"false,1", "false,2", "true,3", "true,4", "true,5"})
    void everyFilterMatchesWhatTheJudgeSays(boolean tangle, long seed) {
        List<Event> events = (tangle ? Corpus.tangle(seed) : Corpus.traffic(seed)).take(300);
        List<SlowEvent> slow = events.stream().map(SlowEvent::of).toList();
        RandomFilters filters = new RandomFilters(seed, events);
        long matches = 0;
        for (int i = 0; i < 250; i++) {
            String json = filters.next();
            Filter filter = RandomFilters.parse(json);
            Filter again = RandomFilters.parse(filter.json());
            assertThat(again).isEqualTo(filter);

            for (int e = 0; e < events.size(); e++) {
                boolean expected = SlowMatcher.matches(SlowMatcher.read(json), slow.get(e));
                boolean actual = filter.matches(events.get(e).packed(), 0);
                if (actual != expected) {
                    throw new AssertionError(actual + " for " + json + " and " + events.get(e));
                }
                matches += actual ? 1 : 0;
            }
            if (filter.matchesNothing()) {
                assertThat(slow).noneMatch(event -> SlowMatcher.matches(json, event));
            }
        }
        assertThat(matches).isGreaterThan(1_000);
    }

    @ParameterizedTest
    @CsvSource({"3", "4"})
    void everyQueryShowsItsViewerWhatTheJudgeSays(long seed) {
        List<Event> events = Corpus.tangle(seed).take(300);
        List<SlowEvent> slow = events.stream().map(SlowEvent::of).toList();
        Keys keys = new Keys(seed);
        Set<Integer> privateKinds = Set.of(4, 1059);
        RandomFilters filters = new RandomFilters(seed, events);
        for (int i = 0; i < 100; i++) {
            List<String> json = filters.nextQuery();
            List<Filter> parsed = json.stream().map(RandomFilters::parse).toList();
            List<Bytes32> proven = new ArrayList<>();
            for (int k = 0; k < i % 3; k++) {
                proven.add(keys.publicKey(k).bytes());
            }
            Query query = new Query(parsed, Viewer.of(Set.copyOf(proven), Filter.Kinds.of(4, 1059)));
            ModelStore.Asker asker = new ModelStore.Asker(
                    proven.stream().map(Bytes32::hex).collect(java.util.stream.Collectors.toUnmodifiableSet()),
                    privateKinds);

            for (int e = 0; e < events.size(); e++) {
                SlowEvent event = slow.get(e);
                boolean expected = event.goneFrom() > NOW
                        && asker.maySee(event)
                        && json.stream().anyMatch(filter -> SlowMatcher.matches(filter, event));
                assertThat(query.matches(events.get(e).packed(), 0, NOW))
                        .as("%s %s", json, event)
                        .isEqualTo(expected);
            }
        }
    }
}
