package postroad.sync.core;

/// What a name in a tree stands for. Anything else (pipes, sockets, devices) is never sent.
public enum Kind {
    /// A regular file.
    FILE,
    /// A folder.
    FOLDER,
    /// A symbolic link, sent as a link.
    LINK
}
