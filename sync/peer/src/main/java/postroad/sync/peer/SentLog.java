package postroad.sync.peer;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import postroad.sync.core.Segment;

/// Over which links content of each open file went, so that a link that breaks costs only these files' content again.
/// Thread-safe; bounded by how many files may be open.
final class SentLog {
    private final boolean keeps;
    private final Map<Long, Integer> linksOfFile = new HashMap<>();

    /// @param keeps whether there is more than one link; with one, its end is the session's
    SentLog(boolean keeps) {
        this.keeps = keeps;
    }

    /// `segments` are about to go over `link`.
    synchronized void add(int link, List<Segment> segments) {
        if (keeps) {
            for (Segment segment : segments) {
                linksOfFile.merge(segment.id(), 1 << link, (one, other) -> one | other);
            }
        }
    }

    /// Nothing of the file is needed any more.
    synchronized void forget(long id) {
        linksOfFile.remove(id);
    }

    /// The files that used `link`; they are forgotten, since they begin anew.
    synchronized Set<Long> takeAll(int link) {
        Set<Long> lost = new HashSet<>();
        linksOfFile.forEach((id, links) -> {
            if ((links >> link & 1) != 0) {
                lost.add(id);
            }
        });
        linksOfFile.keySet().removeAll(lost);
        return lost;
    }
}
