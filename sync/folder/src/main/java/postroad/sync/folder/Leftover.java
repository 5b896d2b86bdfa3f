package postroad.sync.folder;

/// A file that an earlier session staged and never committed: a source of chunks, gone after this session has finished.
public final class Leftover {
    private final Staging staging;
    private final byte[] session;
    private final byte[] name;
    private final EntryStat stat;

    Leftover(Staging staging, byte[] session, byte[] name, EntryStat stat) {
        this.staging = staging;
        this.session = session;
        this.name = name;
        this.stat = stat;
    }

    /// How many bytes it has; some of them may never have been written and read as zeros.
    public long size() {
        return stat.size();
    }

    /// Its modification time in seconds: the one it was to have, once it was whole.
    public long seconds() {
        return stat.seconds();
    }

    /// Opens it to read it.
    public FileHandle open() throws TreeException {
        return staging.openLeftover(this);
    }

    /// Removes it, when all that is of use has been taken.
    public void discard() {
        staging.discardLeftover(this);
    }

    byte[] session() {
        return session;
    }

    byte[] name() {
        return name;
    }
}
