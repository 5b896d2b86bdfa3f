package postroad.sync.core;

/// What the receiver has at the place of an entry.
public sealed interface Local {
    /// Nothing.
    record Absent() implements Local {}

    /// A file, folder or link.
    record Present(Entry entry) implements Local {}

    /// Something that is never sent: a pipe, a socket, a device.
    record Special() implements Local {}
}
