package postroad.common;

import java.nio.charset.StandardCharsets;

/// Lower-case hex, to and from bytes, without garbage on the hot path.
public final class Hex {
    private static final byte[] DIGITS = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    /// Value of each ASCII byte as a hex digit, −1 where it is none; upper case counts.
    private static final byte[] ANY_CASE = new byte[256];

    /// The same with lower case only, which is what Nostr demands on the wire (NIP-01).
    private static final byte[] LOWER_CASE = new byte[256];

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
        for (int i = 0; i < length; i++) {
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

    /// Decodes `2 × length` lower-case digits of `source` into `target`; false when one is no such digit.
    public static boolean tryDecodeLower(byte[] source, int offset, int length, byte[] target, int at) {
        int bad = 0;
        for (int i = 0; i < length; i++) {
            int high = LOWER_CASE[source[offset + 2 * i] & 0xff];
            int low = LOWER_CASE[source[offset + 2 * i + 1] & 0xff];
            bad |= high | low;
            target[at + i] = (byte) (high << 4 | low);
        }
        return bad >= 0;
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
