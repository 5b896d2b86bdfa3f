package postroad.sync.core;

/// How much of what counts against one [Window] the peer may send: when it gets more credit, and when
/// the window grows. Owned by one thread.
///
/// At every moment: what the peer may still send + what is held here + what was consumed and not yet
/// granted = size.
public final class ReceiveWindow {
    private final Window window;
    private long size;

    /// Received and not yet consumed.
    private long held;

    /// Consumed and not yet granted again.
    private long owed;

    /// Of the size with which a session begins.
    public ReceiveWindow(Window window) {
        this.window = window;
        size = window.initial();
    }

    /// The most that the peer may have on its way or held here.
    public long size() {
        return size;
    }

    /// What was received and not yet consumed.
    public long held() {
        return held;
    }

    /// A frame of `bytes` arrived.
    ///
    /// @throws ProtocolException if the peer had no credit for it
    public void received(long bytes) throws ProtocolException {
        long credit = size - held - owed;
        if (bytes > credit) {
            throw new ProtocolException(
                    "a frame of " + bytes + " bytes for " + window + " with a credit of " + credit + " left");
        }
        held += bytes;
    }

    /// `bytes` of what arrived need no more room.
    ///
    /// @return the credit to give now: all that is owed as soon as that is half of the window, else 0
    public long consumed(long bytes) {
        if (bytes < 0 || bytes > held) {
            throw new IllegalStateException(bytes + " bytes of " + window + " consumed, " + held + " held");
        }
        held -= bytes;
        owed += bytes;
        return owed >= size / 2 ? payOff() : 0;
    }

    /// The peer says that it wants to send more. When we are not behind (less than half of the window
    /// is held here), the way is longer than the window: it doubles, up to its maximum.
    ///
    /// @return the credit to give now, 0 when there is none
    public long blocked() {
        if (held >= size / 2) {
            return 0;
        }
        long grown = Math.min(2 * size, window.maximum());
        owed += grown - size;
        size = grown;
        return payOff();
    }

    private long payOff() {
        long credit = owed;
        owed = 0;
        return credit;
    }
}
