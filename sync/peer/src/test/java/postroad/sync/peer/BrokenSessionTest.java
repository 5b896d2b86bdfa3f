package postroad.sync.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import postroad.sync.core.Frame;
import postroad.sync.core.SessionOptions;

/// Sessions that something happens to: links break, files change under the sender's hands.
final class BrokenSessionTest {
    private static final int MIB = 1 << 20;

    @TempDir
    private Path folder;

    private Path from;
    private Path to;

    @BeforeEach
    void name() throws IOException {
        from = Files.createDirectory(folder.resolve("from"));
        to = folder.resolve("to");
    }

    @ParameterizedTest
    @ValueSource(longs = {10, 3_000, 700_000, 9_000_000, 29_000_000})
    void goesOnFromWhatHasArrived(long after) throws Exception {
        noise("one", 20 * MIB);
        noise("two", 10 * MIB);
        SessionOptions one = SessionOptions.DEFAULT.withParallel(1);

        SentParts parts = new SentParts();

        Sessions.Result broken = new Sessions()
                .sender(one)
                .meter(new Meter(parts))
                .links((number, link) -> TrippedLink.breaking(link, after))
                .run(from, to);
        Sessions.Result next =
                new Sessions().sender(one).meter(new Meter(parts)).run(from, to);
        Frame.Summary again = next.summary();

        assertThat(broken.sender()).isInstanceOf(SessionEnd.Broken.class);
        assertThat(broken.receiver()).isInstanceOf(SessionEnd.Broken.class);
        Trees.assertSame(from, to);
        assertThat(to.resolve(".postroad")).doesNotExist();
        // What one link and the queues before the disk hold may have to come again.
        assertThat(again.bytes()).isLessThan(30L * MIB - after + 4 * MIB);
        // Only whole blocks count; of the one that broke a part went out.
        long beyondOnce = broken.sendMeter().contentBytes() + next.sendMeter().contentBytes() - 30L * MIB;
        assertThat(parts.again()).isBetween(Math.max(0, beyondOnce - MIB), beyondOnce);
        assertThat(parts.again()).isLessThan(4 * MIB);
    }

    @Test
    void sessionsThatBreakOneAfterAnotherDoNotFillTheDisk() throws Exception {
        noise("large", 40 * MIB);
        SessionOptions one = SessionOptions.DEFAULT.withParallel(1);

        for (int i = 0; i < 4; i++) {
            SessionEnd end = new Sessions()
                    .sender(one)
                    .links((number, link) -> TrippedLink.breaking(link, 6 * MIB))
                    .run(from, to)
                    .sender();
            assertThat(end).isInstanceOf(SessionEnd.Broken.class);

            try (Stream<Path> all = Files.walk(to.resolve(".postroad"))) {
                assertThat(all.filter(Files::isRegularFile)
                                .filter(file -> file.toFile().length() == 40 * MIB))
                        .hasSizeLessThan(2);
            }
        }

        assertThat(new Sessions().sender(one).run(from, to).summary().bytes()).isLessThan(30L * MIB);
        Trees.assertSame(from, to);
        assertThat(to.resolve(".postroad")).doesNotExist();
    }

    @Test
    void countsWhatGoesOutAgainWhenALinkBreaks() throws Exception {
        noise("file", 20 * MIB);
        Meter meter = new Meter();

        Sessions.Result result = new Sessions()
                .meter(meter)
                .links((number, link) -> number == 0 ? link : TrippedLink.breaking(link, 2 * MIB))
                .run(from, to);

        assertThat(result.summary().failed()).isZero();
        assertThat(meter.parts().again())
                .isPositive()
                .isBetween(meter.contentBytes() - 20 * MIB - 4 * MIB, meter.contentBytes() - 20 * MIB);
        assertThat(meter.movedBytes()).isEqualTo(20 * MIB);
    }

