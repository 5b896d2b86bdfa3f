package postroad.nostr.relay;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ManualIoEventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.local.LocalIoHandler;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import postroad.nostr.core.Filter;
import postroad.nostr.core.Query;
import postroad.nostr.store.Budget;
import postroad.nostr.store.EventStore;
import postroad.nostr.store.RowSink;
import postroad.nostr.store.Scan;
import postroad.nostr.store.Snapshot;

/// A relay without sockets, for the lab: one connection whose stages are driven one by one, so that each can
/// be timed on its own.
///
/// The parts are those of a served connection, only its channel is in memory. Nothing is written to the
/// store. Owned by the thread that made it, which is the connection's event loop, too.
public final class Stages implements AutoCloseable {
    private static final byte[] EOSE = "[\"EOSE\",".getBytes(StandardCharsets.US_ASCII);
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);

    /// An EOSE of any subscription id is within so many bytes of the end.
    private static final int LONGEST_EOSE = 128;

    private final Relay relay;
    private final ManualIoEventLoop eventLoop;
    private final EmbeddedChannel channel;
    private final Loop loop;
    private final Requests requests;

    private Stages(EventStore store) {
        InetSocketAddress nowhere = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        relay = new Relay(RelayConfig.at(nowhere), store, () -> System.currentTimeMillis() / 1000, Memory.ofThisJvm());
        eventLoop = new ManualIoEventLoop(Thread.currentThread(), LocalIoHandler.newFactory());
        loop = new Loop(relay, eventLoop);
        channel = new EmbeddedChannel();
        Connection connection = new Connection(relay, loop, channel, "127.0.0.1", "localhost", false);
        Outbox outbox = new Outbox(channel, false, loop.deflating(), relay.limits(), relay.output());
        requests = new Requests(relay, loop, connection, outbox, false);
        channel.pipeline().addLast(connection);
        connection.open();
        connection.afterWriting();
        drain(greeting -> {});
    }

    /// Stages over a store that stays its caller's.
    public static Stages over(EventStore store) {
        return new Stages(store);
    }

    /// Stage A: plans and runs a query of a stranger's, all rows in one snapshot.
    public void query(List<Filter> filters, RowSink sink) {
        run(relay.store().plan(new Query(filters, relay.stranger())), sink);
    }

    /// Stage B: the same as a subscription, which registers with the live index before, goes live behind its
    /// stored part, and ends.
    public void subscribe(List<Filter> filters, RowSink sink) {
        Subscription subscription = new Subscription(requests, "b", filters, relay.stranger());
        subscription.register(loop.live());
        Scan scan = relay.store().plan(subscription.query());
        run(scan, sink);
        subscription.goLive(scan.watermark());
        subscription.end(loop.live());
    }

    /// Stage C: a client's frames in, the relay's frames out, up to an EOSE at the end of a flush.
    ///
    /// @param out is given what a socket would be, valid during the call only
    /// @return bytes that went out
    /// @throws IllegalStateException if no EOSE comes
    public long ask(byte[] frames, Consumer<ByteBuffer> out) {
        read(frames);
        long bytes = drain(out);
        long begin = System.nanoTime();
        while (bytes >= 0) {
            if (System.nanoTime() - begin > PATIENCE_NANOS) {
                throw new IllegalStateException("no EOSE came");
            }
            eventLoop.run(TimeUnit.MILLISECONDS.toNanos(10));
            long more = drain(out);
            bytes = more < 0 ? more - bytes : bytes + more;
        }
        return -bytes;
    }

    /// A client's frames in that have no answer, as CLOSE.
    public void tell(byte[] frames) {
        read(frames);
        drain(nothing -> {});
    }

    @Override
    public void close() {
        var _ = channel.close();
        relay.scans().close();
        relay.shortCounts().close();
        relay.longCounts().close();
        relay.verifiers().close();
        loop.close();
        var _ = eventLoop.shutdownGracefully(0, 0, TimeUnit.NANOSECONDS);
        while (!eventLoop.isTerminated()) {
            eventLoop.run(TimeUnit.MILLISECONDS.toNanos(10));
        }
    }

    private void read(byte[] frames) {
        channel.pipeline().fireChannelRead(Unpooled.wrappedBuffer(frames));
        channel.pipeline().fireChannelReadComplete();
    }

    private void run(Scan scan, RowSink sink) {
        try (Snapshot snapshot = loop.reader().open()) {
            snapshot.run(scan, relay.now(), Budget.UNLIMITED, sink);
        }
    }

    /// Takes what went out; how many bytes, negative when the last of it was an EOSE.
    private long drain(Consumer<ByteBuffer> out) {
        long bytes = 0;
        boolean isEnd = false;
        for (ByteBuf buffer = channel.readOutbound(); buffer != null; buffer = channel.readOutbound()) {
            bytes += buffer.readableBytes();
            isEnd = endsWithEose(buffer);
            out.accept(buffer.nioBuffer());
            buffer.release();
        }
        return isEnd ? -bytes : bytes;
    }

    private static boolean endsWithEose(ByteBuf buffer) {
        int end = buffer.writerIndex();
        for (int at = Math.max(buffer.readerIndex(), end - LONGEST_EOSE); at + EOSE.length <= end; at++) {
            if (isEose(buffer, at)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isEose(ByteBuf buffer, int at) {
        for (int i = 0; i < EOSE.length; i++) {
            if (buffer.getByte(at + i) != EOSE[i]) {
                return false;
            }
        }
        return true;
    }
}
