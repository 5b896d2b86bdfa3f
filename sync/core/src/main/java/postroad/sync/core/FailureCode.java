package postroad.sync.core;

/// Why one file was not brought over.
public enum FailureCode {
    /// It cannot be read.
    UNREADABLE(1),
    /// It was there when the tree was walked, and no longer.
    VANISHED(2),
    /// It changed while it was read, also the second time.
    CHANGED(3),
    /// The receiver's system cannot hold its name.
    NAME(4),
    /// Something of another kind is in its way.
    KIND(5),
    /// The receiver's disk is full.
    NO_SPACE(6),
    /// The receiver may not write it.
    DENIED(7),
    /// What arrived is not what was sent.
    CONTENT(8),
    /// Anything else; the text says it.
    OTHER(9);

    private final int number;

    FailureCode(int number) {
        this.number = number;
    }

    /// Its number on the wire.
    int number() {
        return number;
    }
}
