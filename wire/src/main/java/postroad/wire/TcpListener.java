package postroad.wire;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// Accepts connections and hands them out as links once their handshake is done.
///
/// One thread accepts; each handshake has a thread of its own, a time limit and a place among a bounded
/// number, so that silent, slow or hostile connections never keep a good one waiting. Finished links
/// wait in a bounded queue; who finds it full is closed.
public final class TcpListener implements AutoCloseable {
    private static final int BACKLOG = 128;
    private static final int WAITING = 128;
    private static final long PAUSE_MILLIS = 100;

    private final ServerSocketChannel server;
    private final Optional<Identity> identity;
    private final LinkOptions options;
    private final Consumer<String> strays;
    private final Supplier<LinkFacts> facts;
    private final BlockingQueue<Optional<Link>> finished = new ArrayBlockingQueue<>(WAITING + 1);

    /// Connections whose handshake is not finished, oldest first; guarded by itself.
    private final Map<SocketChannel, InetAddress> unfinished = new LinkedHashMap<>();

    private TcpListener(
            ServerSocketChannel server, Optional<Identity> identity, LinkOptions options, Consumer<String> strays) {
        this.server = server;
        this.identity = identity;
        this.options = options;
        this.strays = strays;
        // Accepted connections inherit it.
        this.facts = Congestion.choose(server, options.congestion());
    }

    static TcpListener open(
            InetSocketAddress address, Optional<Identity> identity, LinkOptions options, Consumer<String> strays)
            throws IOException {
        if (address.isUnresolved()) {
            throw new LinkException(
                    "cannot listen on " + address.getHostString() + ": the name does not resolve to an address");
        }
        TcpListener listener = new TcpListener(bind(address), identity, options, strays);
        Thread.ofPlatform()
                .name("accept-" + listener.address().getPort())
                .daemon()
                .start(listener::acceptAll);
        return listener;
    }

    private static ServerSocketChannel bind(InetSocketAddress address) throws IOException {
        ServerSocketChannel server = family(address.getAddress());
        try {
            return server.bind(address, BACKLOG);
        } catch (IOException e) {
            Links.closeQuietly(server);
            throw new LinkException("cannot listen on " + Links.shown(address) + ": " + e.getMessage(), e);
        }
    }

    private static ServerSocketChannel family(InetAddress address) throws IOException {
        try {
            return ServerSocketChannel.open(
                    address instanceof Inet4Address ? StandardProtocolFamily.INET : StandardProtocolFamily.INET6);
        } catch (UnsupportedOperationException e) {
            throw new LinkException("cannot listen on " + address.getHostAddress() + ": this system has no IPv6", e);
        }
    }

    /// Where it listens, with the port that was taken.
    public InetSocketAddress address() {
        try {
            return (InetSocketAddress) server.getLocalAddress();
        } catch (IOException e) {
            throw new IllegalStateException("the listener is closed", e);
        }
    }

    /// Waits for the next link; empty once the listener is closed.
    public Optional<Link> accept() throws InterruptedException {
        Optional<Link> link = finished.take();
        if (link.isEmpty()) {
            // For the next one who asks.
            boolean _ = finished.offer(link);
        }
        return link;
    }

    private void acceptAll() {
        while (server.isOpen()) {
            try {
                begin(server.accept());
            } catch (ClosedChannelException e) {
                return;
            } catch (IOException e) {
                strays.accept("cannot accept a connection: " + e.getMessage());
                pause();
            }
        }
    }

    /// Lets others give back what the system ran out of, mostly file numbers.
    private static void pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void begin(SocketChannel channel) {
        try {
            InetSocketAddress from = (InetSocketAddress) channel.getRemoteAddress();
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            if (!enter(channel, from.getAddress())) {
                Links.closeQuietly(channel);
                strays.accept(
                        "closed a connection from " + Links.shown(from) + ": too many unfinished ones from there");
                return;
            }
            Thread.ofVirtual().name("handshake-" + Links.shown(from)).start(() -> finish(channel, Links.shown(from)));
        } catch (IOException e) {
            Links.closeQuietly(channel);
        }
    }

    private boolean enter(SocketChannel channel, InetAddress from) {
        InetAddress network = network(from);
        synchronized (unfinished) {
            long same = unfinished.values().stream().filter(network::equals).count();
            if (same >= options.handshakesPerAddress()) {
                return false;
            }
            if (unfinished.size() >= options.handshakes()) {
                Iterator<SocketChannel> oldest = unfinished.keySet().iterator();
                Links.closeQuietly(oldest.next());
                oldest.remove();
            }
            unfinished.put(channel, network);
            return true;
        }
    }

    /// One peer can have a whole /64 of IPv6.
    private static InetAddress network(InetAddress address) {
        if (!(address instanceof Inet6Address)) {
            return address;
        }
        byte[] bytes = address.getAddress();
        Arrays.fill(bytes, 8, 16, (byte) 0);
        try {
            return InetAddress.getByAddress(bytes);
        } catch (java.net.UnknownHostException e) {
            throw new IllegalStateException("sixteen bytes are an address", e);
        }
    }

    private void finish(SocketChannel channel, String peer) {
        try {
            Link link = shakeHands(channel, peer);
            if (leave(channel)) {
                Patience.give(channel);
                hand(link);
            }
        } catch (IOException e) {
            if (leave(channel)) {
                strays.accept(e.getMessage());
            } else {
                strays.accept("closed a connection from " + peer + ": too many unfinished ones");
            }
            Links.closeQuietly(channel);
        }
    }

    private Link shakeHands(SocketChannel channel, String peer) throws IOException {
        if (identity.isEmpty()) {
            return TcpLink.plain(channel, peer, facts);
        }
        Link below = TcpLink.forTls(channel, peer, facts);
        return Links.inTime(below, options.handshakeTimeout(), () -> TlsLink.accept(below, identity.get()));
    }

    /// From here on the listener does not close the connection; false when it did so already.
    private boolean leave(SocketChannel channel) {
        synchronized (unfinished) {
            return unfinished.remove(channel) != null;
        }
    }

    private void hand(Link link) {
        if (!finished.offer(Optional.of(link))) {
            link.close();
            strays.accept("closed a connection from " + link.peer() + ": nobody had time for it");
        } else if (!server.isOpen()) {
            drain();
        }
    }

    @Override
    public void close() {
        Links.closeQuietly(server);
        synchronized (unfinished) {
            unfinished.keySet().forEach(Links::closeQuietly);
            unfinished.clear();
        }
        drain();
    }

    /// Closes links that nobody took, and leaves the mark that wakes those who wait for one.
    private void drain() {
        Optional<Link> waiting = finished.poll();
        while (waiting != null) {
            waiting.ifPresent(Link::close);
            waiting = finished.poll();
        }
        boolean _ = finished.offer(Optional.empty());
    }
}
