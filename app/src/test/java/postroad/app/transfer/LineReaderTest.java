package postroad.app.transfer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LineReaderTest {
    private record Line(long number, String text) {}

    private record Read(List<Line> lines, long tooLong) {}

    private static Read read(InputStream in, int maxLineBytes) throws IOException {
        LineReader reader = new LineReader(new Source("x", in), maxLineBytes);
        List<Line> lines = new ArrayList<>();
        long tooLong = 0;
        for (Optional<Chunk> chunk = reader.next(); chunk.isPresent(); chunk = reader.next()) {
            Chunk one = chunk.get();
            for (int i = 0; i < one.lines(); i++) {
                lines.add(
                        new Line(one.number(i), new String(one.bytes(), one.from(i), one.to(i) - one.from(i), UTF_8)));
            }
            tooLong += one.tooLong();
        }
        return new Read(lines, tooLong);
    }

    private static Read read(String text, int maxLineBytes) throws IOException {
        return read(new ByteArrayInputStream(text.getBytes(UTF_8)), maxLineBytes);
    }

    @Test
    void numbersLinesAndLeavesEmptyOnesOut() throws IOException {
        assertThat(read("a\n\n \t\r\nb\r\n c \nlast", 100).lines())
                .containsExactly(new Line(1, "a"), new Line(4, "b"), new Line(5, " c"), new Line(6, "last"));
    }

    @Test
    void dropsAByteOrderMark() throws IOException {
        assertThat(read("\ufeffa\n", 100).lines()).containsExactly(new Line(1, "a"));
    }

    @Test
    void skipsAndCountsLinesOverTheLimit() throws IOException {
        Read read = read("12345\n123456\n" + "x".repeat(300_000) + "\nend\n" + "y".repeat(300_000), 5);

        assertThat(read.lines()).containsExactly(new Line(1, "12345"), new Line(4, "end"));
        assertThat(read.tooLong()).isEqualTo(3);
    }

    @Test
    void cutsTheSameLinesHoweverTheBytesCome() throws IOException {
        for (long seed = 0; seed < 50; seed++) {
            Random random = new Random(seed);
            StringBuilder text = new StringBuilder();
            List<Line> expected = new ArrayList<>();
            int lines = random.nextInt(1200);
            for (int i = 1; i <= lines; i++) {
                String line = "v".repeat(random.nextInt(50) == 0 ? random.nextInt(200_000) : random.nextInt(30));
                text.append(line).append('\n');
                if (!line.isEmpty()) {
                    expected.add(new Line(i, line));
                }
            }

            Read read = read(new Dripping(text.toString().getBytes(UTF_8), random), 1 << 20);

            assertThat(read.lines()).as("seed %d", seed).isEqualTo(expected);
        }
    }

    /// Hands out its bytes in pieces of random size, and sometimes says that it has none just now.
    private static final class Dripping extends InputStream {
        private final ByteArrayInputStream all;
        private final Random random;

        Dripping(byte[] bytes, Random random) {
            this.all = new ByteArrayInputStream(bytes);
            this.random = random;
        }

        @Override
        public int read() {
            return all.read();
        }

        @Override
        public int read(byte[] target, int from, int length) {
            return all.read(target, from, 1 + random.nextInt(length));
        }

        @Override
        public int available() {
            return random.nextBoolean() ? 0 : all.available();
        }
    }
}
