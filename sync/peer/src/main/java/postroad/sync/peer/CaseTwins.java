package postroad.sync.peer;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import postroad.sync.core.TreePath;
import postroad.sync.folder.Spelling;

/// Finds entries that a file system without regard to upper and lower case takes for one that came before: one would
/// silently replace the other.
///
/// Told of all entries in their order; holds the names in the folders on the current path, and nothing where case
/// counts. Case is that of Unicode, character by character; a file system that takes still more names for one
/// another is not seen through. Owned by the comparer.
final class CaseTwins {
    private final boolean anyCase;
    private final Deque<Level> levels = new ArrayDeque<>();

    private record Level(Optional<TreePath> folder, Set<String> names) {
        boolean holds(Optional<TreePath> other) {
            return folder.isEmpty()
                    || folder.equals(other)
                    || other.filter(each -> each.isBelow(folder.get())).isPresent();
        }
    }

    /// @param anyCase whether the file system takes names of other case for the same
    CaseTwins(boolean anyCase) {
        this.anyCase = anyCase;
    }

    /// Whether a name in the same folder that was told before differs in case only.
    boolean isTwin(TreePath path) {
        if (!anyCase) {
            return false;
        }
        Optional<TreePath> folder = path.isTop() ? Optional.empty() : Optional.of(path.parent());
        while (!levels.isEmpty() && !levels.getLast().holds(folder)) {
            levels.removeLast();
        }
        if (levels.isEmpty() || !levels.getLast().folder().equals(folder)) {
            levels.addLast(new Level(folder, new HashSet<>()));
        }
        return !levels.getLast().names().add(Spelling.folded(path.name()));
    }
}
