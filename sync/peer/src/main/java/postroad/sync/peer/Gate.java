package postroad.sync.peer;

import java.util.Optional;
import postroad.wire.Fingerprint;

/// Who may have a session.
public interface Gate {
    /// Lets everybody in: for links that carry no identity, when the user asked for that.
    Gate OPEN = (peer, proof) -> Optional.empty();

    /// Why this peer may not, in words for the peer; empty when it may.
    ///
    /// @param peer its certificate; empty on a link without any
    /// @param proof what it sent to show that it knows a pairing line's secret; empty for nothing
    Optional<String> refusal(Optional<Fingerprint> peer, byte[] proof);
}
