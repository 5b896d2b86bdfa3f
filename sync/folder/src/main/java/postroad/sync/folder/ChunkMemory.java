package postroad.sync.folder;

import java.util.Optional;
import postroad.sync.core.ChunkClass;
import postroad.sync.core.Recipe;
import postroad.sync.core.ShortId;
import postroad.sync.core.TreePath;

/// What is remembered of files that were hashed. A hint: whoever uses a chunk hashes it while copying it. Thread-safe.
public interface ChunkMemory extends AutoCloseable {
    /// Files below this size are read faster than they are looked up, and are not remembered.
    long WORTH_REMEMBERING = 32 << 10;

    /// Where a chunk may be.
    ///
    /// @param path the file
    /// @param version what that file was when it was hashed
    /// @param offset where in it the chunk begins
    /// @param length bytes of the chunk
    record Place(TreePath path, EntryStat version, long offset, int length) {}

    /// The recipe of this very version of a file, if it was cut as `cutAs`.
    Optional<Recipe> recall(EntryStat version, ChunkClass cutAs);

    /// Remembers the recipe of a version of the file at `path`. A version so young that a later write could leave its
    /// times as they are is not trusted later.
    void remember(TreePath path, EntryStat version, Recipe recipe);

    /// A place where a chunk with this id may be.
    Optional<Place> find(ShortId id, ChunkClass cutAs);

    /// Drops what is remembered of a place where something else is now, or nothing.
    void forget(Place place);

    /// Whether there is anything to find among files that are cut as `cutAs`.
    boolean knowsAny(ChunkClass cutAs);

    @Override
    void close();
}
