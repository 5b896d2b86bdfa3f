package postroad.app;

/// A command that could not be carried out: the message is the whole story, for the person who gave it.
final class Failure extends RuntimeException {
    private static final long serialVersionUID = 1;

    Failure(String message) {
        super(message);
    }

    Failure(String message, Throwable cause) {
        super(message, cause);
    }
}
