package postroad.sync.core;

import java.util.Optional;

/// What the sender read at the end of a file that it sent.
///
/// @param version which version it was; empty when it is the one that its entry announced
/// @param root what is said of its [RootHash]
public record FileEnd(Optional<FileVersion> version, RootClaim root) {}
