package postroad.app.transfer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReversedLinesTest {
    @TempDir
    Path folder;

    private List<String> reversed(List<String> lines, int block) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ReversedLines reversed = ReversedLines.in(folder, block)) {
            for (String line : lines) {
                reversed.write((line + "\n").getBytes(UTF_8));
            }
            try (var files = Files.list(folder)) {
                assertThat(files).isEmpty();
            }
            reversed.writeTo(out);
        }
        return out.toString(UTF_8).lines().toList();
    }

    @Test
    void nothingReversedIsNothing() throws Exception {
        assertThat(reversed(List.of(), 4)).isEmpty();
    }

    @Test
    void linesOfEveryLengthComeLastFirstWhateverTheBlock() throws Exception {
        Random random = new Random(30_11);
        for (int round = 0; round < 300; round++) {
            List<String> lines = new ArrayList<>();
            for (int i = random.nextInt(20); i >= 0; i--) {
                lines.add(Integer.toString(i).repeat(random.nextInt(12)));
            }

            assertThat(reversed(lines, 1 + random.nextInt(40))).isEqualTo(lines.reversed());
        }
    }
}
