package postroad.sync.peer;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import postroad.sync.core.Entry;

/// The receiver's entries that need something, by id, and of the files among them what has arrived. Thread-safe.
///
/// Holds as many as may be open at a time: the comparer pauses while it is full.
final class Ledger implements ReceiverMachine.EntryNames {
    /// What a file that is under way takes, and any other entry, besides their names.
    private static final int FILE_BYTES = 800;
    private static final int ENTRY_BYTES = 250;

    private final long most;
    private long bytes;
    private boolean ended;
    private final Map<Long, Entry> entries = new ConcurrentHashMap<>();
    private final Map<Long, Incoming> files = new ConcurrentHashMap<>();

    /// @param most bytes of memory that it takes before it is full
    Ledger(long most) {
        this.most = most;
    }

    /// Notes an entry that needs something.
    void add(long id, Entry entry) {
        if (entries.put(id, entry) == null) {
            count(cost(id, entry));
        }
    }

    /// Notes a file that is wanted.
    void add(Incoming file) {
        files.put(file.id(), file);
        add(file.id(), file.entry());
    }

    private long cost(long id, Entry entry) {
        long names = (long) entry.path().length() + entry.target().length();
        return names + (files.containsKey(id) ? FILE_BYTES : ENTRY_BYTES);
    }

    private synchronized void count(long more) {
        bytes += more;
        notifyAll();
    }

    /// Whether no more should be added for now.
    synchronized boolean isFull() {
        return bytes >= most && !ended;
    }

    /// Waits while it is full.
    synchronized void awaitRoom() throws InterruptedException {
        while (isFull()) {
            wait();
        }
    }

    /// Nobody waits any more.
    synchronized void end() {
        ended = true;
        notifyAll();
    }

    /// The entry, unless it is not open (any more).
    @Override
    public Optional<Entry> of(long id) {
        return Optional.ofNullable(entries.get(id));
    }

    /// What has arrived of a file, or null when it is not wanted (any more).
    Incoming file(long id) {
        return files.get(id);
    }

    /// Forgets it.
    void remove(long id) {
        Entry entry = entries.remove(id);
        if (entry != null) {
            count(-cost(id, entry));
        }
        files.remove(id);
    }
}
