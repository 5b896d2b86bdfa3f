package postroad.sync.folder;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import postroad.common.lmdb.Lmdb;
import postroad.sync.core.ChunkClass;
import postroad.sync.core.Recipe;
import postroad.sync.core.ShortId;
import postroad.sync.core.TreePath;

/// One tree's index, open once in this process for all who use it. Thread-safe.
///
/// Nothing that fails here is an error of anyone's: it is told once, and from then on nothing is known.
final class SharedIndex {

    private final IndexFolder folder;
    private final IndexTables tables;
    private final IndexWriter writer;
    private final LongSupplier millis;
    private final Consumer<String> notes;
    private final ConcurrentLinkedDeque<IndexTransaction> idle = new ConcurrentLinkedDeque<>();
    private final ReadWriteLock open = new ReentrantReadWriteLock();
    private final AtomicBoolean told = new AtomicBoolean();
    private final Set<ChunkClass> known = ConcurrentHashMap.newKeySet();
    private volatile boolean blind;

    private SharedIndex(
            IndexFolder folder, IndexTables tables, IndexLimits limits, LongSupplier millis, Consumer<String> notes) {
        this.folder = folder;
        this.tables = tables;
        this.millis = millis;
        this.notes = notes;
        writer = new IndexWriter(tables, limits, this::cannotWrite);
    }

    /// Opens what is in `folder`, which is prepared and is closed with it.
    ///
    /// @throws IndexException if LMDB refuses
    static SharedIndex open(IndexFolder folder, IndexLimits limits, LongSupplier millis, Consumer<String> notes)
            throws IOException {
        IndexTables tables = IndexTables.open(folder.path(), limits.mapBytes());
        tables.clearStaleReaders();
        return new SharedIndex(folder, tables, limits, millis, notes);
    }

    Optional<Recipe> recall(EntryStat version, ChunkClass cutAs) {
        return read(Optional.empty(), view -> {
            long number = IndexReading.number(view, tables, IndexKeys.inode(version));
            return IndexReading.head(view, tables.file(), number)
                    .filter(row -> row.version().isSameVersion(version) && row.cutAs() == cutAs && row.isTrusted())
                    .flatMap(row -> IndexReading.recipe(view, tables.file(), number, row));
        });
    }

    void remember(TreePath path, EntryStat version, Recipe recipe) {
        if (!blind && version.size() >= ChunkMemory.WORTH_REMEMBERING && recipe.size() == version.size()) {
            writer.remember(path, version, recipe, millis.getAsLong());
        }
    }

    void forget(EntryStat version) {
        if (!blind) {
            writer.forget(version);
        }
    }

    Optional<ChunkMemory.Place> find(ShortId id, ChunkClass cutAs) {
        return read(Optional.empty(), view -> {
            if (!view.get(tables.chunk(), IndexKeys.chunk(cutAs, id)) || view.foundLength() != IndexKeys.PLACE) {
                return Optional.empty();
            }
            ByteBuffer place = ByteBuffer.wrap(view.found(0, IndexKeys.PLACE));
            return IndexReading.head(view, tables.file(), place.getLong())
                    .map(row -> new ChunkMemory.Place(row.path(), row.version(), place.getLong(), place.getInt()));
        });
    }

    boolean knowsAny(ChunkClass cutAs) {
        if (known.contains(cutAs)) {
            return true;
        }
        boolean found = read(
                false,
                view -> view.seek(tables.chunk(), IndexKeys.cutAs(cutAs), Lmdb.SET_RANGE)
                        && view.foundKey()[0] == cutAs.number());
        if (found) {
            known.add(cutAs);
        }
        return found;
    }

    private <T> T read(T otherwise, Function<IndexTransaction, T> question) {
        open.readLock().lock();
        try {
            return blind ? otherwise : ask(question);
        } catch (RuntimeException e) {
            cannotRead(e);
            return otherwise;
        } finally {
            open.readLock().unlock();
        }
    }

    private <T> T ask(Function<IndexTransaction, T> question) {
        IndexTransaction idleOne = idle.poll();
        IndexTransaction view = idleOne == null ? new IndexTransaction(tables) : idleOne;
        boolean done = false;
        try {
            view.beginReading();
            T answer = question.apply(view);
            view.park();
            done = true;
            return answer;
        } finally {
            if (done) {
                idle.push(view);
            } else {
                view.close();
            }
        }
    }

    private void cannotRead(RuntimeException e) {
        blind = true;
        folder.markDamaged();
        tell("the index of hashed chunks in " + folder.path() + " cannot be read and is not used: " + e.getMessage());
    }

    private void cannotWrite(RuntimeException e) {
        boolean isSound = e instanceof IndexException problem && problem.isOfSystem();
        if (!isSound) {
            folder.markDamaged();
        }
        tell("hashed chunks are not remembered in " + folder.path() + ": " + e.getMessage());
    }

    private void tell(String note) {
        if (told.compareAndSet(false, true)) {
            notes.accept(note);
        }
    }

    /// Waits until what was remembered is written.
    void flush() throws InterruptedException {
        writer.flush();
    }

    /// Writes the rest and lets go of the tables; of a writer that does not come to an end it keeps them open, since a
    /// leak is better than a write to memory that is gone.
    boolean close() {
        boolean ended = writer.close();
        open.writeLock().lock();
        try {
            blind = true;
            idle.forEach(IndexTransaction::close);
            idle.clear();
            if (ended) {
                tables.close();
                folder.close();
            }
            return ended;
        } finally {
            open.writeLock().unlock();
        }
    }
}
