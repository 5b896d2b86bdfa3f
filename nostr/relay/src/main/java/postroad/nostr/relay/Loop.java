package postroad.nostr.relay;

import io.netty.channel.EventLoop;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import postroad.nostr.core.ClientMessageParser;
import postroad.nostr.store.StoreReader;

/// One event loop with what its connections share: parser, scratch memory, compressors, a reader of the
/// store, and the live index of their subscriptions. Owned by the loop's thread; others hand it tasks.
final class Loop {
    private static final System.Logger LOG = System.getLogger(Loop.class.getName());
    private static final long LONGEST_TICK = TimeUnit.SECONDS.toNanos(1);
    private static final long SHORTEST_TICK = TimeUnit.MILLISECONDS.toNanos(20);

    /// A large batch is flushed on the way, so that who reads fast is not taken for slow.
    private static final long FLUSH_BYTES = 256 << 10;

    private final Relay relay;
    private final EventLoop eventLoop;
    private final ClientMessageParser parser;
    private final StoreReader reader;
    private final Inbox inbox = new Inbox();
    private final Deflating deflating = new Deflating();
    private final LiveIndex<Subscription> live = new LiveIndex<>();
    private final Tails tails;
    private final Future<?> ticks;
    private final List<Connection> connections = new ArrayList<>();
    private final List<Connection> touched = new ArrayList<>();
    private final List<Connection> paused = new ArrayList<>();

    Loop(Relay relay, EventLoop eventLoop) {
        this.relay = relay;
        this.eventLoop = eventLoop;
        Limits limits = relay.limits();
        this.parser = new ClientMessageParser(
                limits.filters(), limits.filterValues(), limits.subscriptionIdLength(), limits.event());
        this.reader = relay.store().reader();
        this.tails = new Tails(relay.output());
        long tick = tick(relay.config().timeouts());
        this.ticks = eventLoop.scheduleWithFixedDelay(this::tick, tick, tick, TimeUnit.NANOSECONDS);
    }

    EventLoop eventLoop() {
        return eventLoop;
    }

    ClientMessageParser parser() {
        return parser;
    }

    StoreReader reader() {
        return reader;
    }

    Inbox inbox() {
        return inbox;
    }

    Deflating deflating() {
        return deflating;
    }

    LiveIndex<Subscription> live() {
        return live;
    }

    /// Where the shared bytes of live events are until they were read.
    Tails tails() {
        return tails;
    }

    /// Runs `task` on the loop's thread, later; false when the loop has ended, and the task will not run.
    boolean execute(Runnable task) {
        try {
            eventLoop.execute(task);
            return true;
        } catch (RejectedExecutionException e) {
            LOG.log(Level.DEBUG, "the loop has ended", e);
            return false;
        }
    }

    /// A connection begins.
    void add(Connection connection) {
        connection.setIndex(connections.size());
        connections.add(connection);
    }

    /// A connection is gone.
    void remove(Connection connection) {
        Connection last = connections.removeLast();
        if (last != connection) {
            connections.set(connection.index(), last);
            last.setIndex(connection.index());
        }
    }

    /// The connections now.
    List<Connection> connections() {
        return List.copyOf(connections);
    }

    /// Something was written outside of the connection's own turn; it is flushed when the batch is through.
    void touch(Connection connection) {
        touched.add(connection);
    }

    /// The connection reads no further for now; it is asked again after each batch and each tick.
    void pause(Connection connection) {
        if (!connection.isListed()) {
            connection.setListed(true);
            paused.add(connection);
        }
    }

    /// From the writer: answers first, then live delivery.
    void deliver(Batch batch) {
        if (!execute(() -> take(batch))) {
            batch.delivered();
        }
    }

    private void take(Batch batch) {
        try {
            answer(batch);
            fanOut(batch);
            flushTouched();
            tails.sweep();
        } finally {
            batch.delivered();
        }
        resumePaused();
    }

    /// Ends what the loop holds, on its thread.
    void close() {
        ticks.cancel(false);
        tails.sweep();
        reader.close();
        inbox.close();
        deflating.close();
    }

    private void answer(Batch batch) {
        for (Submission.Published published : batch.answers()) {
            if (published.session().loop() == this) {
                decide(published);
            }
        }
    }

    private static void decide(Submission.Published published) {
        try {
            published.session().decided(published);
        } catch (RuntimeException | Error e) {
            published.session().fail(e);
        }
    }

    private static void offer(Subscription subscription, LiveEvent event, long now) {
        try {
            subscription.offer(event, now);
        } catch (RuntimeException | Error e) {
            subscription.requests().fail(e);
        }
    }

    private void fanOut(Batch batch) {
        long now = relay.now();
        long bytes = 0;
        for (Batch.Accepted accepted : batch.accepted()) {
            try (LiveEvent event = new LiveEvent(accepted.event(), accepted.sequence(), accepted.ephemeral(), tails)) {
                live.forCandidates(event.packed(), 0, subscription -> offer(subscription, event, now));
            }
            bytes += accepted.event().packedLength();
            if (bytes > FLUSH_BYTES || relay.output().isTight()) {
                bytes = 0;
                flushTouched();
            }
        }
    }

    private void flushTouched() {
        // A cut removes subscriptions, never adds to this list.
        for (Connection connection : touched) {
            connection.flushTouched();
        }
        touched.clear();
    }

    private void resumePaused() {
        if (paused.isEmpty()) {
            return;
        }
        List<Connection> asked = List.copyOf(paused);
        paused.clear();
        asked.forEach(connection -> connection.setListed(false));
        asked.forEach(Connection::resume);
    }

    private void tick() {
        long now = System.nanoTime();
        for (Connection connection : connections()) {
            connection.tick(now);
        }
        tails.sweep();
        resumePaused();
        relay.addresses().forgetIdle();
    }

    /// A quarter of the shortest time that is waited for, within reason.
    private static long tick(Timeouts timeouts) {
        long shortest = Math.min(
                Math.min(timeouts.ping().toNanos(), timeouts.idle().toNanos()),
                Math.min(timeouts.message().toNanos(), timeouts.stall().toNanos()));
        return Math.clamp(shortest / 4, SHORTEST_TICK, LONGEST_TICK);
    }
}
