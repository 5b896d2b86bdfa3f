package postroad.sync.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
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

        Sessions.Result broken = new Sessions()
                .sender(one)
                .links((number, link) -> TrippedLink.breaking(link, after))
                .run(from, to);
        Frame.Summary again = new Sessions().sender(one).run(from, to).summary();

        assertThat(broken.sender()).isInstanceOf(SessionEnd.Broken.class);
        assertThat(broken.receiver()).isInstanceOf(SessionEnd.Broken.class);
        Trees.assertSame(from, to);
        assertThat(to.resolve(".postroad")).doesNotExist();
        // What one link and the queues before the disk hold may have to come again.
        assertThat(again.bytes()).isLessThan(30L * MIB - after + 4 * MIB);
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
