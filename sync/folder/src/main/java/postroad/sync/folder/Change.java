package postroad.sync.folder;

import postroad.sync.core.LinkTarget;
import postroad.sync.core.TreePath;

/// One name that a commit puts in its place.
public sealed interface Change {
    /// Where.
    TreePath path();

    /// A file whose content is complete and [StagedFile#seal]ed.
    record PutFile(StagedFile staged, TreePath path) implements Change {}

    /// A symbolic link.
    ///
    /// @param seconds its own modification time
    /// @param nanos the part of a second
    record PutLink(TreePath path, LinkTarget target, long seconds, int nanos) implements Change {}
}
