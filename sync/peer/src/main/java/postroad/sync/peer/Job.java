package postroad.sync.peer;

import java.util.List;
import postroad.sync.core.ChunkRange;
import postroad.sync.core.Recipe;

/// Work of the sender that reads a file.
sealed interface Job {
    /// The file.
    long id();

    /// Which try at the file it is, from 0.
    int attempt();

    /// Send all of it.
    ///
    /// @param link the only link that may carry it, or -1
    record Whole(long id, int attempt, int link) implements Job {}

    /// Cut and hash it, so that the receiver can say what it lacks.
    record Describe(long id, int attempt) implements Job {}

    /// Send what the receiver lacks of a described file.
    record Chunks(long id, int attempt, Recipe recipe, List<ChunkRange> ranges, int link) implements Job {}
}
