package postroad.wire;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/// Opens links to other processes: dials, listens, and parts from a peer in peace.
public final class Links {
    /// How long a peer may take to read the last word.
    static final Duration PARTING = Duration.ofSeconds(2);

    /// The first run of zero groups of an IPv6 address.
    private static final Pattern ZEROS = Pattern.compile("(?:^|:)0(?::0)+(?:$|:|(?=%))");

    private static final int REHEARSED_WRITES = 8;

    private Links() {}

    /// Connects to the first address of `host` that answers.
    ///
    /// @param identity who this side is, by TLS; empty for a link that is not encrypted
    /// @throws IOException with a text for people
    public static Link dial(String host, int port, Optional<Identity> identity, LinkOptions options)
            throws IOException {
        SocketChannel channel = Dialer.dial(host, port, options.connectTimeout());
        Patience.give(channel);
        String peer = Dialer.authority(host, port);
        if (identity.isEmpty()) {
            return TcpLink.plain(channel, peer, Congestion.choose(channel, options.congestion()));
        }
        Link below = TcpLink.forTls(channel, peer, Congestion.choose(channel, options.congestion()));
        return inTime(below, options.handshakeTimeout(), () -> TlsLink.connect(below, identity.get()));
    }

    /// Shakes hands over `below`, which is closed when that takes too long.
    static Link inTime(Link below, Duration limit, Opening opening) throws IOException {
        AtomicBoolean late = new AtomicBoolean();
        Future<?> cut = after(limit, () -> {
            late.set(true);
            below.close();
        });
        try {
            return opening.open();
        } catch (IOException e) {
            throw late.get()
                    ? new LinkException(
                            below.peer() + " did not finish the TLS handshake within " + Dialer.seconds(limit), e)
                    : e;
        } finally {
            cut.cancel(false);
        }
    }

    /// Listens on `address`; port 0 takes a free one. Where the system has IPv6, `::` takes both
    /// families.
    ///
    /// @param identity who this side is, by TLS; empty for links that are not encrypted
    /// @param strays is told, in a line for people, about each connection that did not become a link
    public static TcpListener listen(
            InetSocketAddress address, Optional<Identity> identity, LinkOptions options, Consumer<String> strays)
            throws IOException {
        return TcpListener.open(address, identity, options, strays);
    }

    /// Ends a link so that what was written arrives: finishes this side, then drops what still comes
    /// until the peer has finished too or `limit` has passed. A close with unread bytes would make TCP
    /// throw away what the peer has not read.
    public static void part(Link link, Duration limit) {
        Future<?> cut = after(limit, link::close);
        try (link) {
            link.finish();
            ByteBuffer dropped = ByteBuffer.allocate(16 << 10);
            while (link.read(dropped) >= 0) {
                dropped.clear();
            }
        } catch (IOException e) {
            // The peer did not wait, or waited too long; either way it is over.
            return;
        } finally {
            cut.cancel(false);
        }
    }

    /// Goes once through a handshake and some data with itself, so that what the JVM loads and compiles
    /// for TLS is ready before a peer comes.
    public static void rehearse(Identity identity) {
        LinkPair pair = MemoryLinks.pair(1 << 20);
        Thread other = Thread.ofPlatform().daemon().name("rehearse").start(() -> rehearse(pair.b(), identity));
        try (Link link = TlsLink.connect(pair.a(), identity)) {
            for (int i = 0; i < REHEARSED_WRITES; i++) {
                link.write(ByteBuffer.allocate(16 << 10));
            }
            part(link, PARTING);
            other.join();
        } catch (IOException e) {
            throw new IllegalStateException("TLS does not work with this side itself: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void rehearse(Link below, Identity identity) {
        try (Link link = TlsLink.accept(below, identity)) {
            part(link, PARTING);
        } catch (IOException e) {
            // The other side says it.
            below.close();
        }
    }

    /// An address and a port for people, IPv6 in its short form: `192.0.2.1:7000`, `[2001:db8::1]:7000`.
    public static String shown(InetSocketAddress address) {
        String host = address.getAddress().getHostAddress();
        return Dialer.authority(ZEROS.matcher(host).replaceFirst("::"), address.getPort());
    }

    /// Runs `action` once the time has passed, unless cancelled.
    static Future<?> after(Duration time, Runnable action) {
        return Limits.CLOCK.schedule(action, time.toNanos(), TimeUnit.NANOSECONDS);
    }

    /// One thread that ends what takes too long; made with the first limit.
    private static final class Limits {
        static final ScheduledThreadPoolExecutor CLOCK = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().daemon().name("wire-limits").factory());

        static {
            CLOCK.setRemoveOnCancelPolicy(true);
        }
    }

    /// A handshake.
    @FunctionalInterface
    interface Opening {
        Link open() throws IOException;
    }

    static void closeQuietly(Closeable thing) {
        try {
            thing.close();
        } catch (IOException e) {
            // Nobody wants it any more; there is nothing to tell.
            return;
        }
    }
}
