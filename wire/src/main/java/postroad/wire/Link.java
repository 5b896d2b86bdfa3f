package postroad.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/// One stream of bytes each way between two processes, blocking.
///
/// One thread may read while another one writes; either may be a virtual thread. Buffers may be heap or
/// direct. A link knows no time-outs once it is open: who needs them closes it from outside. Every
/// [IOException] has a message for people that names the peer.
public interface Link extends AutoCloseable {
    /// Waits for at least one byte and takes what is there, as far as `into` has room.
    ///
    /// @return how many bytes came, −1 when the peer finished its side and everything was read
    /// @throws IOException when the stream broke off or the link was closed, also while waiting
    int read(ByteBuffer into) throws IOException;

    /// Hands over all bytes of `from`, waiting while the peer takes none. When it returns they are under
    /// way; nothing is kept back for later.
    ///
    /// @throws IOException when the peer or this side closed the link, also while waiting
    void write(ByteBuffer from) throws IOException;

    /// Says that this side writes nothing more: the peer reads what is under way, then −1. Reading goes
    /// on. Called by the thread that writes; a second call does nothing.
    void finish() throws IOException;

    /// Who is at the other end, for people: `host:port` as dialed, or the address a connection came
    /// from.
    String peer();

    /// The peer's certificate; empty on links that have none.
    Optional<Fingerprint> peerFingerprint();

    LinkFacts facts();

    /// Ends the link at once, from any thread, and wakes those that read or write. What was written may
    /// be lost; who wants it to arrive says [#finish] and reads until −1 first. See [Links#part].
    @Override
    void close();
}
