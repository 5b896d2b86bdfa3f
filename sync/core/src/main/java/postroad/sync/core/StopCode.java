package postroad.sync.core;

/// Why a side ends a session before it is finished.
public enum StopCode {
    /// The two sides share no protocol version.
    VERSION(1),
    /// Both are senders, or both are receivers.
    ROLE(2),
    /// The peer is not trusted.
    REFUSED(3),
    /// The secret of a pairing line is wrong, or was used before.
    WRONG_SECRET(4),
    /// Another session is at work on this tree.
    BUSY(5),
    /// The peer broke a rule of the protocol.
    PROTOCOL(6),
    /// The peer was silent for too long.
    TIMEOUT(7),
    /// A person or the system asked this side to end.
    INTERRUPTED(8),
    /// The tree cannot be used: its path, its file system, its space.
    TARGET(9),
    /// A fault of this program.
    INTERNAL(10),
    /// A limit of this side would be passed.
    LIMIT(11),
    /// Anything else; the text says it.
    OTHER(12);

    private final int number;

    StopCode(int number) {
        this.number = number;
    }

    /// Its number on the wire.
    int number() {
        return number;
    }
}
