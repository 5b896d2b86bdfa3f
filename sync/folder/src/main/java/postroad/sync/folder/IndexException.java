package postroad.sync.folder;

import postroad.common.lmdb.Lmdb;

/// A result of LMDB's that the index did not expect.
final class IndexException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int result;

    IndexException(int result) {
        super(Lmdb.text(result));
        this.result = result;
    }

    /// Whether there is no room, on the disk or in the map.
    boolean isFull() {
        return Lmdb.isFull(result);
    }

    /// Whether the file may not grow any more, whatever the disk has.
    boolean isMapFull() {
        return result == Lmdb.MAP_FULL;
    }

    static void check(int result) {
        if (result != Lmdb.SUCCESS) {
            throw new IndexException(result);
        }
    }
}
