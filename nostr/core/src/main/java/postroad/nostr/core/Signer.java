package postroad.nostr.core;

import postroad.common.Schnorr;
import postroad.common.SecretKey;

/// Signs events with one key. Owned by one thread.
///
/// The event goes through the same canonical form as one from the wire. Signatures are deterministic: the same draft
/// and key give the same event.
public final class Signer {
    private final Schnorr.KeyPair key;
    private final PublicKey publicKey;
    private final JsonCursor cursor = new JsonCursor();
    private final EventReader reader = new EventReader(EventLimits.HARD);

    /// Signs with `key`.
    public Signer(SecretKey key) {
        this.key = new Schnorr.KeyPair(key);
        this.publicKey = new PublicKey(this.key.publicKey());
    }

    /// Whose signatures these are.
    public PublicKey publicKey() {
        return publicKey;
    }

    /// The signed event.
    ///
    /// @throws IllegalArgumentException if no event can be made of the draft, with the reason
    public Event sign(EventDraft draft) {
        byte[] json = json(draft);
        cursor.reset(json, 0, json.length);
        try {
            return reader.readAndSign(cursor, key);
        } catch (Refusal refusal) {
            throw new IllegalArgumentException(refusal.reason());
        } finally {
            cursor.clear();
        }
    }

    private byte[] json(EventDraft draft) {
        CanonicalText text = new CanonicalText(256 + draft.content().length());
        text.raw("{\"pubkey\":").string(publicKey.hex());
        text.raw(",\"created_at\":").number(draft.createdAt());
        text.raw(",\"kind\":").number(draft.kind());
        text.raw(",\"tags\":[");
        String comma = "";
        for (Tag tag : draft.tags()) {
            text.raw(comma);
            write(tag, text);
            comma = ",";
        }
        return text.raw("],\"content\":").string(draft.content()).raw("}").toBytes();
    }

    private static void write(Tag tag, CanonicalText text) {
        text.raw("[");
        String comma = "";
        for (String value : tag.values()) {
            text.raw(comma).string(value);
            comma = ",";
        }
        text.raw("]");
    }
}
