package postroad.sync.peer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import postroad.wire.ForwardingLink;
import postroad.wire.Link;

/// A link on which something happens once so many bytes were written to it.
final class TrippedLink extends ForwardingLink {
    private final AtomicLong left;
    private final Runnable trip;

    /// @param trip called before the write that passes `after` bytes
    TrippedLink(Link link, long after, Runnable trip) {
        super(link);
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
        super.write(from);
    }
}
