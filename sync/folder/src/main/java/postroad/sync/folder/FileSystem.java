package postroad.sync.folder;

/// What the system tells of the file system that a handle lies on.
///
/// @param type its magic number
/// @param block the size of a block, the unit in which ranges can be shared
/// @param free bytes that are left for ordinary users
/// @param size bytes of the whole
record FileSystem(long type, long block, long free, long size) {
    private static final long EXT = 0xef53;
    private static final long XFS = 0x5846_5342;
    private static final long BTRFS = 0x9123_683eL;
    private static final long F2FS = 0xf2f5_2010L;
    private static final long BCACHEFS = 0xca45_1a4eL;
    private static final long TMPFS = 0x0102_1994;
    private static final long RAMFS = 0x8584_58f6L;

    /// What makes written files survive a power cut.
    enum Barrier {
        /// One `syncfs` for all.
        ALL_AT_ONCE,
        /// An `fsync` for each: what `syncfs` promises is not known here.
        EACH,
        /// Nothing survives anyway.
        NONE
    }

    Barrier barrier() {
        if (type == TMPFS || type == RAMFS) {
            return Barrier.NONE;
        }
        boolean known = type == EXT || type == XFS || type == BTRFS || type == F2FS || type == BCACHEFS;
        return known ? Barrier.ALL_AT_ONCE : Barrier.EACH;
    }
}
