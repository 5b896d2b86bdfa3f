package postroad.app;

import postroad.common.Bytes32;

/// The bech32 form of 32 bytes (BIP-173), which NIP-19 uses for keys: `npub1…`, `nsec1…`.
final class Bech32 {
    private static final String DIGITS = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
    private static final int[] GENERATOR = {0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3};
    private static final int CHECK_LENGTH = 6;

    /// Five-bit digits of 32 bytes.
    private static final int DATA_LENGTH = 52;

    private Bech32() {}

    static String encode(String prefix, Bytes32 value) {
        byte[] bytes = value.toArray();
        int[] digits = new int[DATA_LENGTH + CHECK_LENGTH];
        for (int bit = 0; bit < 256; bit++) {
            digits[bit / 5] |= (bytes[bit / 8] >> 7 - bit % 8 & 1) << 4 - bit % 5;
        }
        int check = checksum(prefix, digits) ^ 1;
        for (int i = 0; i < CHECK_LENGTH; i++) {
            digits[DATA_LENGTH + i] = check >> 5 * (CHECK_LENGTH - 1 - i) & 31;
        }
        StringBuilder text = new StringBuilder(prefix).append('1');
        for (int digit : digits) {
            text.append(DIGITS.charAt(digit));
        }
        return text.toString();
    }

    /// @throws IllegalArgumentException if `text` is not `prefix1…` with a right checksum
    static Bytes32 decode(String prefix, String text) {
        if (!text.startsWith(prefix + "1") || text.length() != prefix.length() + 1 + DATA_LENGTH + CHECK_LENGTH) {
            throw new IllegalArgumentException("not " + prefix + "1…");
        }
        int[] digits = new int[DATA_LENGTH + CHECK_LENGTH];
        for (int i = 0; i < digits.length; i++) {
            digits[i] = DIGITS.indexOf(text.charAt(prefix.length() + 1 + i));
            if (digits[i] < 0) {
                throw new IllegalArgumentException("a character that bech32 does not know");
            }
        }
        if (checksum(prefix, digits) != 1 || (digits[DATA_LENGTH - 1] & 15) != 0) {
            throw new IllegalArgumentException("mistyped: the checksum is wrong");
        }
        byte[] bytes = new byte[Bytes32.LENGTH];
        for (int bit = 0; bit < 256; bit++) {
            bytes[bit / 8] |= (byte) ((digits[bit / 5] >> 4 - bit % 5 & 1) << 7 - bit % 8);
        }
        return Bytes32.of(bytes);
    }

    private static int checksum(String prefix, int[] digits) {
        int check = 1;
        for (int i = 0; i < prefix.length(); i++) {
            check = step(check, prefix.charAt(i) >> 5);
        }
        check = step(check, 0);
        for (int i = 0; i < prefix.length(); i++) {
            check = step(check, prefix.charAt(i) & 31);
        }
        for (int digit : digits) {
            check = step(check, digit);
        }
        return check;
    }

    private static int step(int check, int digit) {
        int top = check >>> 25;
        int next = (check & 0x1ffffff) << 5 ^ digit;
        for (int i = 0; i < GENERATOR.length; i++) {
            next ^= (top >> i & 1) == 1 ? GENERATOR[i] : 0;
        }
        return next;
    }
}
