package postroad.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Locale;
import org.junit.jupiter.api.Test;

final class PairingTokenTest {
    private final Fingerprint issuer = Fingerprint.parse("0f".repeat(32));
    private final Fingerprint dialer = Fingerprint.parse("a1".repeat(32));
    private final PairingToken token = PairingToken.issue(issuer);

    @Test
    void isOneWordThatSurvivesPasting() {
        PairingToken read = PairingToken.parse("  " + token.text().toUpperCase(Locale.ROOT) + "\n");

        assertThat(token.text()).matches("pr1[a-z2-7]{84}");
        assertThat(read.issuer()).isEqualTo(issuer);
        assertThat(read.text()).isEqualTo(token.text());
    }

    @Test
    void acceptsTheProofOfWhoHasTheWord() {
        byte[] proof = PairingToken.parse(token.text()).proof(dialer);

        assertThat(proof).hasSize(PairingToken.PROOF);
        assertThat(token.accepts(dialer, proof)).isTrue();
    }

    @Test
    void refusesProofsOfOthers() {
        byte[] proof = token.proof(dialer);
        byte[] bent = proof.clone();
        bent[31] ^= 1;

        assertThat(token.accepts(issuer, proof)).isFalse();
        assertThat(token.accepts(dialer, bent)).isFalse();
        assertThat(token.accepts(dialer, new byte[0])).isFalse();
        assertThat(PairingToken.issue(issuer).accepts(dialer, proof)).isFalse();
    }

    @Test
    void tellsEveryTypingMistakeFromAWrongSecret() {
        String text = token.text();
        for (int i = 3; i < text.length(); i++) {
            char other = text.charAt(i) == 'a' ? 'b' : 'a';
            String typo = text.substring(0, i) + other + text.substring(i + 1);
            assertThatIllegalArgumentException()
                    .as("letter %d", i)
                    .isThrownBy(() -> PairingToken.parse(typo))
                    .withMessageContaining("typing mistake");
        }
        for (int i = 3; i + 1 < text.length(); i++) {
            if (text.charAt(i) != text.charAt(i + 1)) {
                String swapped = text.substring(0, i) + text.charAt(i + 1) + text.charAt(i) + text.substring(i + 2);
                assertThatIllegalArgumentException().isThrownBy(() -> PairingToken.parse(swapped));
            }
        }
    }

    @Test
    void saysWhatIsWrongWithAWord() {
        String text = token.text();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> PairingToken.parse("hello"))
                .withMessage("a pairing word begins with pr1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PairingToken.parse(text.substring(0, 50)))
                .withMessageContaining("was all of it copied?");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PairingToken.parse(text.substring(0, 20) + "0" + text.substring(21)))
                .withMessageContaining("not '0'");
    }

    @Test
    void keepsItsSecretOutOfLogs() {
        assertThat(token.toString()).doesNotContain(token.text().substring(56));
    }
}
