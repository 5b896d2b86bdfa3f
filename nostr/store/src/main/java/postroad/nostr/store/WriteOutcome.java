package postroad.nostr.store;

/// What became of one event of a batch.
public sealed interface WriteOutcome {
    /// Stored and durable.
    record Stored(long sequence) implements WriteOutcome {}

    /// Ephemeral: to be passed on, not kept.
    record Ephemeral(long sequence) implements WriteOutcome {}

    /// The same event is stored already.
    record Duplicate() implements WriteOutcome {}

    /// A newer version of the replaceable or addressable event is stored.
    record Superseded() implements WriteOutcome {}

    /// The author has asked for its deletion (NIP-09).
    record Deleted() implements WriteOutcome {}

    /// The author has asked to vanish (NIP-62).
    record Vanished() implements WriteOutcome {}

    /// Its expiration has passed (NIP-40).
    record Expired() implements WriteOutcome {}

    /// Not stored because of the store, not of the event; `reason` is for the client.
    record Failed(String reason) implements WriteOutcome {}
}
