package postroad.sync.peer;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import postroad.sync.core.Entry;

/// The receiver's entries that need something, by id, and of the files among them what has arrived. Thread-safe.
///
/// Holds as many as may be open at a time, and the folders.
final class Ledger {
    private final Map<Long, Entry> entries = new ConcurrentHashMap<>();
    private final Map<Long, Incoming> files = new ConcurrentHashMap<>();

    /// Notes an entry that needs something.
    void add(long id, Entry entry) {
        entries.put(id, entry);
    }

    /// Notes a file that is wanted.
    void add(Incoming file) {
        entries.put(file.id(), file.entry());
        files.put(file.id(), file);
    }

    /// The entry; it must be there.
    Entry entry(long id) {
        Entry entry = entries.get(id);
        if (entry == null) {
            throw new IllegalStateException("entry " + id + " is not open");
        }
        return entry;
    }

    /// What has arrived of a file, or null when it is not wanted (any more).
    Incoming file(long id) {
        return files.get(id);
    }

    /// Forgets it.
    void remove(long id) {
        entries.remove(id);
        files.remove(id);
    }
}
