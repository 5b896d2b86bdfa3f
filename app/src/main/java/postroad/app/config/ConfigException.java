package postroad.app.config;

/// A setting that cannot be used: the message says where it was given, what is wrong, and what is right.
public final class ConfigException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final boolean onCommandLine;

    ConfigException(boolean onCommandLine, String message) {
        super(message);
        this.onCommandLine = onCommandLine;
    }

    /// Whether the command line is to blame, not a file or the environment.
    public boolean isOnCommandLine() {
        return onCommandLine;
    }
}
