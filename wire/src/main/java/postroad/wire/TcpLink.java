package postroad.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;

/// A link over a TCP connection, as it is.
final class TcpLink implements Link {
    /// Heap buffers are copied by the channel into a direct one of the same size that it keeps for each
    /// thread.
    private static final int LARGEST_HEAP_TRANSFER = 128 << 10;

    private final SocketChannel channel;
    private final String peer;
    private final Supplier<LinkFacts> facts;

    /// Whether the peer might begin with TLS, which then is no stream for the layer above.
    private boolean mayBeTls;

    private TcpLink(SocketChannel channel, String peer, Supplier<LinkFacts> facts, boolean mayBeTls) {
        this.channel = channel;
        this.peer = peer;
        this.facts = facts;
        this.mayBeTls = mayBeTls;
    }

    /// A link to be used as it is.
    static TcpLink plain(SocketChannel channel, String peer, Supplier<LinkFacts> facts) {
        return new TcpLink(channel, peer, facts, true);
    }

    /// A link on which TLS is to run.
    static TcpLink forTls(SocketChannel channel, String peer, Supplier<LinkFacts> facts) {
        return new TcpLink(channel, peer, facts, false);
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        int before = into.position();
        int count;
        try {
            count = into.isDirect() || into.remaining() <= LARGEST_HEAP_TRANSFER ? channel.read(into) : readSome(into);
        } catch (IOException e) {
            throw failure(e);
        }
        if (mayBeTls && count > 0) {
            mayBeTls = false;
            if (count > 1) {
                refuseTls(into.get(before), into.get(before + 1));
            }
        }
        return count;
    }

    private void refuseTls(byte first, byte second) throws LinkException {
        if (TlsRecord.isAlert(first, second)) {
            throw new LinkException(peer + " wants TLS, and this side has --plaintext");
        }
        if (TlsRecord.isTls(first, second)) {
            throw new LinkException(peer + " speaks TLS, and this side has --plaintext");
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
        return facts.get();
    }

    @Override
    public void close() {
        Links.closeQuietly(channel);
    }
}
