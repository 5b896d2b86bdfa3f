package postroad.sync.peer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import postroad.wire.Fingerprint;
import postroad.wire.Link;
import postroad.wire.LinkFacts;

/// A link on which something happens once so many bytes were written to it.
final class TrippedLink implements Link {
    private final Link link;
    private final AtomicLong left;
    private final Runnable trip;

    /// @param trip called before the write that passes `after` bytes
    TrippedLink(Link link, long after, Runnable trip) {
        this.link = link;
        this.left = new AtomicLong(after);
        this.trip = trip;
    }

    /// A link that breaks there.
    static Link breaking(Link link, long after) {
        return new TrippedLink(link, after, link::close);
    }

    @Override
    public void write(ByteBuffer from) throws IOException {
        long before = left.getAndAdd(-from.remaining());
        if (before > 0 && before <= from.remaining()) {
            trip.run();
        }
        link.write(from);
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        return link.read(into);
    }

    @Override
    public void finish() throws IOException {
        link.finish();
    }

    @Override
    public String peer() {
        return link.peer();
    }

    @Override
    public Optional<Fingerprint> peerFingerprint() {
        return link.peerFingerprint();
    }

    @Override
    public LinkFacts facts() {
        return link.facts();
    }

    @Override
    public void close() {
        link.close();
    }
}
