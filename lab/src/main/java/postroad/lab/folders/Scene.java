package postroad.lab.folders;

/// What has become of the sender's tree since the receiver had it.
public enum Scene {
    /// The receiver has nothing.
    FRESH,
    /// The same.
    UNCHANGED,
    /// Of every fourth file a twentieth is rewritten in place, and a new file of that size lies
    /// beside it.
    EDITED,
    /// Every fourth file has another name.
    RENAMED;

    /// As a word of the command line.
    public String word() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}
