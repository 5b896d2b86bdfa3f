package postroad.nostr.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import postroad.common.Bytes32;
import postroad.common.SecretKey;

/// Demands with many values are met through a table: the same answers as one by one.
class TagConditionTest {
    private final Random random = new Random(9);
    private final Signer signer = new Signer(SecretKey.of(new Bytes32(0, 0, 0, 9)));

    @Test
    void manyValuesMatchAsFewDo() {
        int matches = 0;
        for (int round = 0; round < 400; round++) {
            List<String> there = values(random.nextInt(12));
            List<String> wanted = values(random.nextInt(40));
            boolean subset = random.nextInt(3) == 0;
            List<String> demanded = subset ? there.subList(0, there.size() / 2) : wanted;
            List<Tag> tags = there.stream().map(value -> Tag.of("t", value)).toList();
            Event event = signer.sign(new EventDraft(1, 1, tags, "" + round));

            boolean any = condition(false, demanded).matches(event.packed(), 0);
            boolean all = condition(true, demanded).matches(event.packed(), 0);

            assertThat(any).isEqualTo(demanded.stream().anyMatch(there::contains));
            assertThat(all).isEqualTo(!demanded.isEmpty() && there.containsAll(demanded));
            matches += all ? 1 : 0;
        }
        assertThat(matches).isBetween(40, 360);
    }

    @Test
    void otherLettersDoNotCount() {
        Event event = signer.sign(new EventDraft(1, 1, List.of(Tag.of("T", "a"), Tag.of("t")), ""));

        assertThat(condition(false, List.of("a", "b", "c", "d", "e", "f")).matches(event.packed(), 0))
                .isFalse();
    }

    @Test
    void theHashOfAStoredValueIsThatOfTheValue() {
        for (String value : List.of("", "a", "1234567", "12345678", "123456789", "ab".repeat(32), "ü".repeat(50))) {
            Event event = signer.sign(new EventDraft(1, 1, List.of(Tag.of("t", value)), ""));
            TagValue stored = TagValue.at(event.packed(), PackedEvent.firstTag(0));

            assertThat(stored).isEqualTo(TagValue.of(value));
            assertThat(TagValue.hashAt(event.packed(), PackedEvent.firstTag(0))).isEqualTo(stored.hashCode());
            assertThat(stored.isAt(event.packed(), PackedEvent.firstTag(0))).isTrue();
            assertThat(TagValue.of(value + "x").isAt(event.packed(), PackedEvent.firstTag(0)))
                    .isFalse();
        }
    }

    private static TagCondition condition(boolean all, List<String> values) {
        return new TagCondition('t', all, values.stream().map(TagValue::of).toList());
    }

    private List<String> values(int count) {
        List<String> values = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String word = "word" + random.nextInt(60);
            values.add(random.nextInt(3) == 0 ? new EventId(new Bytes32(0, 0, 0, random.nextInt(20))).hex() : word);
        }
        return values;
    }
}
