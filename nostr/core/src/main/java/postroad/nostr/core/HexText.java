package postroad.nostr.core;

import static java.nio.charset.StandardCharsets.US_ASCII;

import postroad.common.Hex;

/// Hex digits as Nostr demands them on the wire: lower case, of one exact length (NIP-01).
final class HexText {
    private HexText() {}

    /// Decodes `text` into all of `target`; `name` says what it is.
    ///
    /// @throws Refusal that says whether length, case or something else is wrong
    static void decode(String name, String text, byte[] target) {
        byte[] digits = text.getBytes(US_ASCII);
        boolean rightLength = digits.length == 2 * target.length && text.length() == digits.length;
        if (rightLength && Hex.tryDecodeLower(digits, 0, target.length, target, 0)) {
            return;
        }
        String wanted = name + " must be " + 2 * target.length + " lower-case hex digits";
        if (!rightLength) {
            throw Refusal.invalid(wanted + ", not " + text.length() + " characters");
        }
        boolean hasUpperCase = text.chars().anyMatch(c -> c >= 'A' && c <= 'F');
        throw Refusal.invalid(hasUpperCase ? wanted + ", upper case is refused" : wanted);
    }
}
