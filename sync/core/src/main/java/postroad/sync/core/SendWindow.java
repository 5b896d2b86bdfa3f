package postroad.sync.core;

/// How much of what counts against one [Window] may still be sent. Owned by one thread.
public final class SendWindow {
    private final Window window;
    private long left;
    private boolean saidBlocked;

    /// With the credit that a session begins with.
    public SendWindow(Window window) {
        this.window = window;
        left = window.initial();
    }

    /// Bytes that may be sent now.
    public long left() {
        return left;
    }

    /// Takes `bytes` of the credit for a frame, all or nothing.
    public boolean tryTake(long bytes) {
        if (bytes > left) {
            return false;
        }
        left -= bytes;
        return true;
    }

    /// Whether the peer is to be told that [#tryTake] was refused: true once until the next credit.
    public boolean sayBlocked() {
        boolean first = !saidBlocked;
        saidBlocked = true;
        return first;
    }

    /// The peer lets through `bytes` more.
    ///
    /// @throws ProtocolException if that is more than the window may ever hold
    public void grant(long bytes) throws ProtocolException {
        if (bytes < 1 || bytes > window.maximum() - left) {
            throw new ProtocolException("a credit of " + bytes + " bytes for " + window + " goes past the window's "
                    + window.maximum() + " with " + left + " left");
        }
        left += bytes;
        saidBlocked = false;
    }
}
