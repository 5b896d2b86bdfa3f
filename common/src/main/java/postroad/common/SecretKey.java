package postroad.common;

import java.security.SecureRandom;

/// A secp256k1 secret key: 32 bytes, not zero, below the curve's order. Never printed.
public final class SecretKey {
    private static final Bytes32 ORDER =
            Bytes32.ofHex("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141");

    private final Bytes32 bytes;

    private SecretKey(Bytes32 bytes) {
        this.bytes = bytes;
    }

    /// Takes 32 bytes as a key.
    ///
    /// @throws IllegalArgumentException if the number is zero or not below the curve's order
    public static SecretKey of(Bytes32 bytes) {
        if (!isValid(bytes)) {
            throw new IllegalArgumentException("not a secp256k1 secret key: zero, or not below the curve's order");
        }
        return new SecretKey(bytes);
    }

    /// A fresh key from the system's random source.
    public static SecretKey random() {
        SecureRandom random = new SecureRandom();
        byte[] candidate = new byte[Bytes32.LENGTH];
        do {
            random.nextBytes(candidate);
        } while (!isValid(Bytes32.of(candidate)));
        return of(Bytes32.of(candidate));
    }

    /// The 32 secret bytes.
    public Bytes32 bytes() {
        return bytes;
    }

    @Override
    public String toString() {
        return "SecretKey(hidden)";
    }

    private static boolean isValid(Bytes32 bytes) {
        return !bytes.equals(new Bytes32(0, 0, 0, 0)) && bytes.compareTo(ORDER) < 0;
    }
}
