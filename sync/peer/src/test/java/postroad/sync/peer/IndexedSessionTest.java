package postroad.sync.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import postroad.sync.core.ChunkClass;
import postroad.sync.core.Recipe;
import postroad.sync.core.SessionOptions;
import postroad.sync.core.ShortId;
import postroad.sync.core.TreePath;
import postroad.sync.folder.ChunkIndex;
import postroad.sync.folder.ChunkMemory;
import postroad.sync.folder.EntryStat;
import postroad.sync.folder.Tree;

/// Sessions whose both sides remember what they hashed, each in an index of its own that is opened for each session.
final class IndexedSessionTest {
    private static final SessionOptions DELETING = SessionOptions.DEFAULT.withDelete(true);
    private static final int SIZE = 2_000_000;
    private static final long HOUR = 3_600_000;

    @TempDir
    private Path folder;

    private final List<String> notes = Collections.synchronizedList(new ArrayList<>());
    private final AtomicInteger recalled = new AtomicInteger();
    private Path from;
    private Path to;

    @BeforeEach
    void name() throws Exception {
        from = Files.createDirectory(folder.resolve("from"));
        to = Files.createDirectory(folder.resolve("to"));
    }

    private Sessions.Result run() throws Exception {
        return run(DELETING);
    }

    private Sessions.Result run(SessionOptions options) throws Exception {
        try (Tree sent = Tree.open(Sessions.bytes(from));
                Tree received = Tree.open(Sessions.bytes(to));
                ChunkMemory senders = index("sender", sent);
                ChunkMemory receivers = index("receiver", received)) {
            Sessions.Result result = new Sessions()
                    .sender(options)
                    .receiver(DELETING)
                    .memories(senders, new Counting(receivers, recalled))
                    .run(from, to);
            assertThat(result.summary().failed()).isZero();
            return result;
        } finally {
            Trees.assertSame(from, to);
            assertThat(notes).isEmpty();
        }
    }

    /// What was hashed here was always old enough.
    private ChunkMemory index(String side, Tree tree) {
        return ChunkIndex.open(folder.resolve(side), tree, notes::add, () -> System.currentTimeMillis() + HOUR);
    }

    private void write(String name, long seed) throws Exception {
        Files.write(from.resolve(name), Trees.bytes(new Random(seed), SIZE));
    }

    private static void insert(Path file) throws Exception {
        byte[] old = Files.readAllBytes(file);
        byte[] changed = new byte[old.length + 100];
        System.arraycopy(old, 0, changed, 0, SIZE / 2);
        System.arraycopy(old, SIZE / 2, changed, SIZE / 2 + 100, old.length - SIZE / 2);
        Files.write(file, changed);
    }

    @Test
    void sendsNoContentForATouch() throws Exception {
        write("a", 1);
        run();
        for (int round = 1; round < 4; round++) {
            Files.setLastModifiedTime(from.resolve("a"), FileTime.fromMillis(1_000_000L * round));

            assertThat(run().summary().bytes()).isZero();
        }
    }

    @Test
    void doesNotReadAnUnchangedOldVersionAgain() throws Exception {
        write("a", 1);
        run();
        insert(from.resolve("a"));

        assertThat(run().summary().bytes()).isBetween(1L, 60_000L);
        assertThat(recalled).hasValue(1);
    }

    @Test
    void readsEverythingAgainWhenAskedTo() throws Exception {
        write("a", 1);
        run();
        insert(from.resolve("a"));

        assertThat(run(DELETING.withChecksum(true)).summary().bytes()).isBetween(1L, 60_000L);
        assertThat(recalled).hasValue(0);
    }

    @Test
    void sendsOnlyTheEditOfAFileThatWasRenamedToo() throws Exception {
        write("a", 1);
        write("b", 2);
        run();
        Files.createDirectory(from.resolve("d"));
        Files.move(from.resolve("a"), from.resolve("d/new"));
        insert(from.resolve("d/new"));

        assertThat(run().summary().bytes()).isBetween(1L, 60_000L);
    }

    /// The first of the two may be in its new place before the second is looked for; then that one travels.
    @Test
    void sendsAtMostOneOfTwoFilesThatChangedNames() throws Exception {
        write("a", 1);
        write("b", 2);
        run();
        Files.move(from.resolve("a"), from.resolve("c"));
        Files.move(from.resolve("b"), from.resolve("a"));
        Files.move(from.resolve("c"), from.resolve("b"));
        Files.setLastModifiedTime(from.resolve("a"), FileTime.fromMillis(1_000_000));
        Files.setLastModifiedTime(from.resolve("b"), FileTime.fromMillis(2_000_000));

        assertThat(run().summary().bytes()).isLessThanOrEqualTo(SIZE);
    }

    @Test
    void sendsNoContentForACopyOfAFileThatStays() throws Exception {
        write("a", 1);
        run();
        Files.copy(from.resolve("a"), from.resolve("copy"));

        assertThat(run().summary().bytes()).isZero();
    }

    @Test
    void sendsOnlyWhatIsNewOfAnEditedCopy() throws Exception {
        write("a", 1);
        run();
        Files.copy(from.resolve("a"), from.resolve("copy"));
        insert(from.resolve("copy"));

        assertThat(run().summary().bytes()).isBetween(1L, 60_000L);
    }

    @Test
    void sendsContentWhenWhatWasRememberedIsGone() throws Exception {
        write("a", 1);
        run();
        Files.delete(to.resolve("a"));
        Files.move(from.resolve("a"), from.resolve("b"));

        assertThat(run().summary().bytes()).isEqualTo(SIZE);
        Files.copy(from.resolve("b"), from.resolve("c"));
        assertThat(run().summary().bytes()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"sender", "receiver"})
    void goesOnWhenAnIndexWasDeleted(String side) throws Exception {
        write("a", 1);
        run();
        try (Stream<Path> all = Files.walk(folder.resolve(side))) {
            for (Path each : all.sorted(Collections.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
        insert(from.resolve("a"));

        assertThat(run().summary().bytes()).isBetween(1L, 60_000L);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void bringsEveryChangeOfATree(long seed) throws Exception {
        Trees.fill(from, seed, 120);
        run();
        for (int round = 0; round < 4; round++) {
            Trees.change(from, 100 * seed + round);
            run();
        }
    }

    /// Counts what the memory under it could recall.
    private record Counting(ChunkMemory memory, AtomicInteger recalled) implements ChunkMemory {
        @Override
        public Optional<Recipe> recall(EntryStat version, ChunkClass cutAs) {
            Optional<Recipe> found = memory.recall(version, cutAs);
            recalled.addAndGet(found.isPresent() ? 1 : 0);
            return found;
        }

        @Override
        public void remember(TreePath path, EntryStat version, Recipe recipe) {
            memory.remember(path, version, recipe);
        }

        @Override
        public Optional<Place> find(ShortId id, ChunkClass cutAs) {
            return memory.find(id, cutAs);
        }

        @Override
        public void forget(Place place) {
            memory.forget(place);
        }

        @Override
        public boolean knowsAny(ChunkClass cutAs) {
            return memory.knowsAny(cutAs);
        }

        @Override
        public void close() {
            memory.close();
        }
    }
}
