package postroad.lab.crash;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a power cut leaves, by the rules of [Disk].
final class DiskTest {
    private static final Operation NOTHING_UNDER_WAY = new Operation.Mark("");

    @TempDir
    private Path scratch;

    private Path folder;

    private final Disk disk = new Disk();

    @BeforeEach
    void nameTheFolder() {
        folder = scratch.resolve("image");
    }

    @Test
    void keepsWhatWasSyncedBeforeTheSyncBegan() throws IOException {
        named("file", 1);
        apply(write(1, 0, "safe"), new Operation.SyncBegin(1));
        apply(write(1, 4, "late"), new Operation.SyncEnd(1, 5));

        assertThat(survivors(Loss.EVERYTHING)).containsOnly("safe");
        assertThat(survivors(Loss.NOTHING)).containsOnly("safelate");
    }

    @Test
    void keepsASyncedWriteThoughEarlierOnesAreLost() throws IOException {
        named("file", 1);
        apply(write(1, 0, "a".repeat(512)), new Operation.Write(1, 512, bytes("b".repeat(512)), true));

        assertThat(survivors(Loss.EVERYTHING)).containsOnly("\0".repeat(512) + "b".repeat(512));
    }

    @Test
    void tearsBetweenSectors() throws IOException {
        named("file", 1);
        apply(write(1, 0, "a".repeat(1024)), new Operation.SyncBegin(1), new Operation.SyncEnd(1, 5));
        apply(write(1, 0, "b".repeat(1024)));

        assertThat(survivors(Loss.SECTORS))
                .contains("a".repeat(512) + "b".repeat(512), "b".repeat(512) + "a".repeat(512));
    }

    @Test
    void letsALaterWriteOvertakeAnEarlierOne() throws IOException {
        named("file", 1);
        apply(write(1, 0, "a".repeat(512)), write(1, 512, "b".repeat(512)));

        assertThat(survivors(Loss.ALL_BUT_THE_LAST)).containsOnly("\0".repeat(512) + "b".repeat(512));
    }

    @Test
    void mayLeaveTheWriteThatWasUnderWay() throws IOException {
        named("file", 1);
        Operation underWay = new Operation.Write(1, 0, bytes("new"), true);

        assertThat(survivors(underWay, Loss.WRITES)).contains("", "new");
    }

    @Test
    void losesANameWhoseFolderWasNotSynced() throws IOException {
        apply(new Operation.Open(1, "file", true, false, false));

        disk.layOut(folder, NOTHING_UNDER_WAY, Loss.EVERYTHING, new Random(1));

        assertThat(folder.resolve("file")).doesNotExist();
    }

    @Test
    void refusesToJudgeAFileThatWasMappedForWriting() {
        apply(new Operation.Open(1, "lock.mdb", true, false, false), new Operation.Unseen(1));
        apply(new Operation.Open(2, "data.mdb", true, false, false));

        assertThatThrownBy(() -> apply(new Operation.Unseen(2))).hasMessageContaining("data.mdb");
    }

    private void named(String name, int file) {
        apply(new Operation.Open(99, ".", false, false, true), new Operation.Open(file, name, true, false, false));
        apply(new Operation.SyncBegin(99), new Operation.SyncEnd(99, 2));
    }

    private void apply(Operation... operations) {
        List.of(operations).forEach(disk::apply);
    }

    private Set<String> survivors(Loss loss) throws IOException {
        return survivors(NOTHING_UNDER_WAY, loss);
    }

    private Set<String> survivors(Operation underWay, Loss loss) throws IOException {
        Set<String> survivors = new HashSet<>();
        for (int seed = 0; seed < 50; seed++) {
            disk.layOut(folder, underWay, loss, new Random(seed));
            survivors.add(Files.readString(folder.resolve("file"), UTF_8));
        }
        return survivors;
    }

    private static Operation write(int file, long offset, String text) {
        return new Operation.Write(file, offset, bytes(text), false);
    }

    private static MemorySegment bytes(String text) {
        return MemorySegment.ofArray(text.getBytes(UTF_8));
    }
}
