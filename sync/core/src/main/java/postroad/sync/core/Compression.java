package postroad.sync.core;

/// Whether blocks of content are compressed.
public enum Compression {
    /// Where a sample says that it pays.
    AUTO,
    /// Every block that becomes smaller.
    ON,
    /// None.
    OFF;

    /// What holds for both sides: a side that wants none gets none, else one that wants it always has
    /// its way.
    public Compression with(Compression other) {
        if (this == OFF || other == OFF) {
            return OFF;
        }
        return this == ON || other == ON ? ON : AUTO;
    }
}
