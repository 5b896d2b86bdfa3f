package postroad.nostr.core;

/// Why a reader stopped: the text for the peer, prefix included. Never leaves this package: parsers turn it into
/// results.
///
/// Has no stack trace, so that refusing bad input stays cheap.
final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String reason;

    private Refusal(String reason) {
        super(reason, null, false, false);
        this.reason = reason;
    }

    /// `invalid: text`.
    static Refusal invalid(String text) {
        return new Refusal(Prefix.INVALID.with(text));
    }

    /// `unsupported: text`.
    static Refusal unsupported(String text) {
        return new Refusal(Prefix.UNSUPPORTED.with(text));
    }

    /// The text with its prefix.
    String reason() {
        return reason;
    }

    /// A peer's own words, short enough to repeat to it.
    static String quote(String words) {
        int most = 40;
        return words.length() <= most ? '"' + words + '"' : '"' + words.substring(0, most) + "…\"";
    }
}
