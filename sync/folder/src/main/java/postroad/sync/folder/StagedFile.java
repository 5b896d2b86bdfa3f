package postroad.sync.folder;

/// A file that is being written in the staging folder and has no place in the tree yet.
///
/// Its owner writes it, seals it and hands it to a commit, or closes it: then it stays for a later session.
public final class StagedFile implements AutoCloseable {
    /// Files below this size are left to the barrier; starting their write-back one by one costs more than it saves.
    private static final long WORTH_STARTING = 256 * 1024;

    private final Staging staging;
    private final long id;
    private final byte[] name;
    private final FileHandle file;

    StagedFile(Staging staging, long id, byte[] name, FileHandle file) {
        this.staging = staging;
        this.id = id;
        this.name = name;
        this.file = file;
    }

    /// The number that it was made for.
    public long id() {
        return id;
    }

    /// To write it, and to read what was written.
    public FileHandle file() {
        return file;
    }

    /// Gives the complete file its times and then its mode, and closes it unless the barrier needs it open.
    public void seal(long seconds, int nanos, int mode) throws TreeException {
        FileSystem.Barrier barrier = staging.barrier();
        if (barrier != FileSystem.Barrier.NONE && file.stat().size() >= WORTH_STARTING) {
            file.startWriteBack(0, 0);
        }
        file.setTimes(seconds, nanos, staging.accessTime());
        if (staging.keepsModes()) {
            file.setMode(staging.allowed(mode));
        }
        if (barrier != FileSystem.Barrier.EACH) {
            file.close();
        }
    }

    byte[] name() {
        return name;
    }

    /// Closes its handle; the file stays.
    @Override
    public void close() {
        file.close();
    }
}
