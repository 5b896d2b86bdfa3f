package postroad.lab.folders;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/// A program that brings a folder to another place, both of its ends as processes of their own.
interface Contender {
    /// How the table calls it.
    String name();

    /// Whether it is this program.
    boolean isOurs();

    /// Why it cannot be run here; empty when it can.
    Optional<String> missing() throws IOException;

    /// How names end that it keeps for itself beside the files, in both trees; empty when it keeps none.
    Optional<String> ownNames();

    /// Makes `target` what `source` is, and removes what only `target` has. Both are folders.
    ///
    /// @return from the start of the sending process until it has ended, and the receiving one too
    ///     where that is for this one session
    /// @throws IOException when it did not end well within `limit`
    Duration bring(Path source, Path target, Wan wan, Duration limit) throws IOException, InterruptedException;
}
