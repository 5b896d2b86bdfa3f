package postroad.sync.core;

/// Which side of a session a peer is.
public enum Role {
    /// Its tree is brought to the other.
    SENDER,
    /// Its tree is changed.
    RECEIVER
}
