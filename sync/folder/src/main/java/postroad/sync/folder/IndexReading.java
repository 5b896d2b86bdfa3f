package postroad.sync.folder;

import java.util.Optional;
import postroad.sync.core.Recipe;

/// What reading and writing the index look up alike.
final class IndexReading {
    private IndexReading() {}

    /// The number of the row of a file by [IndexKeys#inode]; 0 when there is none.
    static long number(IndexTransaction transaction, IndexTables tables, byte[] inode) {
        boolean found = transaction.get(tables.inode(), inode) && transaction.foundLength() == 8;
        return found ? IndexKeys.number(transaction.found(0, 8)) : 0;
    }

    /// A row without its chunks; empty when it is not there, or damaged.
    static Optional<IndexRow> head(IndexTransaction transaction, int table, long number) {
        if (!transaction.get(table, IndexKeys.number(number)) || transaction.foundLength() < IndexRow.FIXED) {
            return Optional.empty();
        }
        long length = transaction.foundLength();
        int headLength = IndexRow.headLength(transaction.found(0, IndexRow.FIXED), length);
        return headLength == 0 ? Optional.empty() : IndexRow.head(transaction.found(0, headLength), length);
    }

    /// The chunks of a row; empty when it is damaged.
    static Optional<Recipe> recipe(IndexTransaction transaction, int table, long number, IndexRow row) {
        if (!transaction.get(table, IndexKeys.number(number))) {
            return Optional.empty();
        }
        long from = IndexRow.FIXED + (long) row.path().length();
        return row.recipe(transaction.found(from, transaction.foundLength() - from));
    }
}
