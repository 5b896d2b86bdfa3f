package postroad.sync.peer;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// What happens to a session, in order, for the one thread that owns it. Thread-safe. Bounded by what the peer may
/// send of each window and by how much the workers have under way.
///
/// @param <E> the side's events
final class Inbox<E> {
    private static final long TICK_MILLIS = 200;

    private final LinkedBlockingQueue<E> events = new LinkedBlockingQueue<>();

    void add(E event) {
        events.add(event);
    }

    /// The next event, or null when nothing happened for a while.
    E poll() throws InterruptedException {
        return events.poll(TICK_MILLIS, TimeUnit.MILLISECONDS);
    }
}
