package postroad.sync.peer;

import java.util.Optional;
import postroad.wire.Fingerprint;

/// Who may have a session.
public interface Gate {
    /// Lets everybody in: for links that carry no identity, when the user asked for that.
    Gate OPEN = (peer, proof) -> Optional.empty();

    /// Why a peer may not come in.
    ///
    /// @param there in words for the peer
    /// @param here in words for who runs this side
    record Refused(String there, String here) {
        /// The same words on both sides.
        public static Refused of(String why) {
            return new Refused(why, why);
        }
    }

    /// Why this peer may not; empty when it may.
    ///
    /// @param peer its certificate; empty on a link without any
    /// @param proof what it sent to show that it knows a pairing line's secret; empty for nothing
    Optional<Refused> refusal(Optional<Fingerprint> peer, byte[] proof);
}
