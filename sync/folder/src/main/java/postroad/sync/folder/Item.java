package postroad.sync.folder;

import java.util.Optional;
import postroad.sync.core.Entry;
import postroad.sync.core.TreePath;

/// What a [Walker] comes upon.
public sealed interface Item {
    /// A file, folder or link.
    ///
    /// @param stat what the system knows of it; for files the key of the memory of what was hashed
    record Found(Entry entry, EntryStat stat) implements Item {}

    /// A name that is never sent: a pipe, a socket, a device.
    ///
    /// @param why what it is, for people
    record Skipped(TreePath path, String why) implements Item {}

    /// A name, or a folder's content, that could not be read: the tree is not known in full, so nothing may be deleted
    /// because it is missing here.
    ///
    /// @param path where; empty for the root and for names that no path can hold
    /// @param shown the name for people
    /// @param why in plain words
    record Fault(Optional<TreePath> path, String shown, Reason reason, String why) implements Item {}

    /// Nothing more comes.
    ///
    /// @param complete whether there was no [Fault]
    record End(boolean complete) implements Item {}
}
