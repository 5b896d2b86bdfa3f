package postroad.sync.peer;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import postroad.sync.core.TreePath;

/// Which parts of which files a sender has written to its connections, over all sessions of one run, and how much of
/// them more than once. Thread-safe.
///
/// A file is forgotten when the receiver says that it is in its place. Bounded: parts beyond [#MOST] are not
/// remembered, so what goes out again of them is not seen.
public final class SentParts {
    /// Parts that are remembered, about 100 bytes each; parts that touch are one.
    private static final int MOST = 100_000;

    private final Map<TreePath, TreeMap<Long, Long>> files = new HashMap<>();
    private int parts;
    private long again;

    /// `length` bytes of a file from `offset` on were written.
    synchronized void add(TreePath file, long offset, long length) {
        TreeMap<Long, Long> ends = files.computeIfAbsent(file, path -> new TreeMap<>());
        long from = offset;
        long to = offset + length;
        Map.Entry<Long, Long> known = ends.floorEntry(to);
        while (known != null && known.getValue() >= from) {
            again += Math.max(0, Math.min(known.getValue(), offset + length) - Math.max(known.getKey(), offset));
            from = Math.min(from, known.getKey());
            to = Math.max(to, known.getValue());
            ends.remove(known.getKey());
            parts--;
            known = ends.floorEntry(to);
        }
        if (parts < MOST) {
            ends.put(from, to);
            parts++;
        }
    }

    /// A file is done.
    synchronized void forget(TreePath file) {
        TreeMap<Long, Long> known = files.remove(file);
        parts -= known == null ? 0 : known.size();
    }

    /// Bytes of content that were written beyond one copy of each.
    public synchronized long again() {
        return again;
    }
}
