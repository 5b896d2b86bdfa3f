package postroad.nostr.core;

import postroad.common.Bytes32;

/// An event's id: the SHA-256 of its canonical form (NIP-01).
public record EventId(Bytes32 bytes) {
    /// Reads 64 hex digits.
    ///
    /// @throws IllegalArgumentException if `hex` is anything else
    public static EventId ofHex(String hex) {
        return new EventId(Bytes32.ofHex(hex));
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
