package postroad.sync.folder;

/// Why something on the disk did not work, as far as it makes a difference.
public enum Reason {
    /// It is not there (any more).
    VANISHED,
    /// It is not what it was when it was looked at.
    CHANGED,
    /// Permission denied.
    DENIED,
    /// The disk or the user's share of it is full.
    NO_SPACE,
    /// The name is taken.
    EXISTS,
    /// A folder that should go still holds names.
    NOT_EMPTY,
    /// A folder where a file should be, a link or file where a folder should be.
    KIND,
    /// A name that the file system, or this program, cannot hold.
    NAME,
    /// The file system is read-only.
    READ_ONLY,
    /// Somebody else uses it.
    BUSY,
    /// This system or file system cannot do it.
    UNSUPPORTED,
    /// Anything else; the text says what.
    OTHER
}
