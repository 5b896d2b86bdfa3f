package postroad.sync.core;

/// A peer broke a rule of the protocol: which one, where, and what to tell it before the session ends.
public final class ProtocolException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final StopCode code;

    /// A broken rule in words.
    public ProtocolException(String text) {
        this(StopCode.PROTOCOL, text);
    }

    /// A broken rule in words, told to the peer with `code`.
    public ProtocolException(StopCode code, String text) {
        super(text);
        this.code = code;
    }

    /// What the session's last frame says.
    public StopCode code() {
        return code;
    }
}
