package postroad.nostr.relay;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import postroad.nostr.core.Filter;
import postroad.nostr.core.Prefix;
import postroad.nostr.core.Query;
import postroad.nostr.core.RelayMessages;
import postroad.nostr.core.Viewer;
import postroad.nostr.store.Budget;
import postroad.nostr.store.Scan;
import postroad.nostr.store.Snapshot;
import postroad.nostr.store.StoreException;

/// One connection's REQs: its open subscriptions, and the stored parts that take longer than the loop may.
///
/// A small request is answered at once: one snapshot, all rows and EOSE into the outbox. Owned by the
/// connection's loop.
final class Requests {
    /// What one REQ may use on the loop; what exceeds it goes to a worker.
    private static final Budget INLINE = new Budget(64, 64 << 10, 200_000);

    /// The same when little room is left for all, or none: whoever asks for little still has it at once.
    private static final Budget INLINE_TIGHT = new Budget(64, 16 << 10, 200_000);

    private static final Budget INLINE_SCARCE = new Budget(64, 4 << 10, 200_000);

    /// What a worker may do in one turn, and the same when little room is left for all, or none.
    private static final Budget SLICE = new Budget(10_000, 256 << 10, 1_000_000);

    private static final Budget SLICE_TIGHT = new Budget(10_000, 32 << 10, 1_000_000);
    private static final Budget SLICE_SCARCE = new Budget(10_000, 4 << 10, 1_000_000);

    /// Stored parts of one connection that may be with the workers at once; more wait.
    private static final int MOST_RUNNING = 4;

    /// Queued turns from which on each connection has one at a time.
    private static final int CROWD = 32;

    /// The answer to whoever asks for more than a fair share of what is left.
    static final String TOO_MUCH_OPEN = Prefix.RATE_LIMITED.with(
            "the subscriptions and counts of all connections take up most of the memory for them; ask for less, or later");

    private final Relay relay;
    private final Loop loop;
    private final Connection connection;
    private final Outbox outbox;
    private final boolean deflate;
    private final Map<String, Subscription> subscriptions = new HashMap<>(2);
    private final ArrayDeque<StoredPart> waiting = new ArrayDeque<>(0);
    private final ArrayDeque<StoredPart> parked = new ArrayDeque<>(0);
    private int running;
    private int atWork;
    private int values;
    private long bytes;

    Requests(Relay relay, Loop loop, Connection connection, Outbox outbox, boolean deflate) {
        this.relay = relay;
        this.loop = loop;
        this.connection = connection;
        this.outbox = outbox;
        this.deflate = deflate;
    }

    Loop loop() {
        return loop;
    }

    /// The time in seconds.
    long now() {
        return relay.now();
    }

    /// Opens a subscription to `filters`, which are clamped.
    void request(String id, List<Filter> filters, Viewer viewer) {
        Optional<String> refusal = relay.queries().refusalOfMore(filters, subscriptions.size(), values);
        if (refusal.isPresent()) {
            outbox.text(RelayMessages.closed(id, refusal.get()));
            return;
        }
        Subscription subscription = new Subscription(this, id, filters, viewer);
        if (!relay.subscriptions().isFair(bytes, subscription.bytes())) {
            outbox.text(RelayMessages.closed(id, TOO_MUCH_OPEN));
            return;
        }
        subscriptions.put(id, subscription);
        values += subscription.values();
        take(subscription.bytes());
        subscription.register(loop.live());
        begin(subscription);
    }

    /// Ends a subscription; silently nothing when there is none.
    void end(String id) {
        Subscription subscription = subscriptions.remove(id);
        if (subscription != null) {
            values -= subscription.values();
            take(-subscription.bytes());
            subscription.end(loop.live());
            waiting.removeIf(StoredPart::isCancelled);
        }
    }

    /// The connection has proven another key.
    void seenBy(Viewer viewer) {
        subscriptions.values().forEach(subscription -> subscription.seenBy(viewer));
    }

    /// The client's outbox has room again.
    void drained() {
        int left = parked.size();
        for (; left > 0 && !outbox.isOverPause() && !relay.output().isFarExceeded(); left--) {
            turn(parked.removeFirst());
        }
    }

    /// The connection ends: nothing more is sent.
    void endAll() {
        subscriptions.values().forEach(subscription -> subscription.end(loop.live()));
        subscriptions.clear();
        values = 0;
        take(-bytes);
        waiting.clear();
        parked.clear();
    }

    private void take(long more) {
        bytes += more;
        relay.subscriptions().add(more);
    }

    /// Tells the client that the relay stops.
    void closeAll(String reason) {
        for (Subscription subscription : List.copyOf(subscriptions.values())) {
            drop(subscription, reason);
        }
    }

    /// Something went wrong that must not.
    void fail(Throwable cause) {
        connection.fail(cause);
    }

    private void begin(Subscription subscription) {
        List<Filter> stored = askingForStored(subscription.filters());
        if (stored.isEmpty()) {
            sendEose(
                    subscription,
                    asksForNothing(subscription) ? Scan.Completeness.UNKNOWN : Scan.Completeness.FINISHED);
            subscription.goLive(relay.store().sequence());
            return;
        }
        try {
            runInline(
                    subscription,
                    relay.store().plan(new Query(stored, subscription.query().viewer())));
        } catch (StoreException e) {
            drop(subscription, StoredPart.UNREADABLE);
        }
    }

