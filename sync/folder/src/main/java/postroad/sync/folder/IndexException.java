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

    /// Whether the system refused, as when the disk is full, which LMDB may tell as `EIO`: what was committed
    /// before is sound. Everything else, a full map too, can only be helped by beginning anew.
    boolean isOfSystem() {
        return result > 0;
    }

    static void check(int result) {
        if (result != Lmdb.SUCCESS) {
            throw new IndexException(result);
        }
    }
}
