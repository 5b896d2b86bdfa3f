package postroad.sync.peer;

import java.util.EnumMap;
import java.util.Map;
import postroad.sync.core.ReceiveWindow;
import postroad.sync.core.Window;

/// What the peer may still send of each window: counts what arrives, and grants more as it is used up. Thread-safe.
final class Inflow {
    private final Map<Window, ReceiveWindow> windows = new EnumMap<>(Window.class);
    private final Outgoing outgoing;

    Inflow(Outgoing outgoing) {
        this.outgoing = outgoing;
        for (Window window : Window.values()) {
            windows.put(window, new ReceiveWindow(window));
        }
    }

    /// A frame of `bytes` came.
    ///
    /// @throws postroad.sync.core.ProtocolException if the peer had not been granted that much
    synchronized void received(Window window, int bytes) {
        windows.get(window).received(bytes);
    }

    /// A frame of `bytes` was dealt with, so its room is free again.
    synchronized void consumed(Window window, int bytes) {
        grant(window, windows.get(window).consumed(bytes));
    }

    /// The peer could send more than it may.
    synchronized void blocked(Window window) {
        grant(window, windows.get(window).blocked());
    }

    private void grant(Window window, long bytes) {
        if (bytes > 0) {
            outgoing.credit(window, bytes);
        }
    }
}
