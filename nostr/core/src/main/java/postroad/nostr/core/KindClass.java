package postroad.nostr.core;

/// How long an event of a kind lives and what it supersedes (NIP-01, "Kinds").
public enum KindClass {
    /// Every event is kept.
    REGULAR,
    /// Only the newest per author and kind is kept.
    REPLACEABLE,
    /// Only the newest per author, kind and `d` tag is kept.
    ADDRESSABLE,
    /// Passed on to whoever listens, never stored.
    EPHEMERAL;

    /// The class of `kind` (0 to 65,535).
    public static KindClass of(int kind) {
        if (kind == 0 || kind == 3 || kind >= 10_000 && kind < 20_000) {
            return REPLACEABLE;
        }
        if (kind >= 20_000 && kind < 30_000) {
            return EPHEMERAL;
        }
        if (kind >= 30_000 && kind < 40_000) {
            return ADDRESSABLE;
        }
        return REGULAR;
    }

    /// Whether a newer version takes the place of an older one.
    public boolean supersedes() {
        return this == REPLACEABLE || this == ADDRESSABLE;
    }
}
