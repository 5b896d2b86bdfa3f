package postroad.sync.folder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import postroad.sync.core.ChunkClass;
import postroad.sync.core.Recipe;
import postroad.sync.core.TreePath;

final class ChunkIndexTest {
    private static final long NOW = 1_700_000_000;
    private static final TreePath A = TreePath.of("d/a");
    private static final TreePath B = TreePath.of("b");

    @TempDir
    private Path folder;

    private final List<String> notes = Collections.synchronizedList(new ArrayList<>());
    private Path home;
    private Tree tree;
    private IndexLimits limits = IndexLimits.DEFAULT;
    private long now = NOW * 1000;

    @BeforeEach
    void open() throws IOException {
        home = folder.resolve("home");
        tree = Tree.create(Workshop.bytes(folder.resolve("tree")));
    }

    @AfterEach
    void close() {
        tree.close();
    }

    private ChunkMemory index() {
        return ChunkIndex.open(home, tree, notes::add, limits, () -> now);
    }

    private static EntryStat old(long inode) {
        return Rows.version(inode, NOW - 1000, NOW - 900);
    }

    private void remember(TreePath path, EntryStat version, Recipe recipe) {
        try (ChunkMemory index = index()) {
            index.remember(path, version, recipe);
        }
    }

    private static void assertSame(Optional<Recipe> found, Recipe recipe) {
        assertThat(found).isPresent();
        assertThat(found.get().root()).isEqualTo(recipe.root());
        assertThat(found.get().chunkClass()).isEqualTo(recipe.chunkClass());
    }

    @Test
    void recallsWhatWasRememberedBeforeItWasOpenedAgain() {
        remember(A, old(1), Rows.recipe(1));

        try (ChunkMemory index = index()) {
            assertSame(index.recall(old(1), ChunkClass.SMALL), Rows.recipe(1));
            assertThat(index.recall(old(1), ChunkClass.MEDIUM)).isEmpty();
        }
        assertThat(notes).isEmpty();
    }

    @Test
    void findsAChunkByItsShortId() {
        remember(A, old(1), Rows.recipe(1));

        try (ChunkMemory index = index()) {
            ChunkMemory.Place place =
                    index.find(Rows.recipe(1).shortId(3), ChunkClass.SMALL).orElseThrow();
            assertThat(place.path()).isEqualTo(A);
            assertThat(place.version().isSameVersion(old(1))).isTrue();
            assertThat(place.offset()).isEqualTo(3L * Rows.LENGTH);
            assertThat(place.length()).isEqualTo(Rows.LENGTH);
            assertThat(index.find(Rows.recipe(1).shortId(3), ChunkClass.LARGE)).isEmpty();
            assertThat(index.find(Rows.recipe(2).shortId(3), ChunkClass.SMALL)).isEmpty();
            assertThat(index.knowsAny(ChunkClass.SMALL)).isTrue();
            assertThat(index.knowsAny(ChunkClass.MEDIUM)).isFalse();
        }
    }

