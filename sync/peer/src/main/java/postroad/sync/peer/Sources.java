package postroad.sync.peer;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import postroad.sync.core.ChunkClass;
import postroad.sync.core.Entry;
import postroad.sync.core.TreePath;
import postroad.sync.folder.ChunkMemory;
import postroad.sync.folder.EntryStat;
import postroad.sync.folder.Leftover;

/// Where the receiver may find content that it has already, for files that are new to it. Thread-safe.
///
/// Files that the sender no longer has are orphans: one of them may have been renamed into a new name.
final class Sources {
    /// A file of the receiver's that the sender does not have.
    record Orphan(TreePath path, EntryStat version) {}

    /// What shows that a staged file was whole: it has its size and time only then.
    private record Left(long size, long seconds) {}

    /// Orphans that are remembered; more are forgotten, which costs content and nothing else.
    private static final int MOST_ORPHANS = 100_000;

    private final ChunkMemory memory;
    private final boolean treeIsEmpty;
    private final Set<Left> leftovers = new HashSet<>();
    private final TreeMap<Long, List<Orphan>> bySize = new TreeMap<>();
    private final Map<TreePath, List<Orphan>> byName = new HashMap<>();
    private int orphans;

    /// @param treeIsEmpty whether the receiver's tree held nothing at the beginning
    /// @param left what a broken session left staged
    Sources(ChunkMemory memory, boolean treeIsEmpty, List<Leftover> left) {
        this.memory = memory;
        this.treeIsEmpty = treeIsEmpty;
        left.forEach(each -> leftovers.add(new Left(each.size(), each.seconds())));
    }

    /// What is remembered of hashed files.
    ChunkMemory memory() {
        return memory;
    }

    /// Whether nothing can be found, now or later.
    boolean mayNeverHave() {
        return treeIsEmpty && leftovers.isEmpty();
    }

    /// Whether a broken session may have staged `entry` whole. So a small file, which is not worth a recipe else, is
    /// found again.
    boolean mayBeLeft(Entry entry) {
        return leftovers.contains(new Left(entry.size(), entry.seconds()));
    }

    /// A file that the sender does not have.
    synchronized void orphan(Entry entry, EntryStat version) {
        if (orphans < MOST_ORPHANS) {
            orphans++;
            Orphan orphan = new Orphan(entry.path(), version);
            bySize.computeIfAbsent(version.size(), size -> new ArrayList<>(1)).add(orphan);
            byName.computeIfAbsent(nameOf(entry), name -> new ArrayList<>(1)).add(orphan);
        }
    }

    private static TreePath nameOf(Entry entry) {
        return TreePath.of(entry.path().name());
    }

    /// Whether a recipe of this class may find something.
    synchronized boolean mayHave(ChunkClass cutAs) {
        return !leftovers.isEmpty() || orphans > 0 || memory.knowsAny(cutAs);
    }

    /// Orphans that `entry` may have been, the likeliest first, at most `most`: of the same size, else of the same
    /// name, else of nearly its size.
    synchronized List<Orphan> candidates(Entry entry, int most) {
        Set<Orphan> found = new LinkedHashSet<>(bySize.getOrDefault(entry.size(), List.of()));
        found.addAll(byName.getOrDefault(nameOf(entry), List.of()));
        long near = entry.size() / 8;
        for (List<Orphan> each : bySize.subMap(entry.size() - near, true, entry.size() + near, true)
                .values()) {
            if (found.size() >= most) {
                break;
            }
            found.addAll(each);
        }
        return found.stream().limit(most).toList();
    }
}
