package postroad.wire;

import java.util.Objects;
import java.util.regex.Pattern;
import postroad.common.Bytes32;
import postroad.common.Sha256;

/// Which certificate a peer has: the SHA-256 of its DER form.
///
/// Written as 64 lower-case hex digits: one word to double-click, paste and compare.
public record Fingerprint(Bytes32 digest) implements Comparable<Fingerprint> {
    private static final Pattern SEPARATORS = Pattern.compile("[:\\-\\s]");

    public Fingerprint {
        Objects.requireNonNull(digest);
    }

    static Fingerprint ofCertificate(byte[] der) {
        return new Fingerprint(Bytes32.of(Sha256.of(der)));
    }

    /// Reads 64 hex digits, in either case, perhaps with colons, dashes or blanks between them.
    ///
    /// @throws IllegalArgumentException with a text for people when they are not that
    public static Fingerprint parse(String text) {
        String digits = SEPARATORS.matcher(text.strip()).replaceAll("");
        if (digits.length() != 2 * Bytes32.LENGTH) {
            throw new IllegalArgumentException("a fingerprint has 64 hex digits, this one has " + digits.length()
                    + (digits.length() == 40 ? " (SHA-1?); SHA-256 is wanted" : ""));
        }
        try {
            return new Fingerprint(Bytes32.ofHex(digits));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "a fingerprint has 64 hex digits and nothing else: " + e.getMessage(), e);
        }
    }

    /// 64 lower-case hex digits.
    public String text() {
        return digest.hex();
    }

    @Override
    public int compareTo(Fingerprint other) {
        return digest.compareTo(other.digest);
    }

    @Override
    public String toString() {
        return text();
    }
}
