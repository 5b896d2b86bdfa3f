package postroad.nostr.core;

/// The machine-readable word before the colon of an OK or CLOSED text (NIP-01, NIP-42).
public enum Prefix {
    DUPLICATE("duplicate"),
    POW("pow"),
    BLOCKED("blocked"),
    RATE_LIMITED("rate-limited"),
    INVALID("invalid"),
    RESTRICTED("restricted"),
    MUTE("mute"),
    ERROR("error"),
    AUTH_REQUIRED("auth-required"),
    UNSUPPORTED("unsupported"),
    REPLACED("replaced"),
    DELETED("deleted");

    private final String word;

    Prefix(String word) {
        this.word = word;
    }

    /// The word on the wire.
    public String word() {
        return word;
    }

    /// `word: text`.
    public String with(String text) {
        return word + ": " + text;
    }
}
