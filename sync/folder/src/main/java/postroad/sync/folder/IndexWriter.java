package postroad.sync.folder;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import postroad.common.lmdb.Lmdb;
import postroad.sync.core.Recipe;
import postroad.sync.core.TreePath;

/// Writes what is to be remembered and forgotten, many in one transaction, on a thread of its own.
///
/// Nobody waits for it: what comes while too much waits is dropped, which costs a file's hashing later.
final class IndexWriter {
    private static final int MOST_WAITING_FILES = 100_000;
    private static final int MOST_WAITING_CHUNKS = 500_000;
    /// A group is written when it has so many chunks, or its first file has waited so long, or at the end.
    private static final int GROUP_CHUNKS = 100_000;

    private static final long GROUP_NANOS = 5_000_000_000L;
    private static final long CLOSE_MILLIS = 10_000;

    /// What there is to do.
    private sealed interface Work {
        record Remember(TreePath path, EntryStat version, Recipe recipe, long hashedAt) implements Work {}

        record Forget(EntryStat version) implements Work {}
    }

    private final IndexTables tables;
    private final IndexLimits limits;
    private final Consumer<RuntimeException> failed;
    private final Thread thread;
    private List<Work> waiting = new ArrayList<>();
    private long waitingChunks;
    private long since;
    private boolean writing;
    private boolean hurried;
    private boolean started;
    private boolean ended;

    /// @param failed is told of the first failure; nothing is written after it
    IndexWriter(IndexTables tables, IndexLimits limits, Consumer<RuntimeException> failed) {
        this.tables = tables;
        this.limits = limits;
        this.failed = failed;
        thread = Thread.ofPlatform().daemon().name("chunk-index").unstarted(this::run);
    }

    void remember(TreePath path, EntryStat version, Recipe recipe, long hashedAt) {
        add(new Work.Remember(path, version, recipe, hashedAt), recipe.count());
    }

    void forget(EntryStat version) {
        add(new Work.Forget(version), 0);
    }

    private synchronized void add(Work work, int chunks) {
        boolean fits = waiting.size() < MOST_WAITING_FILES && waitingChunks + chunks <= MOST_WAITING_CHUNKS;
        if (ended || !fits) {
            return;
        }
        if (waiting.isEmpty()) {
            since = System.nanoTime();
        }
        waiting.add(work);
        waitingChunks += chunks;
        if (!started) {
            started = true;
            thread.start();
        }
        notifyAll();
    }

    /// Waits until all that was added is written.
    synchronized void flush() throws InterruptedException {
        hurried = true;
        notifyAll();
        while (!ended && (writing || !waiting.isEmpty())) {
            wait();
        }
        hurried = false;
    }

