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
    @ValueSource(booleans = {true, false})
    void aSeedDeterminesEveryByte(boolean tangle) {
        List<Event> once = corpus(tangle, 7).take(400);
        List<Event> again = corpus(tangle, 7).take(400);
        List<Event> other = corpus(tangle, 8).take(400);

        assertThat(again)
                .extracting(Event::json)
                .isEqualTo(once.stream().map(Event::json).toList());
        assertThat(other).doesNotContainAnyElementsOf(once);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void everySignatureIsGenuineAndEveryIdUnique(boolean tangle) {
        List<Event> events = corpus(tangle, 1).take(400);

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

    private static Corpus corpus(boolean tangle, long seed) {
        return tangle ? Corpus.tangle(seed) : Corpus.traffic(seed);
    }
}