    private void runInline(Subscription subscription, Scan scan) {
        byte[] prefix = subscription.prefix();
        boolean done;
        try (Snapshot snapshot = loop.reader().open()) {
            Budget budget = byRoom(INLINE, INLINE_TIGHT, INLINE_SCARCE);
            done = snapshot.run(scan, relay.now(), budget, (base, at, length, sequence) -> {
                outbox.event(prefix, base, at, length);
                return true;
            });
        }
        Optional<String> tooMuch = StoredPart.tooMuch(scan, relay.limits().scanEntries());
        if (tooMuch.isPresent()) {
            drop(subscription, tooMuch.get());
        } else if (done) {
            sendEose(subscription, completeness(subscription, scan));
            subscription.goLive(scan.watermark());
        } else {
            continueOnWorker(subscription, scan);
        }
    }

    /// What a worker may read into memory in one turn, by the room that is left now. Any thread may call.
    Budget slice() {
        return byRoom(SLICE, SLICE_TIGHT, SLICE_SCARCE);
    }

    private Budget byRoom(Budget plenty, Budget tight, Budget scarce) {
        ByteBudget output = relay.output();
        return output.isExceeded() ? scarce : output.isTight() ? tight : plenty;
    }

    private void continueOnWorker(Subscription subscription, Scan scan) {
        StoredPart part = new StoredPart(
                subscription,
                scan,
                relay.limits().scanEntries(),
                new FrameBuffer(connection.channel().alloc(), deflate));
        subscription.continueWith(part);
        waiting.addLast(part);
        startWaiting();
    }

    /// A worker has done a turn of a stored part: sends what it read, and decides how to go on.
    void turnDone(StoredPart part) {
        atWork--;
        try {
            goOn(part);
        } catch (RuntimeException | Error e) {
            fail(e);
        }
    }

    private void goOn(StoredPart part) {
        if (part.isCancelled()) {
            part.frames().discard();
            finished();
            drained();
            return;
        }
        if (!part.frames().isEmpty()) {
            outbox.frames(part.frames().take());
        }
        Subscription subscription = part.subscription();
        Optional<String> failure = part.failure();
        if (failure.isPresent()) {
            drop(subscription, failure.get());
            finished();
        } else if (part.rowsAreDone()) {
            if (part.takeEose()) {
                sendEose(subscription, completeness(subscription, part.scan()));
            }
            closeGap(part);
        } else {
            turn(part);
        }
        connection.afterWriting();
    }

    private void closeGap(StoredPart part) {
        boolean closed;
        try (Snapshot snapshot = loop.reader().open()) {
            closed = part.closeGap(snapshot, outbox);
        } catch (StoreException e) {
            drop(part.subscription(), StoredPart.UNREADABLE);
            finished();
            return;
        }
        if (closed) {
            part.subscription().goLive(part.replayed());
            finished();
        } else {
            turn(part);
        }
    }

    /// Gives a stored part its next turn, when the client has room for it; one at a time when little room is
    /// left for all clients, or many turns, whose frames need room soon, are queued.
    private void turn(StoredPart part) {
        boolean isCrowded = relay.output().isTight() || relay.scans().waiting() > CROWD;
        boolean isOthersTurn = atWork > 0 && isCrowded;
        if (isOthersTurn || outbox.isOverPause() || relay.output().isFarExceeded()) {
            parked.addLast(part);
        } else {
            atWork++;
            relay.scans().submit(part);
        }
    }

    private void finished() {
        running--;
        startWaiting();
    }

    private void startWaiting() {
        while (running < MOST_RUNNING && !waiting.isEmpty()) {
            running++;
            turn(waiting.removeFirst());
        }
    }

    private void sendEose(Subscription subscription, Scan.Completeness completeness) {
        outbox.text(
                switch (completeness) {
                    case FINISHED -> RelayMessages.eose(subscription.id(), "finish");
                    case MORE -> RelayMessages.eose(subscription.id(), "more");
                    case UNKNOWN -> RelayMessages.eose(subscription.id());
                });
    }

    /// A filter with limit 0 asks for nothing stored, so nothing is said of what is (NIP-67).
    private static Scan.Completeness completeness(Subscription subscription, Scan scan) {
        return asksForNothing(subscription) ? Scan.Completeness.UNKNOWN : scan.completeness();
    }

    private static boolean asksForNothing(Subscription subscription) {
        for (Filter filter : subscription.filters()) {
            if (filter.limit().orElseThrow() == 0) {
                return true;
            }
        }
        return false;
    }

    private static List<Filter> askingForStored(List<Filter> filters) {
        List<Filter> stored = new ArrayList<>(filters.size());
        for (Filter filter : filters) {
            if (filter.limit().orElseThrow() > 0 && !filter.matchesNothing()) {
                stored.add(filter);
            }
        }
        return stored;
    }

    /// Sends a live event.
    void sendLive(Subscription subscription, LiveEvent event) {
        connection.touch();
        if (connection.hasRoom()) {
            relay.counters().delivered.increment();
            outbox.live(subscription.prefix(), event);
        }
    }

    /// An ephemeral event was lost to a subscription whose stored part takes long.
    void ephemeralDropped() {
        relay.counters().ephemeralDropped.increment();
    }

    /// Ends a subscription from this side.
    private void drop(Subscription subscription, String reason) {
        end(subscription.id());
        outbox.text(RelayMessages.closed(subscription.id(), reason));
    }
}
