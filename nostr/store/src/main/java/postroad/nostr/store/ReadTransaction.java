package postroad.nostr.store;

import postroad.common.lmdb.Lmdb;

/// A read transaction that is renewed for each view, with cursors that are renewed when they are used.
///
/// Owned by one thread at a time.
final class ReadTransaction extends Transaction {
    private final long[] cursors = new long[Table.count()];
    private final long[] cursorViews = new long[Table.count()];
    private long view;

    ReadTransaction(Environment environment) {
        super(environment);
    }

    /// Begins a view of what is committed now.
    void begin() {
        if (txn == 0) {
            txn = beginNative(Lmdb.RDONLY);
        } else {
            check(Lmdb.txnRenew(txn));
        }
        view++;
    }

    /// Ends the view, so that its pages can be used again.
    void end() {
        Lmdb.txnReset(txn);
    }

    /// Ends the transaction for good and keeps the table handles that were opened in it.
    void commitHandles() {
        closeCursors();
        long committed = txn;
        txn = 0;
        check(Lmdb.txnCommit(committed));
    }

    @Override
    long cursor(Table table) {
        int index = table.index();
        if (cursorViews[index] == view) {
            return cursors[index];
        }
        if (cursors[index] == 0) {
            cursors[index] = openCursor(table);
        } else {
            check(Lmdb.cursorRenew(txn, cursors[index]));
        }
        cursorViews[index] = view;
        return cursors[index];
    }

    /// Gives the cursors, the transaction and the memory back.
    @Override
    public void close() {
        closeCursors();
        if (txn != 0) {
            Lmdb.txnAbort(txn);
            txn = 0;
        }
        freeMemory();
    }

    private void closeCursors() {
        for (int i = 0; i < cursors.length; i++) {
            if (cursors[i] != 0) {
                Lmdb.cursorClose(cursors[i]);
                cursors[i] = 0;
                cursorViews[i] = 0;
            }
        }
    }
}
