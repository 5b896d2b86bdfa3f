package postroad.nostr.relay;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import postroad.common.Schnorr;
import postroad.nostr.store.EventStore;

/// A running relay: it listens, serves clients, and writes to a store that stays its caller's.
///
/// While it runs, its writer is the only one that calls [EventStore#write] and [EventStore#removeExpired].
public final class RelayServer implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(RelayServer.class.getName());

    private static final int BACKLOG = 4096;
    private static final long GOODBYE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Relay relay;
    private final Transport transport;
    private final EventLoopGroup group;
    private final Map<EventLoop, Loop> loops = new LinkedHashMap<>();
    private final ChannelGroup channels = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
    private final Channel listener;
    private final AtomicBoolean closed = new AtomicBoolean();

    /// Starts a relay; when this returns, it serves.
    ///
    /// @throws UncheckedIOException if it cannot listen at the address, or a native part is missing; the
    ///     message says which and why
    public static RelayServer start(RelayConfig config, EventStore store) {
        return start(config, store, () -> System.currentTimeMillis() / 1000, Transport.choose(), Memory.ofThisJvm());
    }

    /// The same with another clock (seconds), a given transport and given shares of memory.
    static RelayServer start(
            RelayConfig config, EventStore store, LongSupplier clock, Transport transport, Memory memory) {
        Schnorr.load();
        if (config.warmUp()) {
            WarmUp.run(config, transport);
        }
        return new RelayServer(new Relay(config, store, clock, memory), transport);
    }

    private RelayServer(Relay relay, Transport transport) {
        this.relay = relay;
        this.transport = transport;
        this.group = transport.loops(relay.config().loops());
        for (int i = 0; i < relay.config().loops(); i++) {
            EventLoop eventLoop = group.next();
            loops.put(eventLoop, new Loop(relay, eventLoop));
        }
        relay.serveLoops(List.copyOf(loops.values()));
        this.listener = listen();
    }

    /// Where it listens, with the port that was taken.
    public InetSocketAddress address() {
        return (InetSocketAddress) listener.localAddress();
    }

    /// The way to write events past the policies.
    public Ingest ingest() {
        return relay.writer();
    }

    /// Figures since the start.
    public RelayStats stats() {
        return relay.counters().stats();
    }

    /// Bytes of messages that have begun and not ended.
    long memoryOfMessages() {
        return relay.messages().taken();
    }

    /// Bytes of open subscriptions.
    long memoryOfSubscriptions() {
        return relay.subscriptions().taken();
    }

    /// Bytes that wait for readers.
    long memoryOfOutput() {
        return relay.output().taken();
    }

    /// How sockets are waited for: `epoll` or `selector`.
    public String transport() {
        return transport.name();
    }

    /// Stops: nothing new is taken, what is in flight is written and answered, every client is told and the
    /// threads end, all within the time-out for stopping. The store stays open.
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        long begin = System.nanoTime();
        long all = relay.config().timeouts().stop().toNanos();
        long deadline = begin + all;
        long workDeadline = begin + all - Math.min(all / 4, GOODBYE_NANOS);
        relay.stopTaking();
        listener.close().awaitUninterruptibly();
        try {
            awaitLoops();
            finishWork(workDeadline);
            sayGoodbye(deadline);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            endLoops();
        }
    }

    private Channel listen() {
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(group)
                .channel(transport.server())
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, waterMark())
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channels.add(channel);
                        HttpSide.begin(relay, loops.get(channel.eventLoop()), channel);
                    }
                });
        ChannelFuture bound = bootstrap.bind(relay.config().listen()).awaitUninterruptibly();
        if (!bound.isSuccess()) {
            relay.stopTaking();
            relay.verifiers().close();
            relay.writer().close();
            relay.scans().close();
            relay.shortCounts().close();
            relay.longCounts().close();
            endLoops();
            InetSocketAddress at = relay.config().listen();
            throw new UncheckedIOException(new IOException(
                    "cannot listen on " + at.getHostString() + " port " + at.getPort() + ": "
                            + bound.cause().getMessage(),
                    bound.cause()));
        }
        return bound.channel();
    }

    private WriteBufferWaterMark waterMark() {
        int high = Outbox.socketBytes(relay.limits().outboxPauseBytes());
        return new WriteBufferWaterMark(high / 2, high);
    }

    /// Whatever was being read when the relay began to stop is taken or refused now.
    private void awaitLoops() throws InterruptedException {
        for (Loop loop : loops.values()) {
            loop.eventLoop().submit(() -> {}).await(GOODBYE_NANOS, TimeUnit.NANOSECONDS);
        }
    }

    /// What was taken is checked, written and handed to the loops.
    private void finishWork(long deadline) throws InterruptedException {
        relay.verifiers().close();
        boolean verified = relay.verifiers().join(deadline);
        relay.writer().close();
        if (!relay.writer().join(deadline) || !verified) {
            LOG.log(Level.WARNING, "the time to stop is over: some events were not written, and not acknowledged");
        }
        relay.scans().close();
        relay.shortCounts().close();
        relay.longCounts().close();
        relay.scans().join(deadline);
        relay.shortCounts().join(deadline);
        relay.longCounts().join(deadline);
    }

    /// The answers are with the loops already, so the goodbye comes after them.
    private void sayGoodbye(long deadline) throws InterruptedException {
        for (Loop loop : loops.values()) {
            loop.execute(() -> loop.connections().forEach(Connection::sayGoodbye));
        }
        long wait = Math.min(GOODBYE_NANOS, Math.max(0, deadline - System.nanoTime()));
        channels.newCloseFuture().await(wait, TimeUnit.NANOSECONDS);
    }

    private void endLoops() {
        channels.close().awaitUninterruptibly(GOODBYE_NANOS, TimeUnit.NANOSECONDS);
        for (Loop loop : loops.values()) {
            loop.eventLoop().submit(loop::close).awaitUninterruptibly(GOODBYE_NANOS, TimeUnit.NANOSECONDS);
        }
        group.shutdownGracefully(0, GOODBYE_NANOS, TimeUnit.NANOSECONDS)
                .awaitUninterruptibly(2 * GOODBYE_NANOS, TimeUnit.NANOSECONDS);
    }
}
