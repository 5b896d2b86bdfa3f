package postroad.sync.peer;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import postroad.sync.core.Frame;
import postroad.sync.core.FrameCodec;
import postroad.sync.core.ProtocolException;
import postroad.wire.Link;

/// Frames out of one link's bytes. Owned by the thread that reads the link.
final class FrameReader {
    private static final int INPUT = 256 << 10;

    private Link link;
    private final BufferPool pool;
    private final ByteBuffer input = ByteBuffer.allocate(INPUT).limit(0);

    private int length;

    /// @param pool where buffers for content come from; whoever gets a content frame gives its buffer back
    FrameReader(Link link, BufferPool pool) {
        this.link = link;
        this.pool = pool;
    }

    /// Reads on from `other`, which is the same link in another coat.
    void over(Link other) {
        link = other;
    }

    /// The first frame, of a peer that nobody knows yet: only what a link may begin with is read at all.
    Optional<Frame> first() throws IOException {
        if (!fill(FrameCodec.HEADER)) {
            return Optional.empty();
        }
        int type = Byte.toUnsignedInt(input.get(input.position()));
        if (!FrameCodec.mayBeFirst(type)) {
            throw new ProtocolException(String.format("a link cannot begin with a frame of type 0x%02x", type));
        }
        return next();
    }

    /// The next frame, or empty at the end of the stream.
    ///
    /// @throws IOException if the link breaks, or ends inside a frame
    /// @throws postroad.sync.core.ProtocolException if what comes is no frame
    Optional<Frame> next() throws IOException {
        if (!fill(FrameCodec.HEADER)) {
            return Optional.empty();
        }
        int type = Byte.toUnsignedInt(input.get());
        int payload = FrameCodec.checkedLength(type, input.getInt());
        length = FrameCodec.HEADER + payload;
        return Optional.of(FrameCodec.isKnown(type) ? decoded(type, payload) : skipped(type, payload));
    }

    /// How long the last frame was on the wire.
    int length() {
        return length;
    }

    /// An optional frame that this version does not know passes by without being kept.
    private Frame skipped(int type, int length) throws IOException {
        int left = length;
        while (left > 0) {
            needSome();
            int step = Math.min(left, input.remaining());
            input.position(input.position() + step);
            left -= step;
        }
        return new Frame.Unknown(type, length);
    }

    private Frame decoded(int type, int length) throws IOException {
        boolean content = FrameCodec.isContent(type);
        byte[] payload = content ? pool.takeToKeep(length) : new byte[length];
        boolean handedOn = false;
        try {
            int at = Math.min(length, input.remaining());
            input.get(payload, 0, at);
            ByteBuffer rest = ByteBuffer.wrap(payload, at, length - at);
            while (rest.hasRemaining()) {
                int read = link.read(rest);
                if (read < 0) {
                    throw new EOFException("the connection ended inside a frame");
                }
            }
            Frame frame = FrameCodec.decode(type, payload, 0, length);
            handedOn = true;
            return frame;
        } finally {
            if (content && !handedOn) {
                pool.give(payload);
            }
        }
    }

    /// Makes `bytes` readable; returns false when the stream ends before the first of them.
    private boolean fill(int bytes) throws IOException {
        while (input.remaining() < bytes) {
            boolean inside = input.hasRemaining();
            if (!readMore()) {
                if (inside) {
                    throw new EOFException("the connection ended inside a frame");
                }
                return false;
            }
        }
        return true;
    }

    private void needSome() throws IOException {
        if (!input.hasRemaining() && !readMore()) {
            throw new EOFException("the connection ended inside a frame");
        }
    }

    private boolean readMore() throws IOException {
        input.compact();
        int read = link.read(input);
        input.flip();
        return read >= 0;
    }
}
