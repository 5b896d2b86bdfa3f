package postroad.app.control;

import java.io.IOException;

/// A running node that refused a command, failed at it, or went away.
public final class ControlException extends IOException {
    private static final long serialVersionUID = 1;

    public ControlException(String message) {
        super(message);
    }

    public ControlException(String message, Throwable cause) {
        super(message, cause);
    }
}
