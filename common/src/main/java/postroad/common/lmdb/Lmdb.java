package postroad.common.lmdb;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.ByteOrder;
import java.util.List;
import postroad.common.NativeLibrary;

/// LMDB's C functions as far as they are used, with addresses as plain numbers.
///
/// Nothing here checks whether an address is still valid: whoever owns the handles sees to that. Only
/// short calls that read are bound as critical, because a critical call holds up the garbage collector
/// as long as it lasts.
public final class Lmdb {
    /// All of the process's memory, read and written by address: an event is read where it lies in the mapped file.
    public static final MemorySegment MEMORY = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    /// Big-endian numbers at any address, as they lie in keys and values.
    public static final ValueLayout.OfLong BE_LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    // Flags of an environment.
    public static final int NOSYNC = 0x1_0000;
    public static final int RDONLY = 0x2_0000;
    public static final int NOMETASYNC = 0x4_0000;
    public static final int NOTLS = 0x20_0000;
    public static final int NOLOCK = 0x40_0000;

    // Flags of a sub-database, of a put, of a copy.
    public static final int CREATE = 0x4_0000;
    public static final int RESERVE = 0x1_0000;
    public static final int APPEND = 0x2_0000;
    public static final int COMPACT = 1;

    // Moves of a cursor.
    public static final int FIRST = 0;
    public static final int LAST = 6;
    public static final int NEXT = 8;
    public static final int SET_KEY = 16;
    public static final int SET_RANGE = 17;

    // Results. Positive ones are the system's error numbers.
    public static final int SUCCESS = 0;
    public static final int NOTFOUND = -30798;
    public static final int VERSION_MISMATCH = -30794;
    public static final int INVALID = -30793;
    public static final int MAP_FULL = -30792;
    public static final int TXN_FULL = -30788;
    public static final int ENOMEM = 12;
    public static final int EACCES = 13;
    public static final int EFBIG = 27;
    public static final int ENOSPC = 28;
    public static final int EROFS = 30;
    public static final int EDQUOT = System.getProperty("os.name").startsWith("Linux") ? 122 : 69;

    /// An `MDB_val`: length, then address.
    public static final int VAL_BYTES = 16;

    private static final ValueLayout.OfLong NATIVE_LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final MemoryLayout POINTER = JAVA_LONG;

    private static final MethodHandle ENV_CREATE;
    private static final MethodHandle ENV_OPEN;
    private static final MethodHandle ENV_CLOSE;
    private static final MethodHandle ENV_COPY2;
    private static final MethodHandle ENV_INFO;
    private static final MethodHandle ENV_SET_MAPSIZE;
    private static final MethodHandle ENV_SET_MAXREADERS;
    private static final MethodHandle ENV_SET_MAXDBS;
    private static final MethodHandle READER_CHECK;
    private static final MethodHandle TXN_BEGIN;
    private static final MethodHandle TXN_COMMIT;
    private static final MethodHandle TXN_ABORT;
    private static final MethodHandle TXN_RESET;
    private static final MethodHandle TXN_RENEW;
    private static final MethodHandle DBI_OPEN;
    private static final MethodHandle STAT;
    private static final MethodHandle GET;
    private static final MethodHandle PUT;
    private static final MethodHandle DEL;
    private static final MethodHandle CURSOR_OPEN;
    private static final MethodHandle CURSOR_CLOSE;
    private static final MethodHandle CURSOR_RENEW;
    private static final MethodHandle CURSOR_GET;
    private static final MethodHandle CURSOR_PUT;
    private static final MethodHandle STRERROR;

