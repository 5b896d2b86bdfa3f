package postroad.sync.folder;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import postroad.sync.core.TreePath;

/// Read-only folders that their owner opened for the time of one commit or delete, to be closed again right after.
///
/// A process that is killed in between leaves them writable for their owner, no one else; the next session finds their
/// modes different and sets them.
final class Unlocked implements AutoCloseable {
    private static final int OWNER = 0700;

    private final Tree tree;
    private final Deque<TreePath> paths = new ArrayDeque<>();
    private final Deque<Integer> modes = new ArrayDeque<>();
    private final Set<TreePath> seen = new HashSet<>();

    Unlocked(Tree tree) {
        this.tree = tree;
    }

    /// Opens `folder` and the folders that it lies in, as far as they are this user's; whether that changed anything.
    boolean unlock(TreePath folder) throws TreeException {
        boolean changed = !folder.isTop() && unlock(folder.parent());
        if (!seen.add(folder)) {
            return changed;
        }
        EntryStat stat = tree.stat(folder).orElse(null);
        boolean locked = stat != null && stat.type() == EntryStat.Type.FOLDER && (stat.mode() & OWNER) != OWNER;
        if (!locked || stat.owner() != Posix.user()) {
            return changed;
        }
        tree.setMode(folder, stat.mode() | OWNER);
        paths.push(folder);
        modes.push(stat.mode());
        return true;
    }

    /// Gives them their modes back, inner ones first; those that are gone are no longer its business.
    @Override
    public void close() {
        while (!paths.isEmpty()) {
            try {
                tree.setMode(paths.pop(), modes.pop());
            } catch (TreeException e) {
                // Gone or taken over by somebody else: there is no mode left to restore.
            }
        }
    }
}
