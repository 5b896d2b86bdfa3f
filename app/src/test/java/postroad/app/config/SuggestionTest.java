package postroad.app.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SuggestionTest {
    private static final List<String> KNOWN = List.of("import", "export", "info");

    @Test
    void findsTheWordThatIsClose() {
        assertThat(Suggestion.closest("imprt", KNOWN)).contains("import");
        assertThat(Suggestion.closest("xeport", KNOWN)).contains("export");
        assertThat(Suggestion.closest("inof", KNOWN)).contains("info");
        assertThat(Suggestion.closest("imp", KNOWN)).contains("import");
    }

    @Test
    void doesNotGuessWildly() {
        assertThat(Suggestion.closest("serve", KNOWN)).isEmpty();
        assertThat(Suggestion.closest("x", KNOWN)).isEmpty();
    }

    @Test
    void countsASwapOnce() {
        assertThat(Suggestion.distance("ab", "ba")).isEqualTo(1);
        assertThat(Suggestion.distance("", "abc")).isEqualTo(3);
        assertThat(Suggestion.distance("kitten", "sitting")).isEqualTo(3);
    }
}
