package postroad.nostr.client;

import java.io.IOException;

/// A relay that went away, does not answer, or asks for what we cannot give.
public final class RelayException extends IOException {
    private static final long serialVersionUID = 1;

    public RelayException(String message) {
        super(message);
    }

    public RelayException(String message, Throwable cause) {
        super(message, cause);
    }
}
