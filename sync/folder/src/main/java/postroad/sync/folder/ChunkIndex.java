package postroad.sync.folder;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import postroad.sync.core.ChunkClass;
import postroad.sync.core.Recipe;
import postroad.sync.core.ShortId;
import postroad.sync.core.TreePath;

/// The memory of a tree's hashed files that outlives the process: an index on LMDB in the state folder.
///
/// Whoever syncs a tree opens it beside the tree and closes it after the session, before or after the tree:
///
/// ```
/// try (Tree tree = Tree.open(path);
///         ChunkMemory memory = ChunkIndex.open(home, tree, notes)) { … }
/// ```
///
/// It never fails: where no index can be had the memory knows nothing and the note says why. The same tree may be
/// opened several times, in this process and in others. `--checksum` needs no other memory: sessions do not trust it
/// then, and refresh it. See `docs/decisions/0612`.
public final class ChunkIndex implements ChunkMemory {
    private static final Map<Path, Users> OPEN = new HashMap<>();

    /// An open index and how many use it.
    private static final class Users {
        final SharedIndex index;
        int count;

        Users(SharedIndex index) {
            this.index = index;
        }
    }

    private final Path path;
    private final SharedIndex index;
    private final AtomicBoolean closed = new AtomicBoolean();

    private ChunkIndex(Path path, SharedIndex index) {
        this.path = path;
        this.index = index;
    }

    /// Opens the index of `tree`, making it when there is none.
    ///
    /// @param stateFolder the home; the index lies in `sync/` there
    /// @param notes takes sentences for people, now or later, from any thread: why it was thrown away, or is
    ///     not used
    public static ChunkMemory open(Path stateFolder, Tree tree, Consumer<String> notes) {
        return open(stateFolder, tree, notes, System::currentTimeMillis);
    }

    /// As [#open(Path, Tree, Consumer)], by another clock.
    ///
    /// @param millis the time in milliseconds since 1970
    public static ChunkMemory open(Path stateFolder, Tree tree, Consumer<String> notes, LongSupplier millis) {
        return open(stateFolder, tree, notes, IndexLimits.DEFAULT, millis);
    }

    static ChunkMemory open(
            Path stateFolder, Tree tree, Consumer<String> notes, IndexLimits limits, LongSupplier millis) {
        try {
            IndexFolder folder = IndexFolder.of(stateFolder, tree);
            synchronized (OPEN) {
                Users users = OPEN.get(folder.path());
                if (users == null) {
                    users = new Users(openShared(folder, notes, limits, millis));
                    OPEN.put(folder.path(), users);
                }
                users.count++;
                return new ChunkIndex(folder.path(), users.index);
            }
        } catch (IOException | UncheckedIOException | IndexException | LinkageError e) {
            notes.accept("no index of hashed chunks can be had in " + stateFolder + ": " + e.getMessage());
            return new NoMemory();
        }
    }

    private static SharedIndex openShared(
            IndexFolder folder, Consumer<String> notes, IndexLimits limits, LongSupplier millis) throws IOException {
        boolean done = false;
        try {
            folder.prepare(limits.checkedBytes())
                    .ifPresent(problem -> notes.accept("the index of hashed chunks in " + folder.path()
                            + " was thrown away, files are hashed anew: " + problem));
            SharedIndex index = SharedIndex.open(folder, limits, millis, notes);
            done = true;
            return index;
        } finally {
            if (!done) {
                folder.close();
            }
        }
    }

    @Override
    public Optional<Recipe> recall(EntryStat version, ChunkClass cutAs) {
        return index.recall(version, cutAs);
    }

    @Override
    public void remember(TreePath file, EntryStat version, Recipe recipe) {
        index.remember(file, version, recipe);
    }

    @Override
    public Optional<Place> find(ShortId id, ChunkClass cutAs) {
        return index.find(id, cutAs);
    }

    @Override
    public void forget(Place place) {
        index.forget(place.version());
    }

    @Override
    public boolean knowsAny(ChunkClass cutAs) {
        return index.knowsAny(cutAs);
    }

    /// Waits until what was remembered is written.
    void flush() throws InterruptedException {
        index.flush();
    }

    /// Ends this use; with the last one in this process what was remembered is written.
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        synchronized (OPEN) {
            Users users = OPEN.get(path);
            users.count--;
            // One that could not be closed stays: LMDB must not have a file open twice in a process.
            if (users.count == 0 && index.close()) {
                OPEN.remove(path);
            }
        }
    }
}
