package postroad.sync.folder;

/// A folder held open, shared by those who use it now and by [Folders], which keeps it for the next.
///
/// Its counter belongs to [Folders] and is guarded by its lock.
final class Folder implements AutoCloseable {
    private final Folders folders;
    final int handle;
    int holders;

    Folder(Folders folders, int handle, int holders) {
        this.folders = folders;
        this.handle = handle;
        this.holders = holders;
    }

    /// Lets go of it.
    @Override
    public void close() {
        folders.release(this);
    }
}
