package postroad.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Locale;
import org.junit.jupiter.api.Test;

final class FingerprintTest {
    private static final String TEXT = "00112233445566778899aabbccddeeff".repeat(2);

    @Test
    void readsTheFormsPeopleHave() {
        Fingerprint fingerprint = Fingerprint.parse(TEXT);

        assertThat(fingerprint.text()).isEqualTo(TEXT);
        assertThat(Fingerprint.parse(TEXT.toUpperCase(Locale.ROOT).replaceAll("(..)(?=.)", "$1:")))
                .isEqualTo(fingerprint);
        assertThat(Fingerprint.parse(" " + TEXT.replaceAll("(.{8})(?=.)", "$1 ") + "\n"))
                .isEqualTo(fingerprint);
    }

    @Test
    void saysWhatIsWrong() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Fingerprint.parse(TEXT.substring(24)))
                .withMessageContaining("this one has 40 (SHA-1?)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Fingerprint.parse("x" + TEXT.substring(1)))
                .withMessageContaining("64 hex digits");
    }
}