    static {
        NativeLibrary library = NativeLibrary.load(
                "lmdb",
                List.of("/org/lmdbjava/lmdbjava-native-" + NativeLibrary.platform() + ".so"),
                List.of("liblmdb.so.0", "liblmdb.so", "liblmdb.dylib", "/opt/homebrew/lib/liblmdb.dylib"));
        Linker.Option critical = Linker.Option.critical(false);
        ENV_CREATE = library.function("mdb_env_create", returning(POINTER));
        ENV_OPEN = library.function("mdb_env_open", returning(POINTER, POINTER, JAVA_INT, JAVA_INT));
        ENV_CLOSE = library.function("mdb_env_close", FunctionDescriptor.ofVoid(POINTER));
        ENV_COPY2 = library.function("mdb_env_copy2", returning(POINTER, POINTER, JAVA_INT));
        ENV_INFO = library.function("mdb_env_info", returning(POINTER, POINTER));
        ENV_SET_MAPSIZE = library.function("mdb_env_set_mapsize", returning(POINTER, JAVA_LONG));
        ENV_SET_MAXREADERS = library.function("mdb_env_set_maxreaders", returning(POINTER, JAVA_INT));
        ENV_SET_MAXDBS = library.function("mdb_env_set_maxdbs", returning(POINTER, JAVA_INT));
        READER_CHECK = library.function("mdb_reader_check", returning(POINTER, POINTER));
        TXN_BEGIN = library.function("mdb_txn_begin", returning(POINTER, POINTER, JAVA_INT, POINTER));
        TXN_COMMIT = library.function("mdb_txn_commit", returning(POINTER));
        TXN_ABORT = library.function("mdb_txn_abort", FunctionDescriptor.ofVoid(POINTER));
        TXN_RESET = library.function("mdb_txn_reset", FunctionDescriptor.ofVoid(POINTER), critical);
        TXN_RENEW = library.function("mdb_txn_renew", returning(POINTER), critical);
        DBI_OPEN = library.function("mdb_dbi_open", returning(POINTER, POINTER, JAVA_INT, POINTER));
        STAT = library.function("mdb_stat", returning(POINTER, JAVA_INT, POINTER));
        GET = library.function("mdb_get", returning(POINTER, JAVA_INT, POINTER, POINTER), critical);
        PUT = library.function("mdb_put", returning(POINTER, JAVA_INT, POINTER, POINTER, JAVA_INT));
        DEL = library.function("mdb_del", returning(POINTER, JAVA_INT, POINTER, POINTER));
        CURSOR_OPEN = library.function("mdb_cursor_open", returning(POINTER, JAVA_INT, POINTER));
        CURSOR_CLOSE = library.function("mdb_cursor_close", FunctionDescriptor.ofVoid(POINTER));
        CURSOR_RENEW = library.function("mdb_cursor_renew", returning(POINTER, POINTER), critical);
        CURSOR_GET = library.function("mdb_cursor_get", returning(POINTER, POINTER, POINTER, JAVA_INT), critical);
        CURSOR_PUT = library.function("mdb_cursor_put", returning(POINTER, POINTER, POINTER, JAVA_INT));
        STRERROR = library.function("mdb_strerror", FunctionDescriptor.of(POINTER, JAVA_INT));
    }

    private Lmdb() {}

