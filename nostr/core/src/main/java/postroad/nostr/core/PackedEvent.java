package postroad.nostr.core;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import postroad.common.Bytes32;

/// The packed form of an event, read in place: from the parser's array, or from the store's mapped file.
///
/// All numbers are big-endian and unaligned.
///
/// | offset | length | content |
/// |---|---|---|
/// | 0 | 1 | layout version, 1 |
/// | 1 | 1 | flags: bit 0 protected (NIP-70) |
/// | 2 | 2 | kind |
/// | 4 | 4 | T, length of the tag table |
/// | 8 | 8 | `created_at`, seconds |
/// | 16 | 8 | expiration in seconds (NIP-40), 0 for none |
/// | 24 | 32 | id |
/// | 56 | 32 | author |
/// | 88 | T | tag table |
/// | 88 + T | rest | the event as canonical JSON |
///
/// The tag table lists every tag whose name is one letter and that has a value, in the event's order; a `d` tag without
/// a value counts as one with the empty value. An entry:
///
/// | offset | length | content |
/// |---|---|---|
/// | 0 | 1 | letter; bit 7 set when the value is 64 lower-case hex digits and stored as 32 bytes |
/// | 1 | 3 | V, length of the stored value |
/// | 4 | V | value: 32 bytes, or UTF-8 text |
///
/// Canonical JSON has its keys in the order id, pubkey, created_at, kind, tags, content, sig, no white space, and
/// strings escaped as in the text that the id is the hash of.
///
/// Every method takes the segment and the offset at which the packed form begins in it.
public final class PackedEvent {
    /// The layout version written.
    public static final int VERSION = 1;

    static final int FLAGS = 1;
    static final int KIND = 2;
    static final int TABLE_LENGTH = 4;
    static final int CREATED_AT = 8;
    static final int EXPIRATION = 16;
    static final int ID = 24;
    static final int AUTHOR = 56;
    static final int TABLE = 88;

    static final int FLAG_PROTECTED = 1;
    static final int RAW = 0x80;

    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private static final VarHandle ARRAY_LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN)
            .withInvokeExactBehavior();
    private static final VarHandle ARRAY_INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN)
            .withInvokeExactBehavior();
    private static final VarHandle ARRAY_SHORT = MethodHandles.byteArrayViewVarHandle(
                    short[].class, ByteOrder.BIG_ENDIAN)
            .withInvokeExactBehavior();

    private PackedEvent() {}

    /// The event's kind, 0 to 65,535.
    public static int kind(MemorySegment base, long at) {
        return base.get(SHORT, at + KIND) & 0xffff;
    }

    /// Seconds since 1970.
    public static long createdAt(MemorySegment base, long at) {
        return base.get(LONG, at + CREATED_AT);
    }

    /// Seconds since 1970 from which the event is gone, 0 for never (NIP-40).
    public static long expiration(MemorySegment base, long at) {
        return base.get(LONG, at + EXPIRATION);
    }

    /// Whether only the author may publish the event (NIP-70).
    public static boolean isProtected(MemorySegment base, long at) {
        return (base.get(ValueLayout.JAVA_BYTE, at + FLAGS) & FLAG_PROTECTED) != 0;
    }

    /// The event's id.
    public static Bytes32 id(MemorySegment base, long at) {
        return bytes32(base, at + ID);
    }

    /// The author's key.
    public static Bytes32 author(MemorySegment base, long at) {
        return bytes32(base, at + AUTHOR);
    }

    /// Where the canonical JSON begins, from the start of the packed form.
    public static int jsonOffset(MemorySegment base, long at) {
        return TABLE + base.get(INT, at + TABLE_LENGTH);
    }

    /// Where the first entry of the tag table lies in `base`.
    public static long firstTag(long at) {
        return at + TABLE;
    }

    /// Where the tag table ends in `base`.
    public static long tagsEnd(MemorySegment base, long at) {
        return at + TABLE + base.get(INT, at + TABLE_LENGTH);
    }

    /// Where the entry after the one at `tag` begins in `base`.
    public static long nextTag(MemorySegment base, long tag) {
        return tag + 4 + tagValueLength(base, tag);
    }

    /// The letter of the entry at `tag`.
    public static char tagLetter(MemorySegment base, long tag) {
        return (char) (base.get(ValueLayout.JAVA_BYTE, tag) & 0x7f);
    }

    /// Whether the entry's value is stored as the 32 bytes that its 64 hex digits stand for.
    public static boolean tagIsRaw(MemorySegment base, long tag) {
        return base.get(ValueLayout.JAVA_BYTE, tag) < 0;
    }

    /// Length of the entry's stored value in bytes.
    public static int tagValueLength(MemorySegment base, long tag) {
        return base.get(INT, tag) & 0xffffff;
    }

    /// Where the entry's stored value lies in `base`.
    public static long tagValue(long tag) {
        return tag + 4;
    }

    /// The value of the entry at `tag` as text: hex digits where it is stored as bytes.
    public static String tagText(MemorySegment base, long tag) {
        if (tagIsRaw(base, tag)) {
            return bytes32(base, tagValue(tag)).hex();
        }
        return new String(copy(base, tagValue(tag), tagValueLength(base, tag)), UTF_8);
    }

    /// Thirty-two bytes of `base` at `at`.
    public static Bytes32 bytes32(MemorySegment base, long at) {
        return new Bytes32(
                base.get(LONG, at), base.get(LONG, at + 8), base.get(LONG, at + 16), base.get(LONG, at + 24));
    }

    /// Writes everything before the tag table, of which `tableLength` is the length.
    static void writeHeader(
            byte[] packed,
            boolean isProtected,
            int kind,
            int tableLength,
            long createdAt,
            long expiration,
            byte[] id,
            byte[] author) {
        packed[0] = VERSION;
        packed[FLAGS] = (byte) (isProtected ? FLAG_PROTECTED : 0);
        ARRAY_SHORT.set(packed, KIND, (short) kind);
        ARRAY_INT.set(packed, TABLE_LENGTH, tableLength);
        ARRAY_LONG.set(packed, CREATED_AT, createdAt);
        ARRAY_LONG.set(packed, EXPIRATION, expiration);
        System.arraycopy(id, 0, packed, ID, Bytes32.LENGTH);
        System.arraycopy(author, 0, packed, AUTHOR, Bytes32.LENGTH);
    }

    /// Where the value belongs of an entry that begins at `at` of a tag table.
    static int tagValueAt(int at) {
        return at + 4;
    }

    /// Writes the entry at `at` of a tag table, its value apart; returns the place after the entry.
    static int writeTag(byte[] table, int at, byte letter, boolean raw, int valueLength) {
        ARRAY_INT.set(table, at, (raw ? letter | RAW : letter) << 24 | valueLength);
        return at + 4 + valueLength;
    }

    private static byte[] copy(MemorySegment base, long at, int length) {
        byte[] bytes = new byte[length];
        MemorySegment.copy(base, ValueLayout.JAVA_BYTE, at, bytes, 0, length);
        return bytes;
    }
}
