package postroad.nostr.store;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import postroad.common.lmdb.Lmdb;
import postroad.nostr.core.PackedEvent;

/// What reading and writing have in common: one LMDB transaction at a time, one cursor per table, and native memory
/// for a key and a value. Owned by one thread.
///
/// A successful `find`, `seek` or `next` leaves the addresses of the key and value it found, valid until the
/// transaction ends or, in a write, changes something.
abstract class Transaction implements AutoCloseable {
    /// LMDB's own table of free pages: each value is a list that begins with its length.
    private static final int FREE_PAGES = 0;

    private final Environment environment;
    private final Arena arena = Arena.ofShared();
    private final long key;
    private final long data;
    private final long keyBytes;
    private final long out;
    private final MemorySegment keySegment;

    long txn;

    Transaction(Environment environment) {
        this.environment = environment;
        this.key = arena.allocate(Lmdb.VAL_BYTES, 8).address();
        this.data = arena.allocate(Lmdb.VAL_BYTES, 8).address();
        this.keySegment = arena.allocate(Keys.MAX, 8);
        this.keyBytes = keySegment.address();
        this.out = arena.allocate(Lmdb.STAT_BYTES, 8).address();
    }

    final Environment environment() {
        return environment;
    }

    final long handle() {
        return txn;
    }

    /// The cursor of a table, ready for this transaction.
    abstract long cursor(Table table);

    final long openCursor(Table table) {
        check(Lmdb.cursorOpen(txn, environment.table(table), out));
        return Lmdb.pointerAt(out);
    }

    final long beginNative(int flags) {
        check(Lmdb.txnBegin(environment.handle(), flags, out));
        return Lmdb.pointerAt(out);
    }

    /// Looks a key up.
    final boolean find(Table table, byte[] bytes) {
        setKey(bytes);
        int result = Lmdb.get(txn, environment.table(table), key, data);
        return found(result);
    }

    /// Looks an event up by its sequence number.
    final boolean findEvent(long sequence) {
        Lmdb.MEMORY.set(Lmdb.BE_LONG, keyBytes, sequence);
        Lmdb.setVal(key, 8, keyBytes);
        return found(Lmdb.cursorGet(cursor(Table.EVENT), key, data, Lmdb.SET_KEY));
    }

    /// Finds the first key at or after `bytes`.
    final boolean seek(Table table, byte[] bytes) {
        setKey(bytes);
        return found(Lmdb.cursorGet(cursor(table), key, data, Lmdb.SET_RANGE));
    }

    /// Finds the first key of an ordered index at or after a prefix, a time and an id.
    final boolean seek(long cursor, byte[] prefix, long createdAt, long w0, long w1, long w2, long w3) {
        MemorySegment.copy(prefix, 0, keySegment, ValueLayout.JAVA_BYTE, 0, prefix.length);
        long at = keyBytes + prefix.length;
        Lmdb.MEMORY.set(Lmdb.BE_LONG, at, ~createdAt);
        Lmdb.MEMORY.set(Lmdb.BE_LONG, at + 8, w0);
        Lmdb.MEMORY.set(Lmdb.BE_LONG, at + 16, w1);
        Lmdb.MEMORY.set(Lmdb.BE_LONG, at + 24, w2);
        Lmdb.MEMORY.set(Lmdb.BE_LONG, at + 32, w3);
        Lmdb.setVal(key, prefix.length + (long) Keys.ORDER, keyBytes);
        return found(Lmdb.cursorGet(cursor, key, data, Lmdb.SET_RANGE));
    }

    /// Finds the key after the one that the table's cursor stands on.
    final boolean next(long cursor) {
        return found(Lmdb.cursorGet(cursor, key, data, Lmdb.NEXT));
    }

    /// Finds a table's first key.
    final boolean first(Table table) {
        return found(Lmdb.cursorGet(cursor(table), key, data, Lmdb.FIRST));
    }

    final long keyAddress() {
        return Lmdb.valAddress(key);
    }

    final int keyLength() {
        return (int) Lmdb.valLength(key);
    }

    final long dataAddress() {
        return Lmdb.valAddress(data);
    }

    final int dataLength() {
        return (int) Lmdb.valLength(data);
    }

    /// The found value as a number.
    final long dataLong() {
        return Lmdb.MEMORY.get(Lmdb.BE_LONG, dataAddress());
    }

    /// How many entries a table holds.
    final long entries(Table table) {
        check(Lmdb.stat(txn, environment.table(table), out));
        return Lmdb.statEntries(out);
    }

    /// Bytes that a table's pages take.
    final long bytes(Table table) {
        check(Lmdb.stat(txn, environment.table(table), out));
        return Lmdb.statPages(out) * Lmdb.statPageSize(out);
    }

    /// Bytes of the pages that are free to be used again.
    final long freeBytes() {
        check(Lmdb.cursorOpen(txn, FREE_PAGES, out));
        long cursor = Lmdb.pointerAt(out);
        try {
            long pages = 0;
            boolean found = found(Lmdb.cursorGet(cursor, key, data, Lmdb.FIRST));
            while (found) {
                pages += Lmdb.pointerAt(dataAddress());
                found = next(cursor);
            }
            return pages * pageBytes();
        } finally {
            Lmdb.cursorClose(cursor);
        }
    }

    /// Size of a page.
    final long pageBytes() {
        check(Lmdb.stat(txn, FREE_PAGES, out));
        return Lmdb.statPageSize(out);
    }

    /// The sequence number of the last committed write.
    final long sequence() {
        return find(Table.META, Keys.SEQUENCE) ? dataLong() : 0;
    }

    /// The time up to which an author has vanished, -1 for not at all.
    final long vanishedUpTo(byte[] goneAuthor) {
        return find(Table.TOMBSTONE, goneAuthor) ? dataLong() : -1;
    }

    /// A copy of the found event's packed form without its JSON: what its keys are made of.
    final MemorySegment copyHead() {
        int length = PackedEvent.jsonOffset(Lmdb.MEMORY, dataAddress());
        return MemorySegment.ofArray(Keys.copy(dataAddress(), length));
    }

    final void setKey(byte[] bytes) {
        setKey(bytes, bytes.length);
    }

    final void setKey(byte[] bytes, int length) {
        MemorySegment.copy(bytes, 0, keySegment, ValueLayout.JAVA_BYTE, 0, length);
        Lmdb.setVal(key, length, keyBytes);
    }

    final long key() {
        return key;
    }

    final long data() {
        return data;
    }

    final void check(int result) {
        Environment.check(result, environment.folder());
    }

    final void freeMemory() {
        arena.close();
    }

    @Override
    public abstract void close();

    private boolean found(int result) {
        if (result == Lmdb.SUCCESS) {
            return true;
        }
        if (result == Lmdb.NOTFOUND) {
            return false;
        }
        throw new LmdbException(result, environment.folder());
    }
}
