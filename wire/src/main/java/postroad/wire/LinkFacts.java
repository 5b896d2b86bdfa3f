package postroad.wire;

import java.util.Optional;

/// What a link runs on, for people and for `--json`.
///
/// @param cipher the TLS cipher suite; empty when nothing is encrypted
/// @param congestion the congestion control of its socket; empty where there is no socket or the system
/// does not tell
/// @param congestionChosen whether it was asked for on this socket; otherwise it is the system's
public record LinkFacts(Optional<String> cipher, Optional<String> congestion, boolean congestionChosen) {
    /// A link without a socket or encryption.
    public static final LinkFacts NONE = new LinkFacts(Optional.empty(), Optional.empty(), false);

    public boolean encrypted() {
        return cipher.isPresent();
    }
}
