package postroad.sync.core;

import postroad.common.Bytes32;

/// What the sender read at the end of a file: the metadata and hash of the version that it sent.
///
/// @param size bytes of content
/// @param seconds its modification time, seconds since 1970, may be negative
/// @param nanos the part of a second, 0 to 999,999,999
/// @param mode its permission bits, at most 07777
/// @param root its [RootHash]
public record FileEnd(long size, long seconds, int nanos, int mode, Bytes32 root) {
    /// Checks the ranges.
    public FileEnd {
        if (size < 0) {
            throw new IllegalArgumentException("a file has the size " + size);
        }
        Entry.checkTimeAndMode(nanos, mode);
    }
}
