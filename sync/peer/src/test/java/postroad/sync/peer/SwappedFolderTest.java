package postroad.sync.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import postroad.sync.core.SessionOptions;

/// Somebody on the receiver's machine puts a link in a folder's place while a session runs: it leads nowhere.
final class SwappedFolderTest {
    private static final int MIB = 1 << 20;

    @TempDir
    private Path folder;

    private Path from;
    private Path to;
    private Path outside;

    @BeforeEach
    void name() throws IOException {
        from = Files.createDirectory(folder.resolve("from"));
        to = Files.createDirectory(folder.resolve("to"));
        outside = Files.createDirectory(folder.resolve("outside"));
        Random random = new Random(1);
        for (int i = 0; i < 12; i++) {
            Path below = Files.createDirectories(from.resolve("d" + i % 3).resolve("deep"));
            byte[] content = new byte[MIB];
            random.nextBytes(content);
            Files.write(below.resolve("f" + i), content);
            Files.createSymbolicLink(below.resolve("l" + i), Path.of("f" + i));
            Files.createDirectory(below.resolve("sub" + i));
            // A file that is changed, one that only needs its time, and one that is deleted.
            Path there = Files.createDirectories(to.resolve("d" + i % 3).resolve("deep"));
            Files.write(there.resolve("f" + i), new byte[MIB]);
            Files.setLastModifiedTime(there.resolve("f" + i), FileTime.fromMillis(1));
            Files.write(there.resolve("surplus" + i), new byte[10]);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {200, 100_000, 3 * MIB, 8 * MIB, 11 * MIB})
    void leadsNowhere(long after) throws Exception {
        for (String name : new String[] {"f0", "f3", "surplus0", "l0"}) {
            Files.createDirectories(outside.resolve("deep"));
            Files.write(outside.resolve("deep").resolve(name), Sessions.bytes("stays"));
        }
        var before = Trees.describe(outside);

        Sessions.Result result = new Sessions()
                .sender(SessionOptions.DEFAULT.withDelete(true).withParallel(1))
                .receiver(SessionOptions.DEFAULT.withDelete(true).withParallel(1))
                .links((number, link) -> new TrippedLink(link, after, () -> swap(to.resolve("d0"))))
                .run(from, to);

        assertThat(Trees.describe(outside)).isEqualTo(before);
        assertThat(result.receiver()).isInstanceOf(SessionEnd.Done.class);
        assertThat(to.resolve("d1/deep/f1")).hasSameBinaryContentAs(from.resolve("d1/deep/f1"));
    }

    private void swap(Path place) {
        try {
            Files.move(place, folder.resolve("moved"));
            Files.createSymbolicLink(place, outside);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
