package postroad.sync.folder;

import postroad.sync.core.Kind;
import postroad.sync.core.TreePath;

/// Decides which names of a tree are left alone: neither walked, sent nor deleted.
@FunctionalInterface
public interface EntryFilter {
    /// Leaves nothing out.
    EntryFilter NOTHING = (path, kind) -> false;

    /// Whether `path` is left out, given that the folder it lies in is not. A pipe, socket or device comes as a file.
    boolean excludes(TreePath path, Kind kind);
}
