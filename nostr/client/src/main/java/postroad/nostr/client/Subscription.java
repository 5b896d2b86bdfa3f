package postroad.nostr.client;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import postroad.nostr.core.Event;
import postroad.nostr.core.Filter;

/// An open REQ: stored events, then [Item.EndOfStored], then live ones, until it is closed.
///
/// The connection's reading thread puts, one other thread takes; the queue between them is bounded. While it is full
/// the whole connection waits, so a subscription must be read or closed.
public final class Subscription implements AutoCloseable {
    private final RelayConnection connection;
    private final String id;
    private final List<Filter> filters;
    private final int capacity;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    // Guarded by `lock`.
    private final ArrayDeque<Item> items = new ArrayDeque<>();
    private boolean closed;
    private Item last;

    Subscription(RelayConnection connection, String id, List<Filter> filters, int capacity) {
        this.connection = connection;
        this.id = id;
        this.filters = List.copyOf(filters);
        this.capacity = capacity;
    }

    /// What a subscription brings.
    public sealed interface Item {
        /// An event that matches.
        record Found(Event event) implements Item {}

        /// All stored events were sent; what comes now is new (EOSE, with NIP-67's hints).
        record EndOfStored(List<String> hints) implements Item {
            /// Copies the list.
            public EndOfStored {
                hints = List.copyOf(hints);
            }
        }

        /// The relay ended the subscription (CLOSED). Nothing comes after it.
        record Refused(String text) implements Item {}

        /// The connection is lost. Nothing comes after it.
        record Lost(String reason) implements Item {}
    }

    /// Waits for the next item. After the last one it is that one again.
    ///
    /// @return empty when nothing came in time
    /// @throws IllegalStateException when the subscription was closed by this side
    public Optional<Item> next(Duration patience) throws InterruptedException {
        long nanos = patience.toNanos();
        lock.lockInterruptibly();
        try {
            while (items.isEmpty() && last == null) {
                requireOpen();
                if (nanos <= 0) {
                    return Optional.empty();
                }
                nanos = changed.awaitNanos(nanos);
            }
            requireOpen();
            Item item = items.isEmpty() ? last : items.poll();
            changed.signalAll();
            return Optional.of(item);
        } finally {
            lock.unlock();
        }
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("the subscription is closed");
        }
    }

    /// Ends the subscription; what waits is dropped.
    @Override
    public void close() {
        boolean wasLast;
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            wasLast = last != null;
            items.clear();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        connection.forget(this, !wasLast);
    }

    String id() {
        return id;
    }

    boolean asksFor(Event event) {
        for (Filter filter : filters) {
            if (filter.matches(event.packed(), 0)) {
                return true;
            }
        }
        return false;
    }

    /// Called by the reading thread: waits while the queue is full.
    void put(Item item) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (items.size() >= capacity && !closed && last == null) {
                changed.await(1, TimeUnit.MINUTES);
            }
            if (!closed && last == null) {
                items.add(item);
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /// Called once nothing can come any more: `item` is what [#next] says from then on, after what waits.
    void end(Item item) {
        lock.lock();
        try {
            if (last == null) {
                last = item;
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }
}
