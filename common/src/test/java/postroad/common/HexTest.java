package postroad.common;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;

class HexTest {
    @Test
    void writesWhatTheJdkWritesAndReadsItBack() {
        Random random = new Random(1);
        for (int length = 0; length < 70; length++) {
            byte[] bytes = new byte[length];
            random.nextBytes(bytes);

            String hex = Hex.encode(bytes);

            assertThat(hex).isEqualTo(HexFormat.of().formatHex(bytes));
            assertThat(Hex.decode(hex)).isEqualTo(bytes);
            assertThat(decodeLower(hex)).isEqualTo(bytes);
        }
    }

    @Test
    void decodesLowerCaseDigitsAndNoOtherByte() {
        for (int place = 0; place < 20; place++) {
            for (int value = 0; value < 256; value++) {
                byte[] digits = "0123456789abcdef0123".getBytes(ISO_8859_1);
                digits[place] = (byte) value;

                boolean isDigit = value >= '0' && value <= '9' || value >= 'a' && value <= 'f';

                assertThat(Hex.tryDecodeLower(digits, 0, 10, new byte[10], 0))
                        .as("byte %d at %d", value, place)
                        .isEqualTo(isDigit);
            }
        }
    }

    @Test
    void readsUpperCaseOnlyWhereAskedTo() {
        assertThat(Hex.decode("AbCd")).isEqualTo(new byte[] {(byte) 0xab, (byte) 0xcd});
        assertThatThrownBy(() -> Hex.decode("abc")).hasMessageContaining("odd");
        assertThatThrownBy(() -> Hex.decode("zz")).hasMessageContaining("not a hex digit");
    }

    private static byte[] decodeLower(String hex) {
        byte[] target = new byte[hex.length() / 2];
        assertThat(Hex.tryDecodeLower(hex.getBytes(ISO_8859_1), 0, target.length, target, 0))
                .isTrue();
        return target;
    }
}
