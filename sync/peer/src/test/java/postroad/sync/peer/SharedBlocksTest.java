package postroad.sync.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import postroad.sync.folder.FileHandle;
import postroad.sync.folder.TreeException;

/// A staged file that begins as the old version: what is written to it must still make the new one.
///
/// The sharing is played by a copy, since few file systems share blocks; `postroad.test.shared` names a folder on one
/// that does, to see the real thing.
final class SharedBlocksTest {
    private static final int SIZE = 6_000_000;

    @TempDir
    private Path folder;

    private final AtomicLong shared = new AtomicLong();
    private Path from;
    private Path to;
    private byte[] content;

    @BeforeEach
    void send() throws Exception {
        String chosen = System.getProperty("postroad.test.shared");
        Path place = chosen == null ? folder : Files.createTempDirectory(Path.of(chosen), "shared");
        from = Files.createDirectory(place.resolve("from"));
        to = place.resolve("to");
        content = new byte[SIZE];
        new Random(1).nextBytes(content);
        // Chunks that are in many places.
        Arrays.fill(content, 1_000_000, 2_500_000, (byte) 0);
        Files.write(from.resolve("file"), content);
        new Sessions().run(from, to).summary();
    }

    private Sessions.Result again(byte[] changed) throws Exception {
        Files.write(from.resolve("file"), changed);
        Files.setLastModifiedTime(from.resolve("file"), FileTime.fromMillis(1_000_000));
        boolean real = System.getProperty("postroad.test.shared") != null;
        Sessions.Result result =
                new Sessions().sharingBy(real ? this::shareReally : this::copy).run(from, to);
        assertThat(result.summary().failed()).isZero();
        Trees.assertSame(from, to);
        return result;
    }

    private boolean shareReally(FileHandle staged, FileHandle old, long length) {
        boolean done = staged.share(old, length);
        shared.addAndGet(done ? length : 0);
        return done;
    }

    private boolean copy(FileHandle staged, FileHandle old, long length) {
        try {
            shared.addAndGet(length);
            return staged.copyRange(old, 0, 0, length) == length;
        } catch (TreeException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void bringsAChangeInPlace() throws Exception {
        content[4_000_000]++;

        assertThat(again(content).summary().bytes()).isBetween(1L, 300_000L);
        assertThat(shared).hasValue(SIZE / 65_536 * 65_536);
    }

    @Test
    void bringsAnInsertion() throws Exception {
        byte[] longer = new byte[SIZE + 1000];
        System.arraycopy(content, 0, longer, 0, 3_000_000);
        System.arraycopy(content, 3_000_000, longer, 3_001_000, SIZE - 3_000_000);

        assertThat(again(longer).summary().bytes()).isBetween(1L, 300_000L);
        assertThat(shared).hasPositiveValue();
    }

    @Test
    void bringsWhatWasCutOff() throws Exception {
        again(Arrays.copyOf(content, 4_700_000));
        assertThat(shared).hasValue(4_700_000 / 65_536 * 65_536);
    }

    @Test
    void bringsChangesOfRunsThatAreInManyPlaces() throws Exception {
        Arrays.fill(content, 1_400_000, 1_500_000, (byte) 1);
        Arrays.fill(content, 3_000_000, 4_500_000, (byte) 0);

        again(content);
        assertThat(shared).hasPositiveValue();
    }

    @Test
    void sharesNothingOfASmallFile() throws Exception {
        again(Arrays.copyOf(content, 900_000));
        assertThat(shared).hasValue(0);
    }

    @Test
    void goesOnWhereBlocksCannotBeShared() throws Exception {
        content[4_000_000]++;
        Files.write(from.resolve("file"), content);
        Files.setLastModifiedTime(from.resolve("file"), FileTime.fromMillis(1_000_000));

        Sessions.Result result =
                new Sessions().sharingBy((staged, old, length) -> false).run(from, to);

        assertThat(result.summary().bytes()).isBetween(1L, 300_000L);
        Trees.assertSame(from, to);
    }
}
