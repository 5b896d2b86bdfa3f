package postroad.nostr.store;

import java.nio.file.Path;
import postroad.common.lmdb.Lmdb;

/// A result of LMDB's that its caller did not expect; [LmdbStore] makes it an outcome or a [StoreException].
final class LmdbException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int result;

    LmdbException(int result, Path folder) {
        super("the store in " + folder + ": " + Lmdb.text(result));
        this.result = result;
    }

    int result() {
        return result;
    }
}
