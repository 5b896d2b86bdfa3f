package postroad.sync.core;

/// What a flow-control window bounds: each direction of a session has one of each, in bytes of whole
/// frames.
public enum Window {
    /// Entries and their end.
    ENTRIES(1),
    /// Wants, missing chunks, outcomes, deletions and failures.
    ANSWERS(2),
    /// Content and recipes.
    CONTENT(3);

    private final int number;

    Window(int number) {
        this.number = number;
    }

    /// Its number on the wire.
    int number() {
        return number;
    }

    /// Bytes that may be sent before the first credit.
    public long initial() {
        return switch (this) {
            case ENTRIES -> 4 << 20;
            case ANSWERS -> 8 << 20;
            case CONTENT -> 16 << 20;
        };
    }

    /// The most it may grow to.
    public long maximum() {
        return switch (this) {
            case ENTRIES -> 4 << 20;
            case ANSWERS -> 8 << 20;
            case CONTENT -> 64 << 20;
        };
    }
}
