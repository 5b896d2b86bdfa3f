package postroad.nostr.core;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import postroad.common.Bytes32;
import postroad.common.Hex;

/// An event whose bytes are well-formed and whose id is the hash of its content. Its signature is not checked yet: see
/// [VerifiedEvent].
///
/// Wraps the packed form ([PackedEvent]); the array is never changed after construction.
public final class Event {
    private final byte[] packed;
    private final MemorySegment segment;
    private final EventId id;
    private final PublicKey author;
    private final byte[] signature;

    /// Takes ownership of `packed` and `signature` (64 bytes). Only the parser makes events.
    Event(byte[] packed, byte[] signature) {
        this.packed = packed;
        this.segment = MemorySegment.ofArray(packed);
        this.id = new EventId(Bytes32.of(packed, PackedEvent.ID));
        this.author = new PublicKey(Bytes32.of(packed, PackedEvent.AUTHOR));
        this.signature = signature;
    }

    /// The SHA-256 of the canonical form.
    public EventId id() {
        return id;
    }

    /// Who signed it.
    public PublicKey author() {
        return author;
    }

    /// Seconds since 1970, as the author says.
    public long createdAt() {
        return PackedEvent.createdAt(segment, 0);
    }

    /// 0 to 65,535.
    public int kind() {
        return PackedEvent.kind(segment, 0);
    }

    /// What the kind means for storage.
    public KindClass kindClass() {
        return KindClass.of(kind());
    }

    /// Seconds since 1970 from which the event is gone, 0 for never (NIP-40).
    public long expiration() {
        return PackedEvent.expiration(segment, 0);
    }

    /// Whether only the author may publish it (NIP-70).
    public boolean isProtected() {
        return PackedEvent.isProtected(segment, 0);
    }

    /// The 64 bytes of the signature, not to be changed.
    byte[] signature() {
        return signature;
    }

    /// The packed form from offset 0; read-only by agreement.
    public MemorySegment packed() {
        return segment;
    }

    /// Length of the packed form in bytes.
    public int packedLength() {
        return packed.length;
    }

    /// Where the canonical JSON begins in the packed form.
    public int jsonOffset() {
        return PackedEvent.jsonOffset(segment, 0);
    }

    /// Length of the canonical JSON in bytes.
    public int jsonLength() {
        return packed.length - jsonOffset();
    }

    /// Copies the canonical JSON into `target` beginning at `at`.
    public void copyJson(byte[] target, int at) {
        System.arraycopy(packed, jsonOffset(), target, at, jsonLength());
    }

    /// The canonical JSON.
    public String json() {
        return new String(packed, jsonOffset(), jsonLength(), StandardCharsets.UTF_8);
    }

    /// The value of the first `d` tag, empty where there is none.
    public String d() {
        long end = PackedEvent.tagsEnd(segment, 0);
        for (long tag = PackedEvent.firstTag(0); tag < end; tag = PackedEvent.nextTag(segment, tag)) {
            if (PackedEvent.tagLetter(segment, tag) == 'd') {
                return PackedEvent.tagText(segment, tag);
            }
        }
        return "";
    }

    /// All tags in their order, read from the JSON: for cold paths.
    public List<Tag> tags() {
        JsonCursor in = at("tags");
        List<Tag> tags = new ArrayList<>();
        in.take('[');
        if (in.tryTake(']')) {
            return List.of();
        }
        do {
            List<String> values = new ArrayList<>();
            in.take('[');
            if (!in.tryTake(']')) {
                do {
                    values.add(in.string());
                } while (in.takeMore(']'));
            }
            tags.add(new Tag(values));
        } while (in.takeMore(']'));
        return List.copyOf(tags);
    }

    /// The content, read from the JSON: for cold paths.
    public String content() {
        return at("content").string();
    }

    /// The signature as 128 lower-case hex digits.
    public String signatureHex() {
        return Hex.encode(signature);
    }

    /// A cursor at the value of `key` in the canonical JSON.
    private JsonCursor at(String key) {
        JsonCursor in = new JsonCursor();
        in.reset(packed, jsonOffset(), packed.length);
        in.take('{');
        do {
            String name = in.string();
            in.take(':');
            if (name.equals(key)) {
                return in;
            }
            in.skipValue();
        } while (in.takeMore('}'));
        throw new IllegalStateException("canonical JSON has the key " + key);
    }

    /// The id's bytes.
    public Bytes32 idBytes() {
        return id.bytes();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Event that && id.equals(that.id);
    }

    @Override
    public int hashCode() {
        return id.hashCode();
    }

    @Override
    public String toString() {
        return json();
    }
}
