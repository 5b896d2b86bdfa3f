package postroad.nostr.client;

/// A relay's answer to a COUNT (NIP-45).
public sealed interface CountAnswer {
    /// How many events match.
    record Counted(long count, boolean approximate) implements CountAnswer {}

    /// The relay refused (CLOSED): its text, which begins with a machine-readable word.
    record Refused(String text) implements CountAnswer {}
}
