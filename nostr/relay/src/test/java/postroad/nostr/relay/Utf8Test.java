package postroad.nostr.relay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.util.Random;
import org.junit.jupiter.api.Test;

class Utf8Test {
    @Test
    void agreesWithTheJdkOnShortSequences() {
        byte[] bytes = new byte[3];
        for (int value = 0; value < 1 << 24; value += value < 0xc0_00_00 ? 997 : 37) {
            bytes[0] = (byte) (value >>> 16);
            bytes[1] = (byte) (value >>> 8);
            bytes[2] = (byte) value;

            if (Utf8.isWellFormed(bytes, 0, 3) != jdk(bytes)) {
                assertThat(Utf8.isWellFormed(bytes, 0, 3)).as("%06x", value).isEqualTo(jdk(bytes));
            }
        }
    }

    @Test
    void agreesWithTheJdkOnDamagedTexts() {
        Random random = new Random(11);
        String text = "plain ascii text, dann Umlaute äöüß, 日本語, and 🦤 beyond. ".repeat(3);
        byte[] good = text.getBytes(UTF_8);

        for (int round = 0; round < 50_000; round++) {
            byte[] bytes = good.clone();
            for (int i = random.nextInt(3); i >= 0; i--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }

            assertThat(Utf8.isWellFormed(bytes, 0, bytes.length)).isEqualTo(jdk(bytes));
        }
    }

    private static boolean jdk(byte[] bytes) {
        try {
            UTF_8.newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(bytes));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }
}
