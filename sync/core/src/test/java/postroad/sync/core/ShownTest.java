package postroad.sync.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import postroad.common.Hex;

/// Names are shown safely, and no two look alike.
class ShownTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "61                 | a",
                "6120622f63         | a b/c",
                "c3a4               | ä",
                "f09f9880           | \uD83D\uDE00",
                "5c                 | \\\\",
                "0a                 | \\x0a",
                "1b5b324a           | \\x1b[2J",
                "7f                 | \\x7f",
                "ff                 | \\xff",
                "61ff62             | a\\xffb",
                "c3                 | \\xc3",
                "c328               | \\xc3(",
                "c080               | \\xc0\\x80",
                "eda080             | \\xed\\xa0\\x80",
                "f4908080           | \\xf4\\x90\\x80\\x80",
                "e282               | \\xe2\\x82",
                "e28262             | \\xe2\\x82b",
                "e280ae             | \\xe2\\x80\\xae",
                "e280a8             | \\xe2\\x80\\xa8",
                "c285               | \\xc2\\x85",
                "efbbbf             | \\xef\\xbb\\xbf",
                "ee8080             | \\xee\\x80\\x80",
            })
    void bytesAreShownSo(String hex, String shown) {
        assertThat(Shown.of(Hex.decode(hex))).isEqualTo(shown);
    }

    @Test
    void noTwoNamesLookAlike() {
        Random random = new Random(1);
        byte[][] pieces = {
            {'\\'},
            {'x'},
            {'0'},
            {'a'},
            {10},
            {(byte) 0xff},
            {(byte) 0xc3},
            {(byte) 0xa4},
            {(byte) 0xe2, (byte) 0x80},
            {(byte) 0xae},
            {'f'},
            {(byte) 0xf0, (byte) 0x9f},
            {(byte) 0x98, (byte) 0x80}
        };
        Map<String, String> seen = new HashMap<>();
        for (int round = 0; round < 50_000; round++) {
            StringBuilder hex = new StringBuilder();
            for (int i = random.nextInt(6); i >= 0; i--) {
                hex.append(Hex.encode(pieces[random.nextInt(pieces.length)]));
            }

            String shown = Shown.of(Hex.decode(hex.toString()));

            String before = seen.putIfAbsent(shown, hex.toString());
            assertThat(before == null ? hex.toString() : before).as(shown).isEqualTo(hex.toString());
        }
    }

    @Test
    void whatIsShownIsSafeToSend() {
        Random random = new Random(2);
        for (int round = 0; round < 10_000; round++) {
            byte[] bytes = new byte[random.nextInt(20)];
            random.nextBytes(bytes);
            String shown = Shown.of(bytes);

            assertThat(Texts.safe(shown, Texts.MAX_SHOWN_PATH)).isEqualTo(shown);
            assertThat(shown.getBytes(StandardCharsets.UTF_8)).hasSizeLessThanOrEqualTo(4 * bytes.length);
        }
    }

    @Test
    void theLongestPathIsShownWhole() {
        assertThat(Shown.of(new byte[TreePath.MAX_LENGTH])).hasSize(Texts.MAX_SHOWN_PATH);
    }
}
