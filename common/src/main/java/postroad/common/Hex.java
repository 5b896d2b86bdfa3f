package postroad.common;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/// Lower-case hex, to and from bytes, without garbage on the hot path: eight digits at a time, in the bytes of a long.
public final class Hex {
    private static final byte[] DIGITS = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    /// Value of each ASCII byte as a hex digit, −1 where it is none; upper case counts.
    private static final byte[] ANY_CASE = new byte[256];

    /// The same with lower case only, which is what Nostr demands on the wire (NIP-01).
    private static final byte[] LOWER_CASE = new byte[256];

    private static final VarHandle EIGHT = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN)
            .withInvokeExactBehavior();
    private static final VarHandle FOUR = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN)
            .withInvokeExactBehavior();

    private static final long ONES = 0x0101_0101_0101_0101L;
    private static final long LOW_NIBBLES = ONES * 15;

    static {
        java.util.Arrays.fill(ANY_CASE, (byte) -1);
        java.util.Arrays.fill(LOWER_CASE, (byte) -1);
        for (int value = 0; value < 16; value++) {
            LOWER_CASE[DIGITS[value]] = (byte) value;
            ANY_CASE[DIGITS[value]] = (byte) value;
            ANY_CASE[Character.toUpperCase((char) DIGITS[value])] = (byte) value;
        }
    }

    private Hex() {}

    /// Lower-case hex digits of `bytes`.
    public static String encode(byte[] bytes) {
        byte[] digits = new byte[bytes.length * 2];
        encode(bytes, 0, bytes.length, digits, 0);
        return new String(digits, StandardCharsets.ISO_8859_1);
    }

    /// Writes `length` bytes as 2 × `length` lower-case digits into `target` beginning at `at`.
    public static void encode(byte[] bytes, int offset, int length, byte[] target, int at) {
        int i = 0;
        for (; i + 4 <= length; i += 4) {
            EIGHT.set(target, at + 2 * i, eightDigits((int) FOUR.get(bytes, offset + i)));
        }
        for (; i < length; i++) {
            int value = bytes[offset + i] & 0xff;
            target[at + 2 * i] = DIGITS[value >>> 4];
            target[at + 2 * i + 1] = DIGITS[value & 15];
        }
    }

    /// Bytes of a string of hex digits, upper or lower case.
    ///
    /// @throws IllegalArgumentException on an odd length or a character that is no hex digit
    public static byte[] decode(String hex) {
        if (hex.length() % 2 != 0) {
            throw new IllegalArgumentException("odd number of hex digits: " + hex.length());
        }
        byte[] bytes = new byte[hex.length() / 2];
        for (int i = 0; i < bytes.length; i++) {
            int high = digit(hex, 2 * i);
            int low = digit(hex, 2 * i + 1);
            bytes[i] = (byte) (high << 4 | low);
        }
        return bytes;
    }

    /// Decodes `2 × length` lower-case digits of `source` into `target`; false when one is no such digit, and then
    /// what is in `target` means nothing.
    public static boolean tryDecodeLower(byte[] source, int offset, int length, byte[] target, int at) {
        long bad = 0;
        int i = 0;
        for (; i + 4 <= length; i += 4) {
            long digits = (long) EIGHT.get(source, offset + 2 * i);
            long nibbles = (digits & LOW_NIBBLES) + (digits >>> 6 & ONES) * 9;
            bad |= nibbles & ~LOW_NIBBLES | asDigits(nibbles) ^ digits;
            FOUR.set(target, at + i, packed(nibbles));
        }
        for (; i < length; i++) {
            int high = LOWER_CASE[source[offset + 2 * i] & 0xff];
            int low = LOWER_CASE[source[offset + 2 * i + 1] & 0xff];
            bad |= (high | low) & 0x80;
            target[at + i] = (byte) (high << 4 | low);
        }
        return bad == 0;
    }

    /// Eight digits of a number, the highest first, one in each byte.
    private static long eightDigits(int value) {
        long spread = value & 0xffff_ffffL;
        spread = (spread | spread << 16) & 0x0000_ffff_0000_ffffL;
        spread = (spread | spread << 8) & 0x00ff_00ff_00ff_00ffL;
        return asDigits((spread | spread << 4) & LOW_NIBBLES);
    }

    /// The digit of each byte, which is below 16: 39 lies between the digits and the letters.
    private static long asDigits(long nibbles) {
        return nibbles + ONES * '0' + (nibbles + ONES * 6 >>> 4 & ONES) * 39;
    }

    /// The number whose digits are the bytes.
    private static int packed(long nibbles) {
        long pairs = (nibbles | nibbles >>> 4) & 0x00ff_00ff_00ff_00ffL;
        pairs = (pairs | pairs >>> 8) & 0x0000_ffff_0000_ffffL;
        return (int) (pairs | pairs >>> 16);
    }

    private static int digit(String hex, int at) {
        char c = hex.charAt(at);
        int value = c < 256 ? ANY_CASE[c] : -1;
        if (value < 0) {
            throw new IllegalArgumentException("not a hex digit at " + at + ": " + c);
        }
        return value;
    }
}
