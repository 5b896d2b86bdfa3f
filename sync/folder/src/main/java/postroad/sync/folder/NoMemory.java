package postroad.sync.folder;

import java.util.Optional;
import postroad.sync.core.ChunkClass;
import postroad.sync.core.Recipe;
import postroad.sync.core.ShortId;
import postroad.sync.core.TreePath;

/// Remembers nothing: what `--checksum` asks for.
public final class NoMemory implements ChunkMemory {
    @Override
    public Optional<Recipe> recall(EntryStat version, ChunkClass cutAs) {
        return Optional.empty();
    }

    @Override
    public void remember(TreePath path, EntryStat version, Recipe recipe) {}

    @Override
    public Optional<Place> find(ShortId id, ChunkClass cutAs) {
        return Optional.empty();
    }

    @Override
    public void forget(Place place) {}

    @Override
    public boolean knowsAny(ChunkClass cutAs) {
        return false;
    }

    @Override
    public void close() {}
}