    /// Writes the rest and ends; false when that does not come to an end, as when another process that is halted
    /// holds the tables.
    boolean close() {
        synchronized (this) {
            ended = true;
            notifyAll();
        }
        try {
            return !started || thread.join(Duration.ofMillis(CLOSE_MILLIS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void run() {
        try {
            List<Work> group = nextGroup();
            while (!group.isEmpty()) {
                write(group);
                group = nextGroup();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            failed.accept(e);
        } finally {
            synchronized (this) {
                ended = true;
                writing = false;
                waiting.clear();
                notifyAll();
            }
        }
    }

    /// What is written next; empty at the end.
    private synchronized List<Work> nextGroup() throws InterruptedException {
        writing = false;
        notifyAll();
        while (!isDue()) {
            if (waiting.isEmpty()) {
                wait();
            } else {
                wait(Math.max(1, (GROUP_NANOS - (System.nanoTime() - since)) / 1_000_000));
            }
        }
        List<Work> group = waiting;
        waiting = new ArrayList<>();
        waitingChunks = 0;
        writing = !group.isEmpty();
        return group;
    }

    private boolean isDue() {
        boolean full = waitingChunks >= GROUP_CHUNKS || waiting.size() >= MOST_WAITING_FILES;
        boolean old = System.nanoTime() - since >= GROUP_NANOS;
        return ended || !waiting.isEmpty() && (hurried || full || old);
    }

    private void write(List<Work> group) {
        try (IndexTransaction transaction = new IndexTransaction(tables)) {
            transaction.beginWriting();
            long next = lastNumber(transaction) + 1;
            for (Work work : group) {
                switch (work) {
                    case Work.Remember remember -> {
                        if (remember(transaction, remember, next)) {
                            next++;
                        }
                    }
                    case Work.Forget(EntryStat version) -> forget(transaction, version);
                }
            }
            makeRoom(transaction);
            transaction.commit();
        }
    }

    private long lastNumber(IndexTransaction transaction) {
        return transaction.seek(tables.file(), IndexKeys.NONE, Lmdb.LAST)
                ? IndexKeys.number(transaction.foundKey())
                : 0;
    }

    /// Whether it was given the number.
    private boolean remember(IndexTransaction transaction, Work.Remember work, long number) {
        byte[] inode = IndexKeys.inode(work.version());
        long before = IndexReading.number(transaction, tables, inode);
        Optional<IndexRow> known =
                before == 0 ? Optional.empty() : IndexReading.head(transaction, tables.file(), before);
        boolean same = known.isPresent()
                && known.get().version().isSameVersion(work.version())
                && known.get().cutAs() == work.recipe().chunkClass();
        if (same && known.get().isTrusted() && known.get().path().equals(work.path())) {
            return false;
        }
        byte[] row = IndexRow.encode(work.path(), work.version(), work.recipe(), work.hashedAt());
        if (same && known.get().chunks() == work.recipe().count() && known.get().bodySum() == IndexRow.bodySumOf(row)) {
            transaction.put(tables.file(), IndexKeys.number(before), row);
            return false;
        }
        if (before != 0) {
            drop(transaction, before);
        }
        transaction.put(tables.file(), IndexKeys.number(number), row);
        transaction.put(tables.inode(), inode, IndexKeys.number(number));
        putPlaces(transaction, work.recipe(), number);
        return true;
    }

    /// A chunk that several files have is found in the one that was remembered last.
    private void putPlaces(IndexTransaction transaction, Recipe recipe, long number) {
        for (int i = 0; i < recipe.count(); i++) {
            transaction.put(
                    tables.chunk(),
                    IndexKeys.chunk(recipe.chunkClass(), recipe.shortId(i)),
                    IndexKeys.place(number, recipe.offset(i), recipe.length(i)));
        }
    }

    private void forget(IndexTransaction transaction, EntryStat version) {
        long number = IndexReading.number(transaction, tables, IndexKeys.inode(version));
        if (number != 0
                && IndexReading.head(transaction, tables.file(), number)
                        .filter(row -> row.version().isSameVersion(version))
                        .isPresent()) {
            drop(transaction, number);
            transaction.delete(tables.inode(), IndexKeys.inode(version));
        }
    }

    /// Drops a file's row and the places that are in it. A damaged one's places stay: they lead to no row, or to one
    /// whose file does not have the chunk there, which is noticed when it is read.
    private void drop(IndexTransaction transaction, long number) {
        Optional<Recipe> recipe = IndexReading.head(transaction, tables.file(), number)
                .flatMap(row -> IndexReading.recipe(transaction, tables.file(), number, row));
        for (int i = 0; recipe.isPresent() && i < recipe.get().count(); i++) {
            byte[] key = IndexKeys.chunk(recipe.get().chunkClass(), recipe.get().shortId(i));
            if (transaction.get(tables.chunk(), key)
                    && transaction.foundLength() == IndexKeys.PLACE
                    && IndexKeys.number(transaction.found(0, 8)) == number) {
                transaction.delete(tables.chunk(), key);
            }
        }
        transaction.delete(tables.file(), IndexKeys.number(number));
    }

    /// Drops the files that were remembered first, a sixteenth more than needed, so that it is not done every time.
    private void makeRoom(IndexTransaction transaction) {
        if (!isAbove(transaction, limits.files(), limits.chunks())) {
            return;
        }
        long files = limits.files() - limits.files() / 16;
        long chunks = limits.chunks() - limits.chunks() / 16;
        while (isAbove(transaction, files, chunks) && transaction.seek(tables.file(), IndexKeys.NONE, Lmdb.FIRST)) {
            long number = IndexKeys.number(transaction.foundKey());
            Optional<IndexRow> row = IndexReading.head(transaction, tables.file(), number);
            drop(transaction, number);
            row.map(each -> IndexKeys.inode(each.version()))
                    .filter(inode -> IndexReading.number(transaction, tables, inode) == number)
                    .ifPresent(inode -> transaction.delete(tables.inode(), inode));
        }
    }

    private boolean isAbove(IndexTransaction transaction, long files, long chunks) {
        return transaction.entries(tables.file()) > files || transaction.entries(tables.chunk()) > chunks;
    }
}
