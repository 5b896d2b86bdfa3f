package postroad.nostr.relay;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import postroad.nostr.core.Filter;
import postroad.nostr.core.Prefix;
import postroad.nostr.core.Query;
import postroad.nostr.core.RelayMessages;
import postroad.nostr.core.Viewer;
import postroad.nostr.store.Snapshot;
import postroad.nostr.store.StoreReader;

/// One connection's COUNTs (NIP-45): each is counted exactly, in one snapshot, or refused.
///
/// One at a time is with the workers, so that their queues, which are first come, first served, give turns
/// to connections. A count begins in the lane of short turns; one that does not end within its turn begins
/// anew in the lane of long ones. So whoever asks for little waits for other connections' short turns only.
/// Owned by the connection's loop.
final class Counts {
    /// Counts of one connection that may wait or be at work.
    static final int MOST = 8;

    /// How long a count may wait for its turn, by the relay's clock: whoever asked has given up by then.
    static final int MOST_WAIT_SECONDS = 30;

    private static final long SHORT_TURN_NANOS = 10_000_000;

    private final Relay relay;
    private final Loop loop;
    private final Connection connection;
    private final Outbox outbox;
    private final ArrayDeque<Count> waiting = new ArrayDeque<>(0);

    /// The one that is with the workers, in a queue or at work.
    private Optional<Count> current = Optional.empty();
    private long bytes;

    Counts(Relay relay, Loop loop, Connection connection, Outbox outbox) {
        this.relay = relay;
        this.loop = loop;
        this.connection = connection;
        this.outbox = outbox;
    }

    /// Counts what `filters` match.
    void count(String id, List<Filter> filters, Viewer viewer) {
        long open = waiting.size() + current.filter(Count::isWanted).stream().count();
        if (open >= MOST) {
            close(id, Prefix.RATE_LIMITED.with("at most " + MOST + " counts at once"));
            return;
        }
        long size = Subscription.bytes(filters);
        if (!relay.subscriptions().isFair(bytes, size)) {
            close(id, Requests.TOO_MUCH_OPEN);
            return;
        }
        waiting.addLast(new Count(id, new Query(filters, viewer), relay.now(), size));
        startNext();
        account();
    }

    /// Ends the counts of an id without an answer.
    void end(String id) {
        waiting.removeIf(count -> count.id.equals(id));
        current.filter(count -> count.id.equals(id)).ifPresent(this::cancel);
        account();
    }

    /// The connection ends: nobody waits any more.
    void endAll() {
        waiting.clear();
        current.ifPresent(this::cancel);
        account();
    }

    /// Tells the client that the relay stops.
    void closeAll(String reason) {
        current.filter(Count::isWanted).ifPresent(count -> close(count.id, reason));
        waiting.forEach(count -> close(count.id, reason));
        endAll();
    }

    /// Refuses what has waited for too long. Time that jumps refuses too early or too late, and harms
    /// nothing.
    void tick() {
        long tooLongAgo = relay.now() - MOST_WAIT_SECONDS;
        boolean isRefused = current.isPresent() && current.get().since < tooLongAgo && withdraw(current.get());
        if (isRefused) {
            refuseLate(current.get());
            current = Optional.empty();
        }
        while (!waiting.isEmpty() && waiting.getFirst().since < tooLongAgo) {
            refuseLate(waiting.removeFirst());
            isRefused = true;
        }
        if (isRefused) {
            startNext();
            account();
            connection.afterWriting();
        }
    }

    private void refuseLate(Count count) {
        close(
                count.id,
                Prefix.RATE_LIMITED.with("the count has waited its turn for " + MOST_WAIT_SECONDS
                        + " s behind others; try again later"));
    }

    private void startNext() {
        if (current.isEmpty() && !waiting.isEmpty()) {
            Count next = waiting.removeFirst();
            current = Optional.of(next);
            relay.shortCounts().submit(next);
        }
    }

    private void cancel(Count count) {
        count.wanted = false;
        if (withdraw(count)) {
            current = Optional.empty();
            startNext();
        }
    }

    /// Takes a count out of the queue it is in; false when it is at work, from which it comes back.
    private boolean withdraw(Count count) {
        return relay.shortCounts().withdraw(count) || relay.longCounts().withdraw(count);
    }

    private void turnDone(Count count, Result result) {
        if (count.isWanted() && result instanceof Result.Unfinished) {
            if (relay.isStopping()) {
                // Answered with the goodbye.
                return;
            }
            if (!count.isLong) {
                count.isLong = true;
                relay.longCounts().submit(count);
                return;
            }
        }
        if (count.isWanted()) {
            answer(count.id, result);
        }
        current = Optional.empty();
        startNext();
        account();
        connection.afterWriting();
    }

    /// Tells what the counts take that have no answer yet; they share the memory of subscriptions.
    private void account() {
        long now = current.map(count -> count.bytes).orElse(0L);
        for (Count count : waiting) {
            now += count.bytes;
        }
        relay.subscriptions().add(now - bytes);
        bytes = now;
    }

    private void answer(String id, Result result) {
        switch (result) {
            case Result.Counted(long events) -> outbox.text(RelayMessages.count(id, events));
            case Result.Unfinished() ->
                close(
                        id,
                        Prefix.BLOCKED.with("the count looks at more than "
                                + relay.limits().scanEntries() + " index entries; narrow its filters"));
            case Result.Unreadable() -> close(id, StoredPart.UNREADABLE);
        }
    }

    private void close(String id, String reason) {
        outbox.text(RelayMessages.closed(id, reason));
    }

    /// What became of a turn.
    private sealed interface Result {
        record Counted(long events) implements Result {}

        /// The turn was over, the count cancelled, or it looks at too much.
        record Unfinished() implements Result {}

        record Unreadable() implements Result {}
    }

    /// One COUNT. Handed to and fro between the loop and a worker.
    private final class Count implements Workers.Job {
        private final String id;
        private final long bytes;
        private final Query query;
        private final long since;
        private boolean isLong;
        private volatile boolean wanted = true;

        Count(String id, Query query, long since, long bytes) {
            this.bytes = bytes;
            this.id = id;
            this.query = query;
            this.since = since;
        }

        boolean isWanted() {
            return wanted;
        }

        @Override
        public void turn(StoreReader reader, Deflating deflating) {
            Result result = tryCount(reader);
            loop.execute(() -> turnDone(this, result));
        }

        private Result tryCount(StoreReader reader) {
            long begin = System.nanoTime();
            try (Snapshot snapshot = reader.open()) {
                OptionalLong events =
                        snapshot.count(query, relay.now(), relay.limits().scanEntries(), () -> mayGoOn(begin));
                return events.isPresent() ? new Result.Counted(events.getAsLong()) : new Result.Unfinished();
            } catch (RuntimeException | Error e) {
                // Whatever it is: the client waits for its answer.
                StoredPart.note(e);
                return new Result.Unreadable();
            }
        }

        private boolean mayGoOn(long begin) {
            return wanted
                    && !Thread.currentThread().isInterrupted()
                    && (isLong || System.nanoTime() - begin < SHORT_TURN_NANOS);
        }
    }
}
