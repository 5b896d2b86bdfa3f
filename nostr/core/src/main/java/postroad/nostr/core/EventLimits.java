package postroad.nostr.core;

/// Bounds on one event: canonical JSON in bytes, number of tags, one tag value in UTF-8 bytes, content in UTF-8 bytes.
public record EventLimits(int maxBytes, int maxTags, int maxTagValueBytes, int maxContentBytes) {
    /// What a store can hold at most, for import and for clients.
    public static final EventLimits HARD = new EventLimits(16 << 20, 200_000, 8 << 20, 16 << 20);

    /// Refuses bounds that are not positive.
    public EventLimits {
        if (maxBytes < 1 || maxTags < 1 || maxTagValueBytes < 1 || maxContentBytes < 1) {
            throw new IllegalArgumentException("limits must be positive");
        }
    }
}
