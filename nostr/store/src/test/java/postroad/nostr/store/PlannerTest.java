package postroad.nostr.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import postroad.nostr.kit.RandomFilters;

/// Which table answers a filter. That the answer is right is for [EventStoreContract].
class PlannerTest {
    private static final String A = key(1);
    private static final String B = key(2);

    @Test
    void prefersIdsToAllElse() {
        assertPlan("{\"ids\":[" + A + "],\"authors\":[" + B + "],\"#t\":[\"x\"]}", Table.ID, 1);
    }

    @Test
    void prefersTheTagWithTheFewestValues() {
        Plan plan = plan("{\"#t\":[\"x\",\"y\"],\"#p\":[" + A + "],\"authors\":[" + B + "]}");

        assertThat(plan.table()).isEqualTo(Table.TAG);
        assertThat(plan.prefixes())
                .singleElement()
                .satisfies(prefix -> assertThat(prefix[0]).isEqualTo((byte) 'p'));
    }

    @Test
    void followsOneValueOfAConditionThatDemandsAll() {
        assertPlan("{\"&t\":[\"x\",\"y\",\"z\"]}", Table.TAG, 1);
    }

    @Test
    void leavesDTagsToTheirAuthors() {
        assertPlan("{\"#d\":[\"\"],\"authors\":[" + A + "],\"kinds\":[30023]}", Table.AUTHOR_KIND, 1);
        assertPlan("{\"#d\":[\"\"],\"kinds\":[30023]}", Table.TAG, 1);
    }

    @Test
    void joinsAuthorsWithKindsWhileThatIsFewStreams() {
        assertPlan("{\"authors\":[" + A + "," + B + "],\"kinds\":[0,3,10002]}", Table.AUTHOR_KIND, 6);
        assertPlan("{\"authors\":" + keys(3000) + ",\"kinds\":[1,6]}", Table.AUTHOR, 3000);
        assertPlan("{\"authors\":" + keys(5000) + ",\"kinds\":[1,6]}", Table.KIND, 2);
        assertPlan("{\"authors\":" + keys(5000) + "}", Table.TIME, 1);
    }

    @Test
    void sharesTheStreamsAmongTheFiltersOfAQuery() {
        String filter = "{\"authors\":" + keys(1000) + "}";

        assertThat(Planner.plan(RandomFilters.parse(filter), 1).table()).isEqualTo(Table.AUTHOR);
        assertThat(Planner.plan(RandomFilters.parse(filter), 8).table()).isEqualTo(Table.TIME);
    }

    @Test
    void looksNowhereForWhatCannotMatch() {
        assertPlan("{\"authors\":[]}", Table.TIME, 0);
        assertPlan("{\"#t\":[]}", Table.TIME, 0);
        assertPlan("{\"since\":10,\"until\":9}", Table.TIME, 0);
    }

    private static void assertPlan(String filter, Table table, int streams) {
        assertThat(plan(filter).table()).as(filter).isEqualTo(table);
        assertThat(plan(filter).prefixes()).as(filter).hasSize(streams);
    }

    private static Plan plan(String filter) {
        return Planner.plan(RandomFilters.parse(filter), 1);
    }

    private static String keys(int count) {
        List<String> keys = IntStream.range(0, count).mapToObj(PlannerTest::key).toList();
        return keys.stream().collect(Collectors.joining(",", "[", "]"));
    }

    private static String key(int number) {
        return String.format("\"%064x\"", number);
    }
}
