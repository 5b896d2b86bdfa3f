package postroad.common;

import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/// A reusable SHA-256 digest (FIPS 180-4). Owned by one thread.
public final class Sha256 {
    private final MessageDigest digest = create();

    /// Adds bytes to the message being hashed.
    public Sha256 update(byte[] bytes, int offset, int length) {
        digest.update(bytes, offset, length);
        return this;
    }

    /// Writes the 32-byte digest into `target` beginning at `offset` and begins anew.
    public void finish(byte[] target, int offset) {
        try {
            digest.digest(target, offset, Bytes32.LENGTH);
        } catch (DigestException e) {
            throw new IllegalStateException(e);
        }
    }

    /// The digest of `bytes`.
    public static byte[] of(byte[] bytes) {
        return create().digest(bytes);
    }

    private static MessageDigest create() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
