package postroad.sync.folder;

import java.io.IOException;

/// Something on the disk that did not work: which name, and why, in plain words.
public final class TreeException extends IOException {
    private static final long serialVersionUID = 1;

    private final Reason reason;
    private final String why;

    /// @param shown the name for people
    /// @param why the reason in plain words
    public TreeException(Reason reason, String shown, String why) {
        super(shown + ": " + why);
        this.reason = reason;
        this.why = why;
    }

    static TreeException of(int errno, String shown) {
        return new TreeException(Errno.reason(errno), shown, Errno.words(errno));
    }

    /// Why.
    public Reason reason() {
        return reason;
    }

    /// Why, in words without the name.
    public String why() {
        return why;
    }
}
