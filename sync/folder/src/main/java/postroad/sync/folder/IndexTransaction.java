package postroad.sync.folder;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import postroad.common.lmdb.Lmdb;

/// One LMDB transaction at a time on the index, with memory for a key and a value. Owned by one thread at a time.
///
/// A successful `get` or `first` leaves the found value to be copied out, until the transaction ends or changes
/// something.
final class IndexTransaction implements AutoCloseable {
    private static final int KEY_BYTES = 32;

    private final IndexTables tables;
    private final Arena arena = Arena.ofShared();
    private final long key = arena.allocate(Lmdb.VAL_BYTES, 8).address();
    private final long data = arena.allocate(Lmdb.VAL_BYTES, 8).address();
    private final MemorySegment keyBytes = arena.allocate(KEY_BYTES, 8);
    private final long out = arena.allocate(Lmdb.STAT_BYTES, 8).address();
    private long txn;
    private boolean parked;

    IndexTransaction(IndexTables tables) {
        this.tables = tables;
    }

    /// Begins to read what is committed now.
    void beginReading() {
        if (parked) {
            IndexException.check(Lmdb.txnRenew(txn));
            parked = false;
        } else {
            IndexException.check(Lmdb.txnBegin(tables.handle(), Lmdb.RDONLY, out));
            txn = Lmdb.pointerAt(out);
        }
    }

    /// Ends the view; the next one is begun faster.
    void park() {
        Lmdb.txnReset(txn);
        parked = true;
    }

    /// Begins to write, waiting for another process's writing to end.
    void beginWriting() {
        IndexException.check(Lmdb.txnBegin(tables.handle(), 0, out));
        txn = Lmdb.pointerAt(out);
    }

    /// The handle of a table; negative when there is none and it may not be made.
    int table(String name, boolean make) {
        return found(Lmdb.dbiOpen(txn, name, make ? Lmdb.CREATE : 0, out)) ? Lmdb.intAt(out) : -1;
    }

    boolean get(int table, byte[] bytes) {
        setKey(bytes);
        return found(Lmdb.get(txn, table, key, data));
    }

    /// Finds a table's first key ([Lmdb#FIRST]), its last ([Lmdb#LAST]), or the first from `bytes` on
    /// ([Lmdb#SET_RANGE]).
    boolean seek(int table, byte[] bytes, int move) {
        setKey(bytes);
        IndexException.check(Lmdb.cursorOpen(txn, table, out));
        long cursor = Lmdb.pointerAt(out);
        try {
            return found(Lmdb.cursorGet(cursor, key, data, move));
        } finally {
            Lmdb.cursorClose(cursor);
        }
    }

    void put(int table, byte[] bytes, byte[] value) {
        setKey(bytes);
        Lmdb.setVal(data, value.length, 0);
        IndexException.check(Lmdb.put(txn, table, key, data, Lmdb.RESERVE));
        MemorySegment.copy(value, 0, Lmdb.MEMORY, JAVA_BYTE, Lmdb.valAddress(data), value.length);
    }

    /// Deletes a key, if it is there.
    void delete(int table, byte[] bytes) {
        setKey(bytes);
        found(Lmdb.del(txn, table, key));
    }

    /// How many entries a table holds.
    long entries(int table) {
        IndexException.check(Lmdb.stat(txn, table, out));
        return Lmdb.statEntries(out);
    }

    byte[] foundKey() {
        return copy(Lmdb.valAddress(key), Lmdb.valLength(key));
    }

    long foundLength() {
        return Lmdb.valLength(data);
    }

    /// A part of the found value.
    byte[] found(long from, long length) {
        return copy(Lmdb.valAddress(data) + from, length);
    }

    private static byte[] copy(long address, long length) {
        byte[] copy = new byte[Math.toIntExact(length)];
        MemorySegment.copy(Lmdb.MEMORY, JAVA_BYTE, address, copy, 0, copy.length);
        return copy;
    }

    void commit() {
        long committed = txn;
        txn = 0;
        IndexException.check(Lmdb.txnCommit(committed));
    }

    /// Ends the transaction and gives the memory back; what was not committed is undone.
    @Override
    public void close() {
        if (txn != 0) {
            Lmdb.txnAbort(txn);
            txn = 0;
        }
        arena.close();
    }

    private void setKey(byte[] bytes) {
        MemorySegment.copy(bytes, 0, keyBytes, JAVA_BYTE, 0, bytes.length);
        Lmdb.setVal(key, bytes.length, keyBytes.address());
    }

    private boolean found(int result) {
        if (result == Lmdb.NOTFOUND) {
            return false;
        }
        IndexException.check(result);
        return true;
    }
}
