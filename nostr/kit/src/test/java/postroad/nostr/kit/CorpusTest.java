package postroad.nostr.kit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import postroad.nostr.core.Event;
import postroad.nostr.core.VerifiedEvent;

class CorpusTest {
    @ParameterizedTest
    @ValueSource(strings = {"traffic", "tangle", "plain"})
    void aSeedDeterminesEveryByte(String shape) {
        List<Event> once = corpus(shape, 7).take(400);
        List<Event> again = corpus(shape, 7).take(400);
        List<Event> other = corpus(shape, 8).take(400);

        assertThat(again)
                .extracting(Event::json)
                .isEqualTo(once.stream().map(Event::json).toList());
        assertThat(other).doesNotContainAnyElementsOf(once);
    }

    @ParameterizedTest
    @ValueSource(strings = {"traffic", "tangle", "plain"})
    void everySignatureIsGenuineAndEveryIdUnique(String shape) {
        List<Event> events = corpus(shape, 1).take(400);

        assertThat(events).allMatch(event -> VerifiedEvent.verify(event).isPresent());
        assertThat(events).extracting(Event::id).doesNotHaveDuplicates();
    }

    @Test
    void trafficHoldsTheKindsOfRealTraffic() {
        List<Event> events = Corpus.traffic(3).take(3_000);

        assertThat(events).extracting(Event::kind).contains(0, 1, 3, 4, 5, 6, 7, 1059, 1984, 9735, 10_002, 30_023);
        assertThat(events.stream().mapToInt(Event::jsonLength).average().orElseThrow())
                .isBetween(400.0, 1_500.0);
    }

    @Test
    void aFileOfLinesHoldsTheSameEvents(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("events.jsonl");

        Corpus.writeJsonLines(file, 200, 5);

        assertThat(Files.readAllLines(file))
                .isEqualTo(Corpus.traffic(5).take(200).stream().map(Event::json).toList());
    }

    @Test
    void plainNotesAreTheAuthorsInTurn() {
        List<Event> events = Corpus.plain(3, 10, 77).take(30);

        assertThat(events).allMatch(event -> event.kind() == 1 && event.tags().isEmpty());
        assertThat(events).extracting(Event::createdAt).startsWith(77L, 78L, 79L);
        assertThat(events.subList(10, 20))
                .extracting(Event::author)
                .isEqualTo(events.subList(0, 10).stream().map(Event::author).toList())
                .doesNotHaveDuplicates();
    }

    private static Corpus corpus(String shape, long seed) {
        return switch (shape) {
            case "traffic" -> Corpus.traffic(seed);
            case "tangle" -> Corpus.tangle(seed);
            default -> Corpus.plain(seed, 30, Corpus.BEGIN);
        };
    }
}
