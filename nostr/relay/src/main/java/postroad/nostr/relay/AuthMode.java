package postroad.nostr.relay;

/// Whether clients prove their keys (NIP-42).
public enum AuthMode {
    /// No challenge is sent, and private kinds are shown to nobody.
    OFF,
    /// Clients may; private kinds and protected events need it.
    OPTIONAL,
    /// Clients must before anything else.
    REQUIRED
}
