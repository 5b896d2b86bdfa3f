package postroad.nostr.core;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.SplittableRandom;
import postroad.common.Bytes32;
import postroad.common.Hex;
import postroad.common.Sha256;

/// A tag's value as it is stored and indexed: 32 bytes when the text is 64 lower-case hex digits, else UTF-8.
///
/// Immutable; the array is never handed out.
public final class TagValue {
    /// Length of [#hash] in bytes.
    public static final int HASH_LENGTH = 16;

    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN)
            .withInvokeExactBehavior();
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /// Differs from start to start, so that nobody can choose values that collide.
    private static final long SEED = new SplittableRandom().nextLong();

    private final boolean raw;
    private final byte[] bytes;

    private TagValue(boolean raw, byte[] bytes) {
        this.raw = raw;
        this.bytes = bytes;
    }

    /// The stored form of `text`.
    public static TagValue of(String text) {
        return ofUtf8(text.getBytes(UTF_8));
    }

    /// The stored form of the 64 hex digits of `value`.
    public static TagValue of(Bytes32 value) {
        return new TagValue(true, value.toArray());
    }

    /// The stored form of UTF-8 `text`; the array is copied.
    public static TagValue ofUtf8(byte[] text) {
        if (text.length == 2 * Bytes32.LENGTH) {
            byte[] decoded = new byte[Bytes32.LENGTH];
            if (Hex.tryDecodeLower(text, 0, Bytes32.LENGTH, decoded, 0)) {
                return new TagValue(true, decoded);
            }
        }
        return new TagValue(false, text.clone());
    }

    /// The value of the packed event's tag entry at `tag`.
    public static TagValue at(MemorySegment base, long tag) {
        byte[] copy = new byte[PackedEvent.tagValueLength(base, tag)];
        MemorySegment.copy(base, ValueLayout.JAVA_BYTE, PackedEvent.tagValue(tag), copy, 0, copy.length);
        return new TagValue(PackedEvent.tagIsRaw(base, tag), copy);
    }

    /// Whether the packed event's tag entry at `tag` has this value.
    public boolean isAt(MemorySegment base, long tag) {
        if (PackedEvent.tagIsRaw(base, tag) != raw || PackedEvent.tagValueLength(base, tag) != bytes.length) {
            return false;
        }
        long value = PackedEvent.tagValue(tag);
        int i = 0;
        for (; i + Long.BYTES <= bytes.length; i += Long.BYTES) {
            if (base.get(LONG, value + i) != (long) WORD.get(bytes, i)) {
                return false;
            }
        }
        for (; i < bytes.length; i++) {
            if (base.get(ValueLayout.JAVA_BYTE, value + i) != bytes[i]) {
                return false;
            }
        }
        return true;
    }

    /// What [#hashCode] is for the value of the packed event's tag entry at `tag`.
    static int hashAt(MemorySegment base, long tag) {
        int length = PackedEvent.tagValueLength(base, tag);
        long value = PackedEvent.tagValue(tag);
        long hash = SEED ^ length;
        int i = 0;
        for (; i + Long.BYTES <= length; i += Long.BYTES) {
            hash = mix(hash, base.get(LONG, value + i));
        }
        for (; i < length; i++) {
            hash = mix(hash, base.get(ValueLayout.JAVA_BYTE, value + i));
        }
        return Long.hashCode(hash);
    }

    private static int hash(byte[] bytes) {
        long hash = SEED ^ bytes.length;
        int i = 0;
        for (; i + Long.BYTES <= bytes.length; i += Long.BYTES) {
            hash = mix(hash, (long) WORD.get(bytes, i));
        }
        for (; i < bytes.length; i++) {
            hash = mix(hash, bytes[i]);
        }
        return Long.hashCode(hash);
    }

    private static long mix(long hash, long word) {
        long product = (hash ^ word) * 0x9E3779B97F4A7C15L;
        return product ^ product >>> 32;
    }

    /// Sixteen bytes that stand for the value in an index key; whoever finds a key must compare the value itself.
    ///
    /// The first half of the 32 bytes, or the first half of the text's SHA-256.
    public byte[] hash() {
        return Arrays.copyOf(raw ? bytes : Sha256.of(bytes), HASH_LENGTH);
    }

    /// Length of the stored value in bytes.
    public int length() {
        return bytes.length;
    }

    /// Whether the value is 32 bytes that stand for 64 hex digits.
    public boolean isRaw() {
        return raw;
    }

    /// The 32 bytes of a raw value.
    ///
    /// @throws IllegalStateException if the value is text
    public Bytes32 bytes32() {
        if (!raw) {
            throw new IllegalStateException("not 64 hex digits");
        }
        return Bytes32.of(bytes, 0);
    }

    /// The value as text.
    public String text() {
        return raw ? Hex.encode(bytes) : new String(bytes, UTF_8);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TagValue that && raw == that.raw && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return hash(bytes);
    }

    @Override
    public String toString() {
        return text();
    }
}
