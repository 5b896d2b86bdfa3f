package postroad.sync.folder;

import java.nio.ByteBuffer;
import postroad.sync.core.ChunkClass;
import postroad.sync.core.ShortId;

/// The keys of the index's tables, and the small values.
final class IndexKeys {
    /// Bytes of a place: number of the file's row, offset, length.
    static final int PLACE = 8 + 8 + 4;

    static final byte[] NONE = {};

    private IndexKeys() {}

    static byte[] number(long number) {
        return ByteBuffer.allocate(8).putLong(number).array();
    }

    static long number(byte[] bytes) {
        return ByteBuffer.wrap(bytes).getLong();
    }

    static byte[] inode(EntryStat version) {
        return ByteBuffer.allocate(16)
                .putLong(version.device())
                .putLong(version.inode())
                .array();
    }

    static byte[] cutAs(ChunkClass cutAs) {
        return new byte[] {(byte) cutAs.number()};
    }

    static byte[] chunk(ChunkClass cutAs, ShortId id) {
        return ByteBuffer.allocate(1 + ShortId.LENGTH)
                .put((byte) cutAs.number())
                .putLong(id.high())
                .putLong(id.low())
                .array();
    }

    static byte[] place(long number, long offset, int length) {
        return ByteBuffer.allocate(PLACE)
                .putLong(number)
                .putLong(offset)
                .putInt(length)
                .array();
    }
}