    public static int envCreate(long out) {
        try {
            return (int) ENV_CREATE.invokeExact(out);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    public static int envOpen(long env, String path, int flags, int mode) {
        try (Arena arena = Arena.ofConfined()) {
            return (int) ENV_OPEN.invokeExact(env, arena.allocateFrom(path).address(), flags, mode);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    public static void envClose(long env) {
        try {
            ENV_CLOSE.invokeExact(env);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    public static int envCopy(long env, String path, int flags) {
        try (Arena arena = Arena.ofConfined()) {
            return (int) ENV_COPY2.invokeExact(env, arena.allocateFrom(path).address(), flags);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /// Fills an `MDB_envinfo` of [#ENV_INFO_BYTES].
    public static int envInfo(long env, long out) {
        try {
            return (int) ENV_INFO.invokeExact(env, out);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    public static int envSetMapSize(long env, long bytes) {
        try {
            return (int) ENV_SET_MAPSIZE.invokeExact(env, bytes);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    public static int envSetMaxReaders(long env, int readers) {
        try {
            return (int) ENV_SET_MAXREADERS.invokeExact(env, readers);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    public static int envSetMaxDbs(long env, int dbs) {
        try {
            return (int) ENV_SET_MAXDBS.invokeExact(env, dbs);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    public static int readerCheck(long env, long out) {
        try {
            return (int) READER_CHECK.invokeExact(env, out);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    public static int txnBegin(long env, int flags, long out) {
        try {
            return (int) TXN_BEGIN.invokeExact(env, 0L, flags, out);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    public static int txnCommit(long txn) {
        try {
            return (int) TXN_COMMIT.invokeExact(txn);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    public static void txnAbort(long txn) {
        try {
            TXN_ABORT.invokeExact(txn);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    public static void txnReset(long txn) {
        try {
            TXN_RESET.invokeExact(txn);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    public static int txnRenew(long txn) {
        try {
            return (int) TXN_RENEW.invokeExact(txn);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    public static int dbiOpen(long txn, String name, int flags, long out) {
        try (Arena arena = Arena.ofConfined()) {
            long text = name.isEmpty() ? 0 : arena.allocateFrom(name).address();
            return (int) DBI_OPEN.invokeExact(txn, text, flags, out);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /// Fills an `MDB_stat` of [#STAT_BYTES].
    public static int stat(long txn, int dbi, long out) {
        try {
            return (int) STAT.invokeExact(txn, dbi, out);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    public static int get(long txn, int dbi, long key, long data) {
        try {
            return (int) GET.invokeExact(txn, dbi, key, data);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    public static int put(long txn, int dbi, long key, long data, int flags) {
        try {
            return (int) PUT.invokeExact(txn, dbi, key, data, flags);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    public static int del(long txn, int dbi, long key) {
        try {
            return (int) DEL.invokeExact(txn, dbi, key, 0L);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    public static int cursorOpen(long txn, int dbi, long out) {
        try {
            return (int) CURSOR_OPEN.invokeExact(txn, dbi, out);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    public static void cursorClose(long cursor) {
        try {
            CURSOR_CLOSE.invokeExact(cursor);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    public static int cursorRenew(long txn, long cursor) {
        try {
            return (int) CURSOR_RENEW.invokeExact(txn, cursor);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    public static int cursorGet(long cursor, long key, long data, int move) {
        try {
            return (int) CURSOR_GET.invokeExact(cursor, key, data, move);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    public static int cursorPut(long cursor, long key, long data, int flags) {
        try {
            return (int) CURSOR_PUT.invokeExact(cursor, key, data, flags);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /// LMDB's or the system's text for a result.
    public static String text(int result) {
        try {
            long text = (long) STRERROR.invokeExact(result);
            return MEMORY.getString(text);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /// Whether a result means that there is no room, on the disk or in the map, which passes when there is.
    public static boolean isFull(int result) {
        return result == ENOSPC || result == EDQUOT || result == EFBIG || result == MAP_FULL || result == TXN_FULL;
    }

    // An MDB_val.

    public static void setVal(long val, long length, long address) {
        MEMORY.set(NATIVE_LONG, val, length);
        MEMORY.set(NATIVE_LONG, val + 8, address);
    }

    public static long valLength(long val) {
        return MEMORY.get(NATIVE_LONG, val);
    }

    public static long valAddress(long val) {
        return MEMORY.get(NATIVE_LONG, val + 8);
    }

    /// A pointer, or a number of that size, that the library wrote.
    public static long pointerAt(long address) {
        return MEMORY.get(NATIVE_LONG, address);
    }

    public static int intAt(long address) {
        return MEMORY.get(ValueLayout.JAVA_INT_UNALIGNED, address);
    }

    // An MDB_stat: two ints (page size, depth), then branch, leaf and overflow pages, and entries.

    public static final int STAT_BYTES = 40;

    public static long statPageSize(long stat) {
        return intAt(stat);
    }

    public static long statPages(long stat) {
        return pointerAt(stat + 8) + pointerAt(stat + 16) + pointerAt(stat + 24);
    }

    public static long statEntries(long stat) {
        return pointerAt(stat + 32);
    }

    // An MDB_envinfo: map address, map size, last page, last transaction, then two ints.

    public static final int ENV_INFO_BYTES = 40;

    public static long infoLastPage(long info) {
        return pointerAt(info + 16);
    }

    private static FunctionDescriptor returning(MemoryLayout... arguments) {
        return FunctionDescriptor.of(JAVA_INT, arguments);
    }

    /// No downcall of ours throws; if one does, it is a bug.
    private static IllegalStateException unexpected(Throwable e) {
        return new IllegalStateException(e);
    }
}
