package postroad.sync.peer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import postroad.wire.Fingerprint;
import postroad.wire.Link;
import postroad.wire.LinkFacts;

/// A link that counts its bytes and remembers when the last came and went, so that silence is noticed.
final class MeteredLink implements Link {
    private final Link link;
    private final LongAdder received;
    private final LongAdder sent;
    private final LongSupplier nanos;
    private volatile long lastReceived;
    private volatile long lastSent;
    private long lastPing;

    /// @param received counts bytes that came, of all links of the session
    /// @param sent counts bytes that went
    MeteredLink(Link link, LongAdder received, LongAdder sent, LongSupplier nanos) {
        this.link = link;
        this.received = received;
        this.sent = sent;
        this.nanos = nanos;
        lastReceived = nanos.getAsLong();
        lastSent = lastReceived;
        lastPing = lastReceived;
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        int read = link.read(into);
        if (read > 0) {
            lastReceived = nanos.getAsLong();
            received.add(read);
        }
        return read;
    }

    @Override
    public void write(ByteBuffer from) throws IOException {
        int length = from.remaining();
        link.write(from);
        lastSent = nanos.getAsLong();
        sent.add(length);
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
