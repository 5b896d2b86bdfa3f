package postroad.lab.latency;

import java.util.Locale;

/// What the receiver's tree is to the sender's when a session begins.
public enum TreeState {
    /// Empty.
    FRESH,
    /// The same.
    UNCHANGED,
    /// As it was before every fourth file got a twentieth of its bytes rewritten.
    EDITED,
    /// As it was before every fourth file got another name.
    RENAMED;

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
