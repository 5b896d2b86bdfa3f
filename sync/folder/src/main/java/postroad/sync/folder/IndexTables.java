package postroad.sync.folder;

import java.lang.foreign.Arena;
import java.nio.file.Path;
import postroad.common.lmdb.Lmdb;

/// The LMDB environment of one tree's index, and the handles of its three tables.
///
/// - `file`: number, ascending in the order of remembering → [IndexRow]
/// - `inode`: device, inode → number of the file's row
/// - `chunk`: class, short id → number of a file's row, offset, length
///
/// Whoever closes it has made sure that nobody reads or writes any more.
final class IndexTables implements AutoCloseable {
    static final String DATA_FILE = "data.mdb";
    static final String LOCK_FILE = "lock.mdb";

    private static final int MAX_READERS = 126;
    private static final int FILE_MODE = 0600;
    private static final long SMALLEST_MAP = 1 << 20;

    private final long env;
    private int file;
    private int inode;
    private int chunk;

    private IndexTables(long env) {
        this.env = env;
        // Making them is a commit, which waits for the disk: only a new index pays that.
        boolean openAll = openAll(false) || openAll(true);
        if (!openAll) {
            throw new IndexException(Lmdb.INVALID);
        }
    }

    private boolean openAll(boolean make) {
        try (IndexTransaction transaction = new IndexTransaction(this)) {
            if (make) {
                transaction.beginWriting();
            } else {
                transaction.beginReading();
            }
            file = transaction.table("file", make);
            inode = transaction.table("inode", make);
            chunk = transaction.table("chunk", make);
            transaction.commit();
            return file >= 0 && inode >= 0 && chunk >= 0;
        }
    }

    /// Opens the environment of a folder, making the tables it lacks; `mapBytes` is halved as long as the system
    /// refuses so much address space.
    ///
    /// Commits wait for the pages but not for the page that names them: a power cut may undo the last commit and
    /// damages nothing.
    static IndexTables open(Path folder, long mapBytes) {
        long size = mapBytes;
        while (true) {
            long env = create();
            int result = open(env, folder, size);
            if (result == Lmdb.SUCCESS) {
                return made(env);
            }
            Lmdb.envClose(env);
            if (result != Lmdb.ENOMEM || size / 2 < SMALLEST_MAP) {
                throw new IndexException(result);
            }
            size /= 2;
        }
    }

    private static int open(long env, Path folder, long mapBytes) {
        IndexException.check(Lmdb.envSetMaxDbs(env, 3));
        IndexException.check(Lmdb.envSetMaxReaders(env, MAX_READERS));
        IndexException.check(Lmdb.envSetMapSize(env, mapBytes));
        return Lmdb.envOpen(env, folder.toString(), Lmdb.NOTLS | Lmdb.NOMETASYNC, FILE_MODE);
    }

    private static IndexTables made(long env) {
        boolean done = false;
        try {
            IndexTables tables = new IndexTables(env);
            done = true;
            return tables;
        } finally {
            if (!done) {
                Lmdb.envClose(env);
            }
        }
    }

    private static long create() {
        try (Arena arena = Arena.ofConfined()) {
            long out = arena.allocate(8, 8).address();
            IndexException.check(Lmdb.envCreate(out));
            return Lmdb.pointerAt(out);
        }
    }

    long handle() {
        return env;
    }

    int file() {
        return file;
    }

    int inode() {
        return inode;
    }

    int chunk() {
        return chunk;
    }

    /// Frees the reader slots of processes that are no more.
    void clearStaleReaders() {
        try (Arena arena = Arena.ofConfined()) {
            IndexException.check(Lmdb.readerCheck(env, arena.allocate(8, 8).address()));
        }
    }

    /// Unmaps the file. Any address into it is invalid from now on.
    @Override
    public void close() {
        Lmdb.envClose(env);
    }
}
