package postroad.sync.core;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import postroad.common.Bytes32;

/// Reads the payload of one frame, strictly: what is too short, too large or written in a longer form
/// than needed is refused with its place.
///
/// | form | bytes |
/// |---|---|
/// | u8, u16, u32, u64 | big-endian |
/// | number | 7 bits a byte, the low ones first, 0x80 set in all but the last; as short as can be; at most 2^63 − 1 |
/// | signed | 2 n for n ≥ 0, −2 n − 1 for n < 0, written as a number that may have 64 bits |
/// | sized | a number, then as many bytes |
/// | text | sized, UTF-8, nothing in it that is not safe to print |
final class WireReader {
    private final String name;
    private final byte[] bytes;
    private final int from;
    private final int to;
    private int at;

    /// For `bytes[from, to)`, the payload of a frame `name`.
    WireReader(String name, byte[] bytes, int from, int to) {
        this(name, bytes, from, from, to);
    }

    private WireReader(String name, byte[] bytes, int from, int at, int to) {
        this.name = name;
        this.bytes = bytes;
        this.from = from;
        this.at = at;
        this.to = to;
    }

    ProtocolException broken(String rule) {
        return new ProtocolException(name + ", byte " + (at - from) + ": " + rule);
    }

    int remaining() {
        return to - at;
    }

    int position() {
        return at;
    }

    /// Makes the exception of a value's constructor one of this place.
    <T> T made(Maker<T> maker) throws ProtocolException {
        try {
            return maker.make();
        } catch (IllegalArgumentException e) {
            ProtocolException broken = broken(e.getMessage());
            broken.initCause(e);
            throw broken;
        }
    }

    private int take(int count) throws ProtocolException {
        if (count > to - at) {
            throw broken("ends too early");
        }
        int start = at;
        at += count;
        return start;
    }

    int u8() throws ProtocolException {
        return Byte.toUnsignedInt(bytes[take(1)]);
    }

    int u16() throws ProtocolException {
        return u8() << 8 | u8();
    }

    int u32() throws ProtocolException {
        return u16() << 16 | u16();
    }

    long u64() throws ProtocolException {
        long value = 0;
        for (int i = 0; i < 8; i++) {
            value = value << 8 | u8();
        }
        return value;
    }

    long number() throws ProtocolException {
        long value = bits();
        if (value < 0) {
            throw broken("a number is larger than 2^63 - 1");
        }
        return value;
    }

    /// A number that is at most `limit`.
    int number(int limit, String what) throws ProtocolException {
        long value = number();
        if (value > limit) {
            throw broken(what + " is " + value + ", more than " + limit);
        }
        return (int) value;
    }

    /// How many items follow, each of at least `leastBytes`, so that nobody makes room for what cannot
    /// be there.
    int count(int leastBytes, int limit) throws ProtocolException {
        int count = number(limit, "a count");
        if (count > remaining() / leastBytes) {
            throw broken(count + " items do not fit into " + remaining() + " bytes");
        }
        return count;
    }

    long signed() throws ProtocolException {
        long value = bits();
        return value >>> 1 ^ -(value & 1);
    }

    private long bits() throws ProtocolException {
        long value = 0;
        for (int shift = 0; ; shift += 7) {
            int each = u8();
            if (shift == 63 && each > 1) {
                throw broken("a number has more than 64 bits");
            }
            value |= (long) (each & 0x7f) << shift;
            if (each < 0x80) {
                if (each == 0 && shift > 0) {
                    throw broken("a number is longer than it need be");
                }
                return value;
            }
        }
    }

    /// Bits of which only those in `known` may be set.
    int flags(int known) throws ProtocolException {
        int flags = u8();
        if ((flags & ~known) != 0) {
            throw broken("unknown flags " + Integer.toHexString(flags));
        }
        return flags;
    }

    boolean truth() throws ProtocolException {
        return flags(1) == 1;
    }

    byte[] sized(int limit, String what) throws ProtocolException {
        int count = number(limit, "the length of " + what);
        int start = take(count);
        return Arrays.copyOfRange(bytes, start, start + count);
    }

    String text(int limit, String what) throws ProtocolException {
        byte[] text = sized(limit, what);
        String decoded;
        try {
            decoded = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(text))
                    .toString();
        } catch (CharacterCodingException e) {
            ProtocolException broken = broken(what + " is not UTF-8");
            broken.initCause(e);
            throw broken;
        }
        if (!Texts.safe(decoded, limit).equals(decoded)) {
            throw broken(what + " has characters that are not safe to print");
        }
        return decoded;
    }

    /// A reader of the sized bytes that come next.
    WireReader slice() throws ProtocolException {
        int count = number(remaining(), "the length of a value");
        int start = take(count);
        return new WireReader(name, bytes, from, start, start + count);
    }

    /// Copies the next `count` bytes.
    void bytes(byte[] target, int offset, int count) throws ProtocolException {
        System.arraycopy(bytes, take(count), target, offset, count);
    }

    Bytes32 hash() throws ProtocolException {
        return Bytes32.of(bytes, take(Bytes32.LENGTH));
    }

    /// Passes over all that is left, and says how much it was.
    int rest() {
        int count = remaining();
        at = to;
        return count;
    }

    /// All that is left.
    byte[] restBytes() {
        int start = at;
        at = to;
        return Arrays.copyOfRange(bytes, start, to);
    }

    void end() throws ProtocolException {
        if (at != to) {
            throw broken((to - at) + " bytes too many");
        }
    }

    /// Makes a value that checks itself.
    interface Maker<T> {
        T make();
    }
}
