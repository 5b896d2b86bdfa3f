package postroad.sync.folder;

/// What a file system can hold, as a file shows that was made to find out.
///
/// @param timeToleranceNanos how far two times may be apart and be the same there; 0 when they are exact
/// @param accessTime what has to be set with a modification time
/// @param keepsModes whether it holds modes
/// @param caseInsensitive whether it takes upper and lower case for the same
record Traits(long timeToleranceNanos, Posix.AccessTime accessTime, boolean keepsModes, boolean caseInsensitive) {
    /// The granularities that file systems have for times, in nanoseconds.
    private static final long[] TIME_STEPS = {1, 100, 1_000, 1_000_000, 10_000_000, 1_000_000_000, 2_000_000_000};

    /// Tries times and a mode on `file`.
    static Traits of(FileHandle file, boolean caseInsensitive) throws TreeException {
        long coarsest = TIME_STEPS[TIME_STEPS.length - 1];
        long off = timeOff(file, Posix.AccessTime.KEPT);
        boolean tookIt = off < coarsest;
        if (!tookIt) {
            off = timeOff(file, Posix.AccessTime.NOW);
        }
        Posix.AccessTime access = tookIt ? Posix.AccessTime.KEPT : Posix.AccessTime.NOW;
        return new Traits(tolerance(off), access, keepsModes(file), caseInsensitive);
    }

    /// Sets a time that no coarse file system can hold, and sees what becomes of it.
    private static long timeOff(FileHandle file, Posix.AccessTime access) throws TreeException {
        long seconds = 1_234_567_891;
        int nanos = 987_654_321;
        file.setTimes(seconds, nanos, access);
        EntryStat stat = file.stat();
        return Math.abs(Math.addExact((seconds - stat.seconds()) * 1_000_000_000L, nanos - stat.nanos()));
    }

    /// Of a file system that takes no time at all every file's differs, whatever the tolerance.
    private static long tolerance(long off) {
        if (off == 0) {
            return 0;
        }
        for (long step : TIME_STEPS) {
            if (off < step) {
                return step;
            }
        }
        return TIME_STEPS[TIME_STEPS.length - 1];
    }

    /// FAT and its like refuse another mode or forget it at once.
    private static boolean keepsModes(FileHandle file) throws TreeException {
        int wanted = 0640;
        int result = Posix.chmod(file.handle(), wanted);
        return result >= 0 && file.stat().mode() == wanted;
    }
}
