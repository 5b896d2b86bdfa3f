package postroad.sync.peer;

import java.security.SecureRandom;
import postroad.sync.core.SessionId;

/// Draws session ids that nobody can guess.
public final class SessionIds {
    private static final SecureRandom RANDOM = new SecureRandom();

    private SessionIds() {}

    /// A new one.
    public static SessionId draw() {
        return new SessionId(RANDOM.nextLong(), RANDOM.nextLong());
    }
}
