package postroad.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/// One end of two [Pipe]s.
final class PipeLink implements Link {
    private final Pipe in;
    private final Pipe out;
    private final String peer;

    PipeLink(Pipe in, Pipe out, String peer) {
        this.in = in;
        this.out = out;
        this.peer = peer;
    }

    static LinkPair pair(Pipe there, Pipe back, String kind) {
        return new LinkPair(new PipeLink(back, there, kind + ":b"), new PipeLink(there, back, kind + ":a"));
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        return in.read(into, peer);
    }

    @Override
    public void write(ByteBuffer from) throws IOException {
        out.write(from, peer);
    }

    @Override
    public void finish() {
        out.finish();
    }

    @Override
    public String peer() {
        return peer;
    }

    @Override
    public Optional<Fingerprint> peerFingerprint() {
        return Optional.empty();
    }

    @Override
    public LinkFacts facts() {
        return LinkFacts.NONE;
    }

    @Override
    public void close() {
        out.closeByWriter();
        in.closeByReader();
    }
}
