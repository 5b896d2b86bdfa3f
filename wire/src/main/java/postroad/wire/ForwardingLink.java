package postroad.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/// A coat on another link: passes everything on to it, but for what a subclass does itself.
public abstract class ForwardingLink implements Link {
    private final Link link;

    /// A coat on `link`.
    protected ForwardingLink(Link link) {
        this.link = link;
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        return link.read(into);
    }

    @Override
    public void write(ByteBuffer from) throws IOException {
        link.write(from);
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
