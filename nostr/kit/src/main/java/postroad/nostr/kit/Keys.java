package postroad.nostr.kit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;
import postroad.common.Bytes32;
import postroad.common.SecretKey;
import postroad.common.Sha256;
import postroad.nostr.core.PublicKey;
import postroad.nostr.core.Signer;

/// Seeded keys: the same seed and index give the same key. Owned by one thread.
public final class Keys {
    private final long seed;
    private final List<Signer> signers = new ArrayList<>();

    /// Keys of this seed.
    public Keys(long seed) {
        this.seed = seed;
    }

    /// The secret key at `index`.
    public SecretKey secret(int index) {
        return SecretKey.of(Bytes32.of(Sha256.of(("postroad test key " + seed + " " + index).getBytes(UTF_8))));
    }

    /// Signs with the key at `index`; kept for the next call.
    public Signer signer(int index) {
        while (signers.size() <= index) {
            signers.add(new Signer(secret(signers.size())));
        }
        return signers.get(index);
    }

    /// The public key at `index`.
    public PublicKey publicKey(int index) {
        return signer(index).publicKey();
    }
}
