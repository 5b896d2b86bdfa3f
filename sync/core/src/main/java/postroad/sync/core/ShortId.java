package postroad.sync.core;

import postroad.common.Bytes32;

/// The leading 16 bytes of a chunk's SHA-256: enough to find a chunk, never enough to trust it.
public record ShortId(long high, long low) {
    /// Length in bytes.
    public static final int LENGTH = 16;

    /// Of a chunk's whole hash.
    public static ShortId of(Bytes32 full) {
        return new ShortId(full.w0(), full.w1());
    }

    /// 32 lower-case hex digits.
    @Override
    public String toString() {
        return String.format("%016x%016x", high, low);
    }
}
