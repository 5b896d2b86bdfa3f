package postroad.nostr.core;

import postroad.common.Bytes32;

/// An author: the x coordinate of a secp256k1 point (BIP-340).
public record PublicKey(Bytes32 bytes) {
    /// Reads 64 hex digits.
    ///
    /// @throws IllegalArgumentException if `hex` is anything else
    public static PublicKey ofHex(String hex) {
        return new PublicKey(Bytes32.ofHex(hex));
    }

    /// 64 lower-case hex digits.
    public String hex() {
        return bytes.hex();
    }

    @Override
    public String toString() {
        return bytes.hex();
    }
}
