package postroad.sync.peer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import postroad.wire.ForwardingLink;
import postroad.wire.Link;

/// A link that counts its bytes and remembers when the last came and went, so that silence is noticed, and a peer that
/// takes nothing.
final class MeteredLink extends ForwardingLink {
    /// Bytes are written in pieces of this size, so that a slow peer is told from one that takes nothing.
    private static final int PIECE = 64 << 10;

    private final LongAdder received;
    private final LongAdder sent;
    private final LongSupplier nanos;
    private volatile long lastReceived;
    private volatile long lastSent;
    private volatile long writeBegan;
    private volatile boolean writes;
    private long lastPing;

    /// @param received counts bytes that came, of all links of the session
    /// @param sent counts bytes that went
    MeteredLink(Link link, LongAdder received, LongAdder sent, LongSupplier nanos) {
        super(link);
        this.received = received;
        this.sent = sent;
        this.nanos = nanos;
        lastReceived = nanos.getAsLong();
        lastSent = lastReceived;
        lastPing = lastReceived;
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        int read = super.read(into);
        if (read > 0) {
            lastReceived = nanos.getAsLong();
            received.add(read);
        }
        return read;
    }

    @Override
    public void write(ByteBuffer from) throws IOException {
        int end = from.limit();
        while (from.position() < end) {
            writePiece(from.limit(Math.min(end, from.position() + PIECE)));
        }
    }

    private void writePiece(ByteBuffer piece) throws IOException {
        int length = piece.remaining();
        writeBegan = nanos.getAsLong();
        writes = true;
        try {
            super.write(piece);
        } finally {
            writes = false;
        }
        lastSent = nanos.getAsLong();
        sent.add(length);
    }

    /// For how long the peer has taken nothing of what is being written, in nanoseconds; 0 when nothing is.
    long stuckFor(long now) {
        return writes ? Math.max(0, now - writeBegan) : 0;
    }

    /// Whether something has come since then.
    boolean hasHeardSince(long moment) {
        return lastReceived - moment > 0;
    }

    /// For how long nothing has come, in nanoseconds.
    long silentFor(long now) {
        return now - lastReceived;
    }

    /// Whether nothing has gone for so long; once it says so, not again before as much time has passed. Asked by the
    /// session's thread only.
    boolean shouldPing(long now, long after) {
        if (now - Math.max(lastSent, lastPing) < after) {
            return false;
        }
        lastPing = now;
        return true;
    }
}
