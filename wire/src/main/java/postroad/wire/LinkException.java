package postroad.wire;

import java.io.IOException;

/// A link that could not be opened or used: the message says which, why, and where it helps what to do.
public final class LinkException extends IOException {
    private static final long serialVersionUID = 1;

    public LinkException(String message) {
        super(message);
    }

    public LinkException(String message, Throwable cause) {
        super(message, cause);
    }
}
