package postroad.sync.core;

/// The rules by which the receiver compares what it has with an entry of the sender.
///
/// @param checksum whether equal size and time are not enough
/// @param toleranceNanos how far two times may be apart and still count as equal: what the file system
///     can hold
/// @param delete whether a folder may make way for a file or a link
/// @param modeMask the permission bits that count: without the set-id bits unless they were asked for
public record Comparison(boolean checksum, long toleranceNanos, boolean delete, int modeMask) {
    /// A file below this size comes whole: its recipe would save less than it costs.
    public static final long SMALL_FILE = 128 << 10;

    private static final long NANOS = 1_000_000_000;

    /// Checks the ranges.
    public Comparison {
        if (toleranceNanos < 0 || toleranceNanos > 1000 * NANOS) {
            throw new IllegalArgumentException("a tolerance of " + toleranceNanos + " ns");
        }
        if (modeMask < 0 || modeMask > 07777) {
            throw new IllegalArgumentException("a mask of " + Integer.toOctalString(modeMask));
        }
    }

    /// What `remote` asks for, with `local` at its place.
    ///
    /// @param reuse whether this side has other content that could be a part of it: files that are not
    ///     in the stream, a broken session's leftovers
    public Verdict compare(Local local, Entry remote, boolean reuse) {
        return switch (local) {
            case Local.Absent() -> make(remote, Outcome.CREATED, reuse);
            case Local.Special() ->
                delete
                        ? make(remote, Outcome.REPLACED, reuse)
                        : new Verdict.KindConflict("something that is no file, folder or link is in the way");
            case Local.Present(var entry) -> comparePresent(entry, remote, reuse);
        };
    }

    private static Verdict make(Entry remote, int how, boolean reuse) {
        return switch (remote.kind()) {
            case FOLDER -> new Verdict.Make(how | Outcome.TIME | Outcome.MODE);
            case LINK -> new Verdict.Make(how | Outcome.TIME | Outcome.TARGET);
            case FILE -> {
                int changes = how | Outcome.CONTENT | Outcome.TIME | Outcome.MODE;
                boolean whole = remote.size() < SMALL_FILE || !reuse;
                yield whole ? new Verdict.Whole(changes) : new Verdict.WantRecipe(changes);
            }
        };
    }

    private Verdict comparePresent(Entry local, Entry remote, boolean reuse) {
        if (local.kind() != remote.kind()) {
            return replace(local, remote, reuse);
        }
        int changes = changes(local, remote);
        return switch (remote.kind()) {
            case FOLDER -> metadata(changes);
            case LINK ->
                local.target().equals(remote.target())
                        ? metadata(changes & Outcome.TIME)
                        : new Verdict.Make(Outcome.TARGET | changes & Outcome.TIME);
            case FILE -> compareFiles(local, remote, changes, reuse);
        };
    }

    private Verdict replace(Entry local, Entry remote, boolean reuse) {
        if (local.kind() == Kind.FOLDER && !delete) {
            return new Verdict.KindConflict("a folder is in the way, and nothing may be deleted");
        }
        return make(remote, Outcome.REPLACED, reuse);
    }

    private int changes(Entry local, Entry remote) {
        int mode = ((local.mode() ^ remote.mode()) & modeMask) == 0 ? 0 : Outcome.MODE;
        return isSameTime(local, remote) ? mode : mode | Outcome.TIME;
    }

    private boolean isSameTime(Entry local, Entry remote) {
        long seconds = local.seconds() - remote.seconds();
        boolean overflow = ((local.seconds() ^ remote.seconds()) & (local.seconds() ^ seconds)) < 0;
        if (overflow || Math.abs(seconds) > 2000) {
            return false;
        }
        return Math.abs(seconds * NANOS + local.nanos() - remote.nanos()) <= toleranceNanos;
    }

    private static Verdict metadata(int changes) {
        return changes == 0 ? new Verdict.UpToDate() : new Verdict.Metadata(changes);
    }

    private Verdict compareFiles(Entry local, Entry remote, int changes, boolean reuse) {
        boolean sameSize = local.size() == remote.size();
        boolean sameTime = (changes & Outcome.TIME) == 0;
        if (sameSize && (remote.size() == 0 || sameTime && !checksum)) {
            return metadata(changes);
        }
        if (sameSize) {
            return new Verdict.WantRecipe(changes);
        }
        boolean whole = remote.size() < SMALL_FILE || local.size() == 0 && !reuse;
        return whole ? new Verdict.Whole(Outcome.CONTENT | changes) : new Verdict.WantRecipe(Outcome.CONTENT | changes);
    }
}
