package postroad.sync.peer;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import postroad.sync.core.Segment;

/// Which content went over which link and is not acknowledged yet, so that a link that breaks costs only a resend.
/// Thread-safe.
///
/// Bounded by the peer's content window and by how many files may be open.
final class SentLog {
    /// A piece of a file that may have been lost.
    record Piece(long id, int attempt, long offset, long length, boolean last) {}

    private final boolean keeps;
    private final Map<Long, Map<Piece, Integer>> byFile = new HashMap<>();

    /// @param keeps whether there is more than one link; with one, its end is the session's
    SentLog(boolean keeps) {
        this.keeps = keeps;
    }

    /// `segments` are about to go over `link`.
    synchronized void add(int link, List<Segment> segments) {
        if (!keeps) {
            return;
        }
        for (Segment segment : segments) {
            Piece piece = new Piece(
                    segment.id(),
                    segment.attempt(),
                    segment.offset(),
                    segment.length(),
                    segment.end().isPresent());
            byFile.computeIfAbsent(segment.id(), id -> new HashMap<>()).put(piece, link);
        }
    }

    /// Nothing of the file is needed any more.
    synchronized void forget(long id) {
        byFile.remove(id);
    }

    /// What went over `link`, in the order of files; it is forgotten.
    synchronized List<Piece> takeAll(int link) {
        List<Piece> lost = new ArrayList<>();
        Set<Long> ids = new TreeSet<>(byFile.keySet());
        for (Long id : ids) {
            Map<Piece, Integer> pieces = byFile.get(id);
            pieces.forEach((piece, over) -> {
                if (over == link) {
                    lost.add(piece);
                }
            });
            pieces.values().removeIf(over -> over == link);
        }
        return lost;
    }
}
