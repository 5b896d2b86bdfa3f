package postroad.app.transfer;

import java.io.IOException;

/// An import that could not go on; what it had stored by then stays, and a second run takes up the rest.
public final class ImportFailure extends IOException {
    private static final long serialVersionUID = 1;

    private final transient ImportSummary soFar;

    public ImportFailure(String message, ImportSummary soFar) {
        super(message);
        this.soFar = soFar;
    }

    /// What became of the lines before.
    public ImportSummary soFar() {
        return soFar;
    }
}
