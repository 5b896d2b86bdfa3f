package postroad.lab.floor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import postroad.nostr.core.Event;
import postroad.nostr.kit.Corpus;

final class QuestionsTest {
    private static final Pattern UNTIL = Pattern.compile("\"until\":([0-9]+)");

    @Test
    void aLimitCutsBetweenTwoSeconds() {
        List<Event> events = Corpus.traffic(3).take(6_000);

        List<String> pages = Questions.about(events).get(Questions.RECENT);

        assertThat(pages).hasSizeGreaterThan(2).allSatisfy(page -> {
            Matcher until = UNTIL.matcher(page);
            assertThat(until.find()).isTrue();
            List<Long> matching = notesUpTo(events, Long.parseLong(until.group(1)));
            assertThat(matching).hasSizeGreaterThan(500);
            assertThat(matching.get(499)).isNotEqualTo(matching.get(500));
        });
    }

    @Test
    void anAuthorsQuestionsAreOfThoseNextToTwentyOneNotes() {
        List<Event> plain = Corpus.plain(3, 50, Corpus.BEGIN).take(1_000);

        Map<String, List<String>> questions = Questions.about(plain);

        assertThat(questions.get(Questions.AUTHOR)).hasSize(40).doesNotHaveDuplicates();
        assertThat(questions).doesNotContainKeys(Questions.HASHTAG, Questions.THREAD);
    }

    private static List<Long> notesUpTo(List<Event> events, long until) {
        return events.stream()
                .filter(event -> event.kind() == 1 && event.createdAt() <= until)
                .map(Event::createdAt)
                .sorted(Comparator.reverseOrder())
                .toList();
    }
}
