package postroad.sync.core;

/// One version of a file, as its sender sees it from outside: it is the same while none of this changes.
///
/// @param size bytes of content
/// @param seconds its modification time, seconds since 1970, may be negative
/// @param nanos the part of a second, 0 to 999,999,999
/// @param mode its permission bits, at most 07777
public record FileVersion(long size, long seconds, int nanos, int mode) {
    /// Checks the ranges.
    public FileVersion {
        if (size < 0) {
            throw new IllegalArgumentException("a file has the size " + size);
        }
        Entry.checkTimeAndMode(nanos, mode);
    }

    /// The version that an entry announced.
    public static FileVersion of(Entry entry) {
        return new FileVersion(entry.size(), entry.seconds(), entry.nanos(), entry.mode());
    }
}
