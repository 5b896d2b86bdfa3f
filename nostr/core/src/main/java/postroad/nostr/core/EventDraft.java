package postroad.nostr.core;

import java.util.List;
import postroad.common.SecretKey;

/// What an author is about to sign: an event without author, id and signature. See [Signer].
public record EventDraft(long createdAt, int kind, List<Tag> tags, String content) {
    /// Copies the list.
    ///
    /// @throws IllegalArgumentException if the time or the kind is out of range, or a string is no Unicode text
    public EventDraft {
        tags = List.copyOf(tags);
        if (createdAt < 0 || createdAt > EventReader.MAX_TIME) {
            throw new IllegalArgumentException("created_at out of range: " + createdAt);
        }
        if (kind < 0 || kind > 65_535) {
            throw new IllegalArgumentException("kind out of range: " + kind);
        }
        requireText(content);
        tags.forEach(tag -> tag.values().forEach(EventDraft::requireText));
    }

    /// The signed event. Whoever signs many keeps a [Signer].
    ///
    /// @throws IllegalArgumentException if no event can be made of it, with the reason
    public Event sign(SecretKey key) {
        return new Signer(key).sign(this);
    }

    private static void requireText(String text) {
        boolean whole = text.codePoints().noneMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
        if (!whole) {
            throw new IllegalArgumentException("a surrogate stands alone in " + Refusal.quote(text));
        }
    }
}
