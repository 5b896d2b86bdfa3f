package postroad.sync.peer;

import postroad.sync.core.StopCode;
import postroad.wire.Link;

/// Turns a peer away before there is a session.
public final class Refusal {
    private Refusal() {}

    /// Tells the peer why there will be no session, and closes the link.
    ///
    /// @param text for people at the other end
    public static void of(Link link, StopCode code, String text) {
        Greeting.stop(link, code, text);
    }
}
