package postroad.sync.peer;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongFunction;
import postroad.sync.core.Segment;
import postroad.sync.core.TreePath;

/// What went out of each open file, and over which links, so that a link that breaks costs only these files' content
/// again. Thread-safe; bounded by how many files may be open.
final class SentLog {
    private final LongFunction<TreePath> paths;
    private final Meter meter;
    private final Map<Long, Integer> links = new HashMap<>();

    /// @param paths names a file by its id
    /// @param meter is told what is written
    SentLog(LongFunction<TreePath> paths, Meter meter) {
        this.paths = paths;
        this.meter = meter;
    }

    /// `segments` are about to go over `link`.
    synchronized void add(int link, List<Segment> segments) {
        for (Segment segment : segments) {
            links.merge(segment.id(), 1 << link, (before, more) -> before | more);
        }
    }

    /// `segments` were written whole.
    synchronized void written(List<Segment> segments) {
        for (Segment segment : segments) {
            meter.parts().add(paths.apply(segment.id()), segment.offset(), segment.length());
            meter.underWay().came(segment.id(), segment.attempt(), segment.length());
        }
    }

    /// Nothing of the file is needed any more.
    synchronized void forget(long id) {
        links.remove(id);
    }

    /// The files that used `link`; they are forgotten, since they begin anew.
    synchronized Set<Long> takeAll(int link) {
        Set<Long> lost = new HashSet<>();
        links.forEach((id, used) -> {
            if ((used >> link & 1) != 0) {
                lost.add(id);
            }
        });
        lost.forEach(this::forget);
        return lost;
    }
}
