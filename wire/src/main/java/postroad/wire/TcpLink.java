package postroad.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.util.Locale;
import java.util.Optional;

/// A link over a TCP connection, as it is.
final class TcpLink implements Link {
    /// Heap buffers are copied by the channel into a direct one of the same size that it keeps for each
    /// thread.
    private static final int LARGEST_HEAP_TRANSFER = 128 << 10;

    private final SocketChannel channel;
    private final String peer;
    private final LinkFacts facts;

    TcpLink(SocketChannel channel, String peer, LinkFacts facts) {
        this.channel = channel;
        this.peer = peer;
        this.facts = facts;
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        try {
            return into.isDirect() || into.remaining() <= LARGEST_HEAP_TRANSFER ? channel.read(into) : readSome(into);
        } catch (IOException e) {
            throw failure(e);
        }
    }

    private int readSome(ByteBuffer into) throws IOException {
        int limit = into.limit();
        try {
            return channel.read(into.limit(into.position() + LARGEST_HEAP_TRANSFER));
        } finally {
            into.limit(limit);
        }
    }

    @Override
    public void write(ByteBuffer from) throws IOException {
        int limit = from.limit();
        try {
            while (from.position() < limit) {
                if (!from.isDirect()) {
                    from.limit(Math.min(limit, from.position() + LARGEST_HEAP_TRANSFER));
                }
                channel.write(from);
            }
        } catch (IOException e) {
            throw failure(e);
        } finally {
            from.limit(limit);
        }
    }

    @Override
    public void finish() throws IOException {
        try {
            channel.shutdownOutput();
        } catch (IOException e) {
            throw failure(e);
        }
    }

    private IOException failure(IOException e) {
        String text = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
        return switch (e) {
            case ClosedByInterruptException interrupted ->
                new LinkException("interrupted while talking to " + peer, interrupted);
            case AsynchronousCloseException closed -> closedHere(closed);
            case ClosedChannelException closed -> closedHere(closed);
            default -> {
                if (text.contains("reset") || text.contains("broken pipe")) {
                    yield new LinkException("the connection to " + peer + " was cut off by the other side", e);
                }
                yield new LinkException("the connection to " + peer + " broke: " + e.getMessage(), e);
            }
        };
    }

    private LinkException closedHere(IOException e) {
        return channel.isOpen()
                ? new LinkException("nothing more can be sent to " + peer + ": this side said it was finished", e)
                : new LinkException("the connection to " + peer + " was closed here", e);
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
        return facts;
    }

    @Override
    public void close() {
        Links.closeQuietly(channel);
    }
}
