package postroad.lab.floor;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import postroad.nostr.core.Event;

/// Many subscribers, each on a connection of its own, who all want the same author's notes.
///
/// One thread reads all connections. A subscriber's bytes are split into frames, and the EVENT frames of its
/// subscription counted. Owned by one thread.
final class FanOut implements AutoCloseable {
    /// Fewer than relays allow from one address.
    private static final int PER_ADDRESS = 150;

    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(30);
    private static final byte[] EVENT = "[\"EVENT\",\"q\"".getBytes(US_ASCII);
    private static final byte[] EOSE = "[\"EOSE\",\"q\"".getBytes(US_ASCII);

    private final Selector selector = Selector.open();
    private final List<Subscriber> subscribers = new ArrayList<>();
    private final ByteBuffer in = ByteBuffer.allocateDirect(256 << 10);
    private long delivered;
    private int ready;

    /// What came of a burst.
    ///
    /// @param perSecond deliveries a second, from the first byte out to the last delivery
    /// @param cpuMicros processor time of the relay for each delivery; 0 when it cannot be seen
    record Burst(double perSecond, double cpuMicros) {}

    private FanOut() throws IOException {}

    /// Connects `count` subscribers to notes of `author`.
    static FanOut open(Target target, int count, String author) throws IOException {
        FanOut fanOut = new FanOut();
        try {
            for (int i = 0; i < count; i++) {
                fanOut.add(target.address(), i, author);
            }
            fanOut.await(() -> fanOut.ready == count);
            return fanOut;
        } catch (IOException | RuntimeException e) {
            fanOut.close();
            throw e;
        }
    }

    /// Publishes events one by one, and notes for each the time from its write to its last delivery.
    void single(Grid grid, String row, Target target, List<Event> events) throws IOException {
        try (LeanClient publisher = LeanClient.open(target.address())) {
            for (Event event : events) {
                long wanted = delivered + subscribers.size();
                byte[] frame = Publisher.frame(event);
                long begin = System.nanoTime();
                publisher.send(frame);
                await(() -> delivered >= wanted);
                grid.record(row, target.name(), System.nanoTime() - begin);
            }
        }
    }

    /// Publishes events all at once.
    Burst burst(Target target, List<Event> events) throws IOException {
        try (LeanClient publisher = LeanClient.open(target.address())) {
            long wanted = delivered + (long) subscribers.size() * events.size();
            List<byte[]> frames = events.stream().map(Publisher::frame).toList();
            long cpu = target.cpuNanos();
            long begin = System.nanoTime();
            for (byte[] frame : frames) {
                publisher.send(frame);
            }
            await(() -> delivered >= wanted);
            long nanos = System.nanoTime() - begin;
            double deliveries = (double) subscribers.size() * events.size();
            return new Burst(
                    deliveries * TimeUnit.SECONDS.toNanos(1) / nanos, (target.cpuNanos() - cpu) / 1000.0 / deliveries);
        }
    }

    @Override
    public void close() throws IOException {
        for (Subscriber subscriber : subscribers) {
            subscriber.socket.close();
        }
        selector.close();
    }

    private interface Condition {
        boolean holds();
    }

    private void add(InetSocketAddress address, int number, String author) throws IOException {
        SocketChannel socket = SocketChannel.open();
        try {
            if (address.getAddress().isLoopbackAddress() && address.getAddress().getAddress().length == 4) {
                int host = 1 + number / PER_ADDRESS;
                byte[] from = {127, 0, (byte) (1 + host / 250), (byte) (1 + host % 250)};
                socket.bind(new InetSocketAddress(InetAddress.getByAddress(from), 0));
            }
            socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
            socket.connect(address);
            LeanClient.shakeHands(socket, address, false);
            socket.write(ByteBuffer.wrap(
                    LeanClient.frame("[\"REQ\",\"q\",{\"authors\":[\"" + author + "\"],\"kinds\":[1],\"limit\":0}]")));
            socket.configureBlocking(false);
            Subscriber subscriber = new Subscriber(socket);
            socket.register(selector, SelectionKey.OP_READ, subscriber);
            subscribers.add(subscriber);
        } catch (IOException | RuntimeException e) {
            socket.close();
            throw e;
        }
    }

    private void await(Condition condition) throws IOException {
        long end = System.nanoTime() + PATIENCE;
        while (!condition.holds()) {
            selector.select(key -> read((Subscriber) key.attachment()), 100);
            if (System.nanoTime() > end) {
                throw new IOException("after " + TimeUnit.NANOSECONDS.toSeconds(PATIENCE) + " s " + ready
                        + " subscribers and " + delivered + " deliveries");
            }
        }
    }

    private void read(Subscriber subscriber) {
        try {
            in.clear();
            if (subscriber.socket.read(in) < 0) {
                throw new IllegalStateException("the relay ended a subscriber's connection");
            }
            subscriber.take(in.flip());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// One connection, and how far its bytes have been understood.
    private final class Subscriber {
        private final SocketChannel socket;
        private final byte[] head = new byte[10 + EVENT.length];
        private int have;
        private long skip;

        Subscriber(SocketChannel socket) {
            this.socket = socket;
        }

        void take(ByteBuffer bytes) {
            while (bytes.hasRemaining()) {
                if (skip > 0) {
                    int step = (int) Math.min(skip, bytes.remaining());
                    bytes.position(bytes.position() + step);
                    skip -= step;
                } else {
                    head[have++] = bytes.get();
                    if (have >= 2 && have == wanted()) {
                        judge();
                        skip = payload() - (have - header());
                        have = 0;
                    }
                }
            }
        }

        /// The frame's header and as much of its payload as tells what it is.
        private int wanted() {
            return have < header() ? Integer.MAX_VALUE : header() + (int) Math.min(payload(), EVENT.length);
        }

        private int header() {
            int first = head[1] & 0x7f;
            return first < 126 ? 2 : first == 126 ? 4 : 10;
        }

        private long payload() {
            int first = head[1] & 0x7f;
            ByteBuffer view = ByteBuffer.wrap(head);
            return first < 126 ? first : first == 126 ? view.getShort(2) & 0xffff : view.getLong(2);
        }

        private void judge() {
            if (begins(EVENT)) {
                delivered++;
            } else if (begins(EOSE)) {
                ready++;
            }
        }

        private boolean begins(byte[] beginning) {
            int header = header();
            return have - header >= beginning.length
                    && Arrays.equals(head, header, header + beginning.length, beginning, 0, beginning.length);
        }
    }
}
