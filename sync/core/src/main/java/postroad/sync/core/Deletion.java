package postroad.sync.core;

/// A name that the receiver removed, or would remove in a dry run.
public record Deletion(TreePath path, Kind kind) {}
