package postroad.sync.core;

import java.nio.charset.StandardCharsets;
import postroad.common.Bytes32;
import postroad.common.Sha256;

/// The hash that stands for a file's content: SHA-256 over the hashes and lengths of its chunks. Owned
/// by one thread.
///
/// | offset | length | hashed |
/// |---|---|---|
/// | 0 | 16 | the ASCII text `postroad root 01` |
/// | 16 | 36 × n | for each chunk, in file order: length (u32), SHA-256 of its bytes (32) |
/// | 16 + 36 n | 8 | n, the number of chunks |
///
/// The count comes last, so that a file can be hashed while it is read.
public final class RootHash {
    private static final byte[] DOMAIN = "postroad root 01".getBytes(StandardCharsets.US_ASCII);

    private final Sha256 digest = new Sha256().update(DOMAIN, 0, DOMAIN.length);
    private final byte[] scratch = new byte[4 + Bytes32.LENGTH];
    private long count;

    /// Adds the next chunk, whose hash is at `hash[at, at + 32)`.
    public void add(int length, byte[] hash, int at) {
        System.arraycopy(hash, at, scratch, 4, Bytes32.LENGTH);
        add(length);
    }

    /// Adds the next chunk.
    public void add(int length, Bytes32 hash) {
        hash.copyTo(scratch, 4);
        add(length);
    }

    private void add(int length) {
        scratch[0] = (byte) (length >>> 24);
        scratch[1] = (byte) (length >>> 16);
        scratch[2] = (byte) (length >>> 8);
        scratch[3] = (byte) length;
        digest.update(scratch, 0, scratch.length);
        count++;
    }

    /// The hash of what was added; afterwards it begins anew.
    public Bytes32 finish() {
        for (int i = 0; i < 8; i++) {
            scratch[i] = (byte) (count >>> 56 - 8 * i);
        }
        digest.update(scratch, 0, 8);
        digest.finish(scratch, 0);
        Bytes32 root = Bytes32.of(scratch, 0);
        digest.update(DOMAIN, 0, DOMAIN.length);
        count = 0;
        return root;
    }
}
