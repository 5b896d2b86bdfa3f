package postroad.sync.folder;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import postroad.sync.core.TreePath;

/// Locked folders that are open for the time of one commit, delete or look, and locked again when this is closed.
///
/// Owned by one thread.
final class Unlocked implements AutoCloseable {
    /// Folders that may be open before all of them are locked again; each has a handle.
    private static final int MOST = 128;

    private final Tree tree;
    private final Deque<Unlocker.Held> held = new ArrayDeque<>();
    private final Set<TreePath> seen = new HashSet<>();

    Unlocked(Tree tree) {
        this.tree = tree;
    }

    /// Opens `folder` and the folders that it lies in, as far as they are this user's; whether any of them was locked.
    /// When many are open, those go first: the next step needs none of them.
    boolean unlockAnew(TreePath folder) throws TreeException {
        if (held.size() >= MOST) {
            close();
        }
        return unlock(folder);
    }

    /// The same for a step under way, which needs what is open already.
    boolean unlock(TreePath folder) throws TreeException {
        boolean changed = !folder.isTop() && unlock(folder.parent());
        if (!seen.add(folder)) {
            return changed;
        }
        try (Folder parent = tree.folders().parentOf(folder)) {
            Optional<Unlocker.Held> opened = tree.unlocker().hold(parent.handle, folder.name());
            opened.ifPresent(held::push);
            return changed || opened.isPresent();
        }
    }

    /// Lets go of all of them, inner ones first.
    @Override
    public void close() {
        while (!held.isEmpty()) {
            held.pop().close();
        }
        seen.clear();
    }
}
