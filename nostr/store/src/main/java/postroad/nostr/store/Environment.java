package postroad.nostr.store;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import postroad.common.lmdb.Lmdb;

/// An open LMDB environment: the mapped file `data.mdb` in a folder, and the handles of its tables.
///
/// Opened and closed by [LmdbStore] and [Backup]; whoever closes it has made sure that nobody reads any more.
final class Environment implements AutoCloseable {
    /// The file that LMDB keeps in a folder.
    static final String DATA_FILE = "data.mdb";

    /// The file beside it with which LMDB keeps readers and writers apart.
    static final String LOCK_FILE = "lock.mdb";

    private static final int MAX_READERS = 1024;
    private static final int FILE_MODE = 0600;
    private static final long SMALLEST_MAP = 1 << 20;

    private final Path folder;
    private final long env;
    private final long mapBytes;
    private final int[] tables = new int[Table.count()];

    private Environment(Path folder, long env, long mapBytes) {
        this.folder = folder;
        this.env = env;
        this.mapBytes = mapBytes;
    }

    /// Opens the environment of a folder; `mapBytes` is halved as long as the system refuses so much address space.
    ///
    /// @throws LmdbException when LMDB or the system refuses
    static Environment open(Path folder, int flags, long mapBytes) {
        long size = Math.max(SMALLEST_MAP, mapBytes + 0xffff & ~0xffffL);
        while (true) {
            long env = create();
            check(Lmdb.envSetMaxDbs(env, Table.count()), folder);
            check(Lmdb.envSetMaxReaders(env, MAX_READERS), folder);
            check(Lmdb.envSetMapSize(env, size), folder);
            int result = Lmdb.envOpen(env, folder.toString(), flags | Lmdb.NOTLS, FILE_MODE);
            if (result == Lmdb.SUCCESS) {
                return new Environment(folder, env, size);
            }
            Lmdb.envClose(env);
            if (result != Lmdb.ENOMEM || size / 2 < Math.max(SMALLEST_MAP, fileBytes(folder))) {
                throw new LmdbException(result, folder);
            }
            size /= 2;
        }
    }

    /// The native handle.
    long handle() {
        return env;
    }

    /// Whose data it is.
    Path folder() {
        return folder;
    }

    /// Address space that the file may grow to.
    long mapBytes() {
        return mapBytes;
    }

    /// The handle of a table, valid after [#openTables].
    int table(Table table) {
        return tables[table.index()];
    }

    /// Opens the handles of all tables; false when the file lacks one and may not be given it.
    boolean openTables(Transaction transaction, boolean create) {
        try (Arena arena = Arena.ofConfined()) {
            long out = arena.allocate(8).address();
            for (int i = 0; i < tables.length; i++) {
                String name = Table.at(i).title();
                int result = Lmdb.dbiOpen(transaction.handle(), name, create ? Lmdb.CREATE : 0, out);
                if (result == Lmdb.NOTFOUND) {
                    return false;
                }
                check(result, folder);
                tables[i] = Lmdb.intAt(out);
            }
            return true;
        }
    }

    /// The last page in use; those after it were never written.
    long lastPage() {
        try (Arena arena = Arena.ofConfined()) {
            long info = arena.allocate(Lmdb.ENV_INFO_BYTES, 8).address();
            check(Lmdb.envInfo(env, info), folder);
            return Lmdb.infoLastPage(info);
        }
    }

    /// Frees the reader slots of processes that are no more.
    void clearStaleReaders() {
        try (Arena arena = Arena.ofConfined()) {
            check(Lmdb.readerCheck(env, arena.allocate(8, 8).address()), folder);
        }
    }

    /// Unmaps the file. Any address into it is invalid from now on.
    @Override
    public void close() {
        Lmdb.envClose(env);
    }

    /// Length of a folder's data file, 0 when there is none.
    static long fileBytes(Path folder) {
        try {
            Path file = folder.resolve(DATA_FILE);
            return Files.exists(file) ? Files.size(file) : 0;
        } catch (IOException e) {
            throw new StoreException("the size of the store in " + folder + " is not readable: " + e.getMessage(), e);
        }
    }

    private static long create() {
        try (Arena arena = Arena.ofConfined()) {
            long out = arena.allocate(8, 8).address();
            int result = Lmdb.envCreate(out);
            if (result != Lmdb.SUCCESS) {
                throw new StoreException("LMDB can't be started: " + Lmdb.text(result));
            }
            return Lmdb.pointerAt(out);
        }
    }

    static void check(int result, Path folder) {
        if (result != Lmdb.SUCCESS) {
            throw new LmdbException(result, folder);
        }
    }
}
