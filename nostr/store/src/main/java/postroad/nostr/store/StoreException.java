package postroad.nostr.store;

/// A store that cannot be opened, read or written: the message says which, why, and what to do.
public final class StoreException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public StoreException(String message) {
        super(message);
    }

    public StoreException(String message, Throwable cause) {
        super(message, cause);
    }
}
