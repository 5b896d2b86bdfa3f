package postroad.sync.peer;

import java.util.ArrayDeque;
import postroad.sync.core.Frame;

/// Pages of the sender's entries on their way to the comparer, bounded by the window of entries. Thread-safe.
final class EntryQueue {
    /// Something that came.
    sealed interface Item {
        /// How long its frame was.
        int length();

        /// Some entries.
        record Page(Frame.Entries entries, int length) implements Item {}

        /// There are no more.
        record End(int length) implements Item {}
    }

    private final ArrayDeque<Item> items = new ArrayDeque<>();
    private boolean aborted;

    synchronized void add(Item item) {
        items.addLast(item);
        notifyAll();
    }

    /// The next one, waiting for it; null when the session is over.
    synchronized Item take() throws InterruptedException {
        while (items.isEmpty() && !aborted) {
            wait();
        }
        return aborted ? null : items.removeFirst();
    }

    synchronized boolean isEmpty() {
        return items.isEmpty();
    }

    /// Nobody waits any more.
    synchronized void abort() {
        aborted = true;
        notifyAll();
    }
}