    /// A session that was killed before it could commit has left them in its staging.
    @Test
    void findsSmallFilesThatWereStagedWhole() throws Exception {
        Path staged = Files.createDirectories(to.resolve(".postroad").resolve("0123456789abcdef".repeat(2)));
        for (int i = 0; i < 1500; i++) {
            Path file = noise("file" + i, 2000 + i);
            Files.setLastModifiedTime(file, FileTime.fromMillis(1_600_000_000_000L + i));
            if (i % 3 > 0) {
                Files.copy(file, staged.resolve("f" + i + ".0"), StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
        // One has the size and time, and other content.
        Path torn = staged.resolve("f1.0");
        FileTime time = Files.getLastModifiedTime(torn);
        Files.write(torn, new byte[2001]);
        Files.setLastModifiedTime(torn, time);
        long total = LongStream.range(0, 1500).map(i -> 2000 + i).sum();
        long left = LongStream.range(0, 1500)
                        .filter(i -> i % 3 > 0)
                        .map(i -> 2000 + i)
                        .sum()
                - 2001;

        Frame.Summary summary = new Sessions().run(from, to).summary();

        assertThat(summary.failed()).isZero();
        assertThat(summary.reused()).isEqualTo(left);
        assertThat(summary.bytes()).isEqualTo(total - left);
        Trees.assertSame(from, to);
    }

    @Test
    void losesALinkThatIsNotTheFirst() throws Exception {
        for (int i = 0; i < 30; i++) {
            noise("file" + i, MIB + 1000 * i);
        }

        Sessions.Result result = new Sessions()
                .links((number, link) -> number == 0 ? link : TrippedLink.breaking(link, 2 * MIB))
                .run(from, to);

        assertThat(result.summary().failed()).isZero();
        Trees.assertSame(from, to);
    }

    @Test
    void losesALinkInLockStep() throws Exception {
        for (int i = 0; i < 12; i++) {
            noise("file" + i, MIB);
        }

        Sessions.Result result = new Sessions()
                .sender(SessionOptions.DEFAULT.withInFlight(1).withParallel(3))
                .links((number, link) -> number == 0 ? link : TrippedLink.breaking(link, 3 * MIB / 2))
                .run(from, to);

        assertThat(result.summary().failed()).isZero();
        Trees.assertSame(from, to);
    }

    @Test
    void goesOnWithFewerLinksWhenSomeCannotBeOpened() throws Exception {
        noise("file", 3 * MIB);

        Sessions.Result result = new Sessions()
                .receiver(SessionOptions.DEFAULT.withParallel(2))
                .sender(SessionOptions.DEFAULT.withParallel(8))
                .run(from, to);

        assertThat(result.summary().failed()).isZero();
        Trees.assertSame(from, to);
    }

    @Test
    void sendsAFileAgainThatGrewWhileItWasSent() throws Exception {
        Path file = noise("growing", 60 * MIB);

        Sessions.Result result = new Sessions()
                .sender(SessionOptions.DEFAULT.withParallel(1))
                .links((number, link) -> new TrippedLink(link, MIB, () -> append(file)))
                .run(from, to);

        assertThat(result.summary().failed()).isZero();
        Trees.assertSame(from, to);
    }

    @Test
    void reportsAFileThatNeverStandsStill() throws Exception {
        Path file = noise("restless", 60 * MIB);
        noise("still", 10_000);

        Sessions.Result result = new Sessions()
                .sender(SessionOptions.DEFAULT.withParallel(1))
                .links((number, link) ->
                        new TrippedLink(new TrippedLink(link, MIB, () -> append(file)), 70L * MIB, () -> append(file)))
                .run(from, to);

        assertThat(result.summary().failed()).isEqualTo(1);
        assertThat(result.sent().beginning("failed restless: CHANGED")).hasSize(1);
        assertThat(to.resolve("restless")).doesNotExist();
        assertThat(to.resolve("still")).exists();
    }

    @Test
    void reportsAFileThatIsGone() throws Exception {
        noise("a", 60 * MIB);
        Path file = noise("b", 60 * MIB);

        Sessions.Result result = new Sessions()
                .sender(SessionOptions.DEFAULT.withParallel(1))
                .links((number, link) -> new TrippedLink(link, MIB, () -> delete(file)))
                .run(from, to);

        assertThat(result.summary().failed() + (Files.exists(to.resolve("b")) ? 1 : 0))
                .isEqualTo(1);
        assertThat(to.resolve("a")).exists();
    }

    private Path noise(String name, int size) throws IOException {
        byte[] content = new byte[size];
        new Random(name.hashCode()).nextBytes(content);
        return Files.write(from.resolve(name), content);
    }

    private static void append(Path file) {
        try {
            Files.write(file, new byte[100], StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
