package postroad.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import postroad.common.Bytes32;

class Bech32Test {
    private static final String HEX = "7e7e9c42a91bfef19fa929e5fda1b72e0ebc1a4c1141673e2794234d86addf4e";
    private static final String NPUB = "npub10elfcs4fr0l0r8af98jlmgdh9c8tcxjvz9qkw038js35mp4dma8qzvjptg";

    @Test
    void agreesWithTheStandardsExamples() {
        assertThat(Bech32.encode("npub", Bytes32.ofHex(HEX))).isEqualTo(NPUB);
        assertThat(Bech32.decode("npub", NPUB).hex()).isEqualTo(HEX);
        assertThat(Bech32.decode("nsec", "nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5")
                        .hex())
                .isEqualTo("67dea2ed018072d675f5415ecfaed7d2597555e202d85b3d65ea4e58d2d92ffa");
    }

    @Test
    void noticesEachMistypedCharacter() {
        for (int i = 5; i < NPUB.length(); i++) {
            char other = NPUB.charAt(i) == 'q' ? 'p' : 'q';
            String mistyped = NPUB.substring(0, i) + other + NPUB.substring(i + 1);

            assertThatIllegalArgumentException().isThrownBy(() -> Bech32.decode("npub", mistyped));
        }
    }

    @Test
    void refusesAnotherPrefixOrLength() {
        assertThatIllegalArgumentException().isThrownBy(() -> Bech32.decode("nsec", NPUB));
        assertThatIllegalArgumentException().isThrownBy(() -> Bech32.decode("npub", NPUB + "q"));
        assertThatIllegalArgumentException().isThrownBy(() -> Bech32.decode("npub", "npub1"));
    }
}
