package postroad.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimesTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "1700000000, 1700000000",
        "90s, 999910",
        "7d, 395200",
        "1970-01-02, 86400",
        "1970-01-01T01:00:00Z, 3600",
        "1970-01-01T01:00:00+01:00, 0",
    })
    void readsTimesAsPeopleWriteThem(String text, long seconds) {
        assertThat(Times.parse("since", text, 1_000_000)).isEqualTo(seconds);
    }

    @ParameterizedTest
    @ValueSource(strings = {"yesterday", "-1", "1e9", "2026-13-01", "7y", ""})
    void refusesTheRestWithExamples(String text) {
        assertThatExceptionOfType(UsageException.class)
                .isThrownBy(() -> Times.parse("since", text, 0))
                .withMessageContaining("--since")
                .withMessageContaining("7d");
    }
}
