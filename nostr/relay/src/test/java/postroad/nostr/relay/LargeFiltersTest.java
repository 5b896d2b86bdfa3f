package postroad.nostr.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static postroad.nostr.relay.TestRelay.NOW;

import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import postroad.nostr.core.Event;
import postroad.nostr.core.Tag;

/// Filters of thousands of values over the wire: stored events, live ones, and those that they leave out.
@ExtendWith(Leaks.class)
class LargeFiltersTest {
    private static final Tag OWN = Tag.of("e", "ab".repeat(32));

    private static TestRelay relay;

    @BeforeAll
    static void start() {
        relay = TestRelay.start();
    }

    @AfterAll
    static void stop() {
        relay.close();
    }

    @ParameterizedTest
    @CsvSource({"authors, 2001", "authors, 4097", "ids, 2001", "ids, 4097", "#e, 2001", "#e, 4097", "#e, 4999"})
    void givesWhatIsStoredAndWhatComesLater(String key, int values) throws IOException {
        Event stored = relay.note(1, NOW, key + values + " stored", OWN);
        Event other = relay.note(2, NOW, key + values + " of another", Tag.of("e", "cd".repeat(32)));
        Event later = relay.note(1, NOW + 1, key + values + " later", OWN);
        Event otherLater = relay.note(2, NOW + 1, key + values + " later, of another", Tag.of("e", "cd".repeat(32)));
        List<String> wanted = switch (key) {
            case "authors" -> List.of(relay.key(1));
            case "ids" -> List.of(stored.id().hex(), later.id().hex());
            default -> List.of(OWN.value());
        };
        try (RawClient client = relay.client()) {
            relay.ingest(List.of(stored, other));

            assertThat(client.request("s", "{\"" + key + "\":" + among(values, wanted) + "}"))
                    .contains(stored.id().hex())
                    .doesNotContain(other.id().hex());
            relay.ingest(List.of(otherLater, later));

            assertThat(client.nextMessage().get(2).get("id").asText())
                    .isEqualTo(later.id().hex());
            assertThat(client.isQuiet()).isTrue();
        }
    }

    private static String among(int values, List<String> wanted) {
        List<String> all = IntStream.range(0, values - wanted.size())
                .mapToObj(i -> String.format("%064x", i + 1))
                .collect(Collectors.toList());
        all.addAll(all.size() / 2, wanted);
        return all.stream().collect(Collectors.joining("\",\"", "[\"", "\"]"));
    }
}
