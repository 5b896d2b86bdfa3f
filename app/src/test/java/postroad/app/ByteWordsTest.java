package postroad.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class ByteWordsTest {
    @Test
    void everyByteComesBack() {
        Random random = new Random(4);
        for (int round = 0; round < 2_000; round++) {
            byte[] bytes = new byte[random.nextInt(12)];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = (byte) (round % 2 == 0 ? random.nextInt(256) : 0xc0 + random.nextInt(64));
            }

            assertThat(ByteWords.bytes(ByteWords.text(bytes))).isEqualTo(bytes);
        }
    }

    @Test
    void textThatIsGoodStaysWhatItIs() {
        String text = "grün 🌲 \\ \n";

        assertThat(ByteWords.text(ByteWords.bytes(text))).isEqualTo(text);
    }

    @Test
    void whatIsNoTextIsShownByItsBytes() {
        assertThat(ByteWords.shown(ByteWords.text(new byte[] {'a', (byte) 0xff, '\n'})))
                .isEqualTo("a\\xff\\x0a");
    }
}
