package postroad.nostr.store;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import postroad.common.lmdb.Lmdb;

/// The one write transaction, begun anew for each batch. Owned by the writer.
final class WriteTransaction extends Transaction {
    /// Longest value that goes through our own memory; events are written into LMDB's.
    private static final int VALUE_BYTES = 64;

    private final Arena values = Arena.ofShared();
    private final MemorySegment value = values.allocate(VALUE_BYTES, 8);
    private final long[] cursors = new long[Table.count()];

    WriteTransaction(Environment environment) {
        super(environment);
    }

    /// Begins, waiting for no one: there is one writer.
    void begin() {
        Arrays.fill(cursors, 0);
        txn = beginNative(0);
    }

    @Override
    long cursor(Table table) {
        int index = table.index();
        if (cursors[index] == 0) {
            cursors[index] = openCursor(table);
        }
        return cursors[index];
    }

    void put(Table table, byte[] bytes, byte[] content) {
        setKey(bytes);
        setValue(content);
        check(Lmdb.put(txn, environment().table(table), key(), data(), 0));
    }

    void put(Table table, byte[] bytes, long number) {
        setKey(bytes);
        setValue(number);
        check(Lmdb.put(txn, environment().table(table), key(), data(), 0));
    }

    /// Puts a [Keys#entry] through the table's cursor, which is quick when keys come in order.
    void putInOrder(Table table, byte[] entry) {
        setKey(entry, entry.length - 8);
        setValue(Keys.getLong(entry, entry.length - 8));
        check(Lmdb.cursorPut(cursor(table), key(), data(), 0));
    }

    /// Appends an event at the end of the table.
    void appendEvent(long sequence, MemorySegment packed, int length) {
        setKey(Keys.number(sequence));
        Lmdb.setVal(data(), length, 0);
        check(Lmdb.put(txn, environment().table(Table.EVENT), key(), data(), Lmdb.APPEND | Lmdb.RESERVE));
        MemorySegment.copy(packed, 0, Lmdb.MEMORY, dataAddress(), length);
    }

    /// Deletes a key; false when it is not there.
    boolean delete(Table table, byte[] bytes) {
        setKey(bytes);
        int result = Lmdb.del(txn, environment().table(table), key());
        if (result == Lmdb.NOTFOUND) {
            return false;
        }
        check(result);
        return true;
    }

    /// Makes the changes durable and ends the transaction; when it throws, nothing was changed.
    void commit() {
        long committed = txn;
        txn = 0;
        check(Lmdb.txnCommit(committed));
    }

    /// Ends the transaction, undoing what it did unless it was committed.
    void abort() {
        if (txn != 0) {
            Lmdb.txnAbort(txn);
            txn = 0;
        }
    }

    @Override
    public void close() {
        abort();
        values.close();
        freeMemory();
    }

    private void setValue(long number) {
        value.set(Lmdb.BE_LONG, 0, number);
        Lmdb.setVal(data(), 8, value.address());
    }

    private void setValue(byte[] content) {
        MemorySegment.copy(content, 0, value, ValueLayout.JAVA_BYTE, 0, content.length);
        Lmdb.setVal(data(), content.length, value.address());
    }
}
