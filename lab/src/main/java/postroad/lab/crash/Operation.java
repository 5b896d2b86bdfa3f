package postroad.lab.crash;

import java.lang.foreign.MemorySegment;

/// One effect of a recorded process on the files of the recorded folder. Files are numbered by inode.
public sealed interface Operation {
    /// A file or folder was opened; `path` is relative to the recorded folder, which is `.` itself.
    record Open(int file, String path, boolean created, boolean emptied, boolean folder) implements Operation {}

    /// Bytes were written; `synced` when the call returned only after they were safe (`O_DSYNC`).
    record Write(int file, long offset, MemorySegment data, boolean synced) implements Operation {}

    /// A file was cut or grown to `length`.
    record Truncate(int file, long length) implements Operation {}

    /// A sync began.
    record SyncBegin(int file) implements Operation {}

    /// A sync returned: what was written before the operation number `begin` is safe.
    record SyncEnd(int file, int begin) implements Operation {}

    /// A name was moved over another.
    record Rename(String from, String to) implements Operation {}

    /// A name was removed.
    record Remove(String path) implements Operation {}

    /// A folder was made.
    record MakeFolder(String path) implements Operation {}

    /// The process said something: an acknowledgement it has given.
    record Mark(String text) implements Operation {}

    /// A file was mapped for writing, or changed by a call that is not recorded.
    record Unseen(int file) implements Operation {}

    /// A fault was injected.
    record Fault(int file) implements Operation {}
}
