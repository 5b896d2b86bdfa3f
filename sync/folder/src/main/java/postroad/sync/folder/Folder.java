package postroad.sync.folder;

import java.util.Optional;

/// A folder held open, shared by those who use it now and by [Folders], which keeps it for the next.
///
/// Its counter belongs to [Folders] and is guarded by its lock.
final class Folder implements AutoCloseable {
    private final Optional<Folders> folders;
    final int handle;
    int holders;

    Folder(Optional<Folders> folders, int handle, int holders) {
        this.folders = folders;
        this.handle = handle;
        this.holders = holders;
    }

    /// One whose handle is closed elsewhere.
    static Folder borrowed(int handle) {
        return new Folder(Optional.empty(), handle, 1);
    }

    /// Lets go of it.
    @Override
    public void close() {
        folders.ifPresent(owner -> owner.release(this));
    }
}