    @Test
    void recallsNoOtherVersion() {
        EntryStat version = old(1);
        remember(A, version, Rows.recipe(1));

        try (ChunkMemory index = index()) {
            for (int what = 0; what < 7; what++) {
                EntryStat other = new EntryStat(
                        version.device() + (what == 0 ? 1 : 0),
                        version.inode() + (what == 1 ? 1 : 0),
                        version.size() + (what == 2 ? 1 : 0),
                        version.seconds() + (what == 3 ? 1 : 0),
                        version.nanos() + (what == 4 ? 1 : 0),
                        version.changedSeconds() + (what == 5 ? 1 : 0),
                        version.changedNanos() + (what == 6 ? 1 : 0),
                        0,
                        EntryStat.Type.FILE,
                        1,
                        0);
                assertThat(index.recall(other, ChunkClass.SMALL)).as("%s", what).isEmpty();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "-900, -900, true",
        "-3, -3, true",
        "-2, -3, false",
        "-3, -2, false",
        "-900, -2, false",
        "-900, 0, false",
        "0, -900, false",
        "2, -900, false",
        "3, -900, true",
        "1000000, -900, true",
        "-900, 1, false",
        "-900, 1000000, false",
        "9000000000000000000, -900, true",
        "-9000000000000000000, -900, true",
        "-900, 9000000000000000000, false"
    })
    void trustsOnlyTimesThatLieTwoSecondsBeforeTheHashing(long modified, long changed, boolean trusted) {
        EntryStat version = Rows.version(1, NOW + modified, NOW + changed);
        remember(A, version, Rows.recipe(1));

        now += 1_000_000;
        try (ChunkMemory index = index()) {
            assertThat(index.recall(version, ChunkClass.SMALL).isPresent()).isEqualTo(trusted);
            assertThat(index.find(Rows.recipe(1).shortId(0), ChunkClass.SMALL)).isPresent();
        }
    }

    @Test
    void trustsAYoungFileOnceItIsHashedAgain() {
        EntryStat version = Rows.version(1, NOW, NOW);
        remember(A, version, Rows.recipe(1));
        now += 2_001;
        remember(A, version, Rows.recipe(2));

        try (ChunkMemory index = index()) {
            assertSame(index.recall(version, ChunkClass.SMALL), Rows.recipe(2));
            assertThat(index.find(Rows.recipe(1).shortId(0), ChunkClass.SMALL)).isEmpty();
        }
    }

    @Test
    void replacesAnOlderVersionOfTheSameFile() {
        remember(A, old(1), Rows.recipe(1));
        EntryStat newer = Rows.version(1, NOW - 500, NOW - 500);
        remember(B, newer, Rows.recipe(2));

        try (ChunkMemory index = index()) {
            assertThat(index.recall(old(1), ChunkClass.SMALL)).isEmpty();
            assertThat(index.find(Rows.recipe(1).shortId(0), ChunkClass.SMALL)).isEmpty();
            assertSame(index.recall(newer, ChunkClass.SMALL), Rows.recipe(2));
            assertThat(index.find(Rows.recipe(2).shortId(0), ChunkClass.SMALL)
                            .orElseThrow()
                            .path())
                    .isEqualTo(B);
        }
    }

    @Test
    void forgetsAFileThatIsGone() throws Exception {
        remember(A, old(1), Rows.recipe(1));

        try (ChunkMemory index = index()) {
            index.forget(index.find(Rows.recipe(1).shortId(0), ChunkClass.SMALL).orElseThrow());
            ((ChunkIndex) index).flush();

            assertThat(index.find(Rows.recipe(1).shortId(1), ChunkClass.SMALL)).isEmpty();
            assertThat(index.recall(old(1), ChunkClass.SMALL)).isEmpty();
        }
    }

    @Test
    void dropsTheFilesThatWereRememberedFirst() {
        limits = new IndexLimits(32, 1000, 1 << 26, 1 << 26);
        for (int i = 1; i <= 100; i++) {
            remember(A, old(i), Rows.recipe(i));
        }
        try (ChunkMemory index = index()) {
            assertThat(index.recall(old(1), ChunkClass.SMALL)).isEmpty();
            assertThat(index.find(Rows.recipe(1).shortId(0), ChunkClass.SMALL)).isEmpty();
            assertThat(index.recall(old(100), ChunkClass.SMALL)).isPresent();
            long kept = Stream.iterate(1L, i -> i <= 100, i -> i + 1)
                    .filter(i -> index.recall(old(i), ChunkClass.SMALL).isPresent())
                    .count();
            assertThat(kept).isBetween(30L, 32L);
        }
    }

    @Test
    void dropsFilesWhenThereAreTooManyChunks() {
        limits = new IndexLimits(1000, 80, 1 << 26, 1 << 26);
        for (int i = 1; i <= 30; i++) {
            remember(A, old(i), Rows.recipe(i));
        }
        try (ChunkMemory index = index()) {
            assertThat(index.recall(old(20), ChunkClass.SMALL)).isEmpty();
            assertThat(index.recall(old(30), ChunkClass.SMALL)).isPresent();
        }
    }

    @Test
    void beginsAnewWhenTheMapIsFull() throws Exception {
        limits = new IndexLimits(1_000_000, 1_000_000, 1 << 20, 1 << 26);
        try (ChunkMemory index = index()) {
            for (int i = 1; i <= 3000; i++) {
                index.remember(A, old(i), Rows.recipe(i));
            }
            ((ChunkIndex) index).flush();
            assertThat(index.recall(old(1), ChunkClass.SMALL)).isEmpty();
        }
        assertThat(notes).hasSize(1).allMatch(note -> note.contains("MDB_MAP_FULL"));

        remember(A, old(1), Rows.recipe(1));
        try (ChunkMemory index = index()) {
            assertThat(index.recall(old(1), ChunkClass.SMALL)).isPresent();
        }
    }

    @Test
    void keepsTreesApart() throws IOException {
        remember(A, old(1), Rows.recipe(1));
        try (Tree other = Tree.create(Workshop.bytes(folder.resolve("other")));
                ChunkMemory index = ChunkIndex.open(home, other, notes::add)) {
            assertThat(index.recall(old(1), ChunkClass.SMALL)).isEmpty();
            assertThat(index.knowsAny(ChunkClass.SMALL)).isFalse();
        }
    }

    @Test
    void isTheSameIndexByWhateverPathTheTreeWasOpened() throws IOException {
        remember(A, old(1), Rows.recipe(1));
        Files.createSymbolicLink(folder.resolve("link"), folder.resolve("tree"));
        try (Tree same = Tree.open(Workshop.bytes(folder.resolve("link/../link/.")));
                ChunkMemory index = ChunkIndex.open(home, same, notes::add)) {
            assertThat(index.recall(old(1), ChunkClass.SMALL)).isPresent();
        }
    }

    @Test
    void isOpenSeveralTimesInOneProcess() throws Exception {
        try (ChunkMemory one = index()) {
            try (ChunkMemory two = index()) {
                two.remember(A, old(1), Rows.recipe(1));
            }
            ((ChunkIndex) one).flush();
            assertThat(one.recall(old(1), ChunkClass.SMALL)).isPresent();
        }
        assertThat(notes).isEmpty();
    }

    @Test
    void isOpenInTwoProcessesAtOnce() throws Exception {
        try (IndexProcess process = IndexProcess.start(home, folder.resolve("tree"))) {
            assertThat(process.line()).isEqualTo("wrote");
            try (ChunkMemory index = index()) {
                index.remember(A, old(1), Rows.recipe(1));
                ((ChunkIndex) index).flush();

                assertThat(index.recall(old(1), ChunkClass.SMALL)).isPresent();
                assertThat(index.recall(Rows.version(1_000_005, 1, 1), ChunkClass.SMALL))
                        .isPresent();
            }
            process.stop();
        }
        try (ChunkMemory index = index()) {
            assertThat(index.recall(old(1), ChunkClass.SMALL)).isPresent();
            assertThat(index.recall(Rows.version(1_000_020, 1, 1), ChunkClass.SMALL))
                    .isPresent();
        }
        assertThat(notes).isEmpty();
    }

    @Test
    void keepsWhatAKilledProcessHadWritten() throws Exception {
        try (IndexProcess process = IndexProcess.start(home, folder.resolve("tree"))) {
            assertThat(process.line()).isEqualTo("wrote");
        }

        try (ChunkMemory index = index()) {
            assertThat(index.recall(Rows.version(1_000_020, 1, 1), ChunkClass.SMALL))
                    .isPresent();
            index.remember(A, old(1), Rows.recipe(1));
        }
        assertThat(notes).isEmpty();
    }

    /// A flipped bit is found, or does no harm: what is recalled is always what was remembered.
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void isUsableWhateverBytesWereFlipped(int seed) throws IOException {
        try (ChunkMemory index = index()) {
            for (int i = 1; i <= 300; i++) {
                index.remember(A, old(i), Rows.recipe(i));
            }
        }
        Path data = data();
        byte[] good = Files.readAllBytes(data);
        Random random = new Random(seed);
        for (int round = 0; round < 40; round++) {
            byte[] bad = good.clone();
            for (int flips = 1 << random.nextInt(8); flips > 0; flips--) {
                bad[random.nextInt(bad.length)] ^= (byte) (1 << random.nextInt(8));
            }
            Files.write(data, bad);
            try (ChunkMemory index = index()) {
                for (int i = 1; i <= 300; i++) {
                    Recipe recipe = Rows.recipe(i);
                    index.recall(old(i), ChunkClass.SMALL).ifPresent(found -> assertSame(Optional.of(found), recipe));
                    index.find(recipe.shortId(i % Rows.CHUNKS), ChunkClass.SMALL);
                }
                index.remember(B, old(1000 + round), Rows.recipe(1000 + round));
            }
            remember(B, old(5000), Rows.recipe(5000));
            try (ChunkMemory index = index()) {
                assertSame(index.recall(old(5000), ChunkClass.SMALL), Rows.recipe(5000));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.001, 0.1, 0.5, 0.99})
    void isEmptyAfterItWasCutOff(double part) throws IOException {
        try (ChunkMemory index = index()) {
            for (int i = 1; i <= 300; i++) {
                index.remember(A, old(i), Rows.recipe(i));
            }
        }
        byte[] all = Files.readAllBytes(data());
        Files.write(data(), Arrays.copyOf(all, (int) (all.length * part)));

        try (ChunkMemory index = index()) {
            assertThat(index.recall(old(1), ChunkClass.SMALL)).isEmpty();
            index.remember(A, old(1), Rows.recipe(1));
        }
        assertThat(notes).hasSize(1).allMatch(note -> note.contains("thrown away"));
        try (ChunkMemory index = index()) {
            assertThat(index.recall(old(1), ChunkClass.SMALL)).isPresent();
        }
    }

    @Test
    void isEmptyAfterItWasDeleted() throws IOException {
        remember(A, old(1), Rows.recipe(1));
        Files.delete(data());

        try (ChunkMemory index = index()) {
            assertThat(index.recall(old(1), ChunkClass.SMALL)).isEmpty();
        }
    }

    @Test
    void knowsNothingWhereNoIndexCanBe() throws IOException {
        Files.write(home, new byte[1]);

        try (ChunkMemory index = index()) {
            index.remember(A, old(1), Rows.recipe(1));
            assertThat(index.recall(old(1), ChunkClass.SMALL)).isEmpty();
        }
        assertThat(notes).hasSize(1).allMatch(note -> note.contains("no index"));
    }

    @Test
    void goesOnWhenTheDiskIsFull() throws Exception {
        Files.createDirectory(home);
        assumeTrue(run("mount", "-t", "tmpfs", "-o", "size=1m", "none", home.toString()), "no tmpfs can be mounted");
        try {
            try (ChunkMemory index = index()) {
                index.remember(A, old(1), Rows.recipe(1));
                ((ChunkIndex) index).flush();
                for (int i = 2; i <= 3000; i++) {
                    index.remember(A, old(i), Rows.recipe(i));
                }
                ((ChunkIndex) index).flush();
                assertThat(index.recall(old(1), ChunkClass.SMALL)).isPresent();
                index.remember(A, old(9999), Rows.recipe(9999));
            }
            assertThat(notes).hasSize(1).allMatch(note -> note.contains("not remembered"));
            try (ChunkMemory index = index()) {
                assertThat(index.recall(old(1), ChunkClass.SMALL)).isPresent();
            }
        } finally {
            run("umount", home.toString());
        }
    }

    @Test
    void keepsOnlySoManyTrees() throws IOException {
        for (int i = 0; i < 70; i++) {
            try (Tree other = Tree.create(Workshop.bytes(folder.resolve("t" + i)));
                    ChunkMemory index = ChunkIndex.open(home, other, notes::add)) {
                assertThat(index).isInstanceOf(ChunkIndex.class);
            }
            try (Stream<Path> made = Files.list(home.resolve("sync"))) {
                for (Path each : made.filter(Files::isDirectory).toList()) {
                    FileTime time = Files.getLastModifiedTime(each.resolve("in-use"));
                    Files.setLastModifiedTime(each.resolve("in-use"), FileTime.fromMillis(time.toMillis() - 1000));
                }
            }
        }

        try (Stream<Path> made = Files.list(home.resolve("sync"))) {
            assertThat(made.filter(Files::isDirectory)).hasSize(64);
        }
        assertThat(notes).isEmpty();
    }

    private Path data() throws IOException {
        try (Stream<Path> all = Files.walk(home)) {
            return all.filter(each -> each.endsWith("data.mdb")).findFirst().orElseThrow();
        }
    }

    private static boolean run(String... command) throws Exception {
        return new ProcessBuilder(command).redirectErrorStream(true).start().waitFor() == 0;
    }
}
