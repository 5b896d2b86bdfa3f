package postroad.nostr.core;

/// Bounds on one event: canonical JSON in bytes, number of tags, one tag value in UTF-8 bytes, content in UTF-8 bytes.
public record EventLimits(int maxBytes, int maxTags, int maxTagValueBytes, int maxContentBytes) {
    /// What a store can hold at most, for import and for clients.
    public static final EventLimits HARD = new EventLimits(16 << 20, 200_000, 8 << 20, 16 << 20);

    private static final int LONGEST_TAG_VALUE = 0xff_ffff;

    /// Refuses bounds that are not positive, and tag values longer than the packed form can hold.
    public EventLimits {
        if (maxTagValueBytes > LONGEST_TAG_VALUE) {
            throw new IllegalArgumentException("a tag value can have at most " + LONGEST_TAG_VALUE + " bytes");
        }
        if (maxBytes < 1 || maxTags < 1 || maxTagValueBytes < 1 || maxContentBytes < 1) {
            throw new IllegalArgumentException("limits must be positive");
        }
    }
}
