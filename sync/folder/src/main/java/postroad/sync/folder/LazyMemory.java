package postroad.sync.folder;

import java.util.Optional;
import java.util.function.Supplier;
import postroad.sync.core.ChunkClass;
import postroad.sync.core.Recipe;
import postroad.sync.core.ShortId;
import postroad.sync.core.TreePath;

/// A memory that is opened when it is first needed, so that a session in which nothing is hashed never pays for it.
/// Thread-safe.
public final class LazyMemory implements ChunkMemory {
    private final Supplier<ChunkMemory> opening;
    private ChunkMemory opened;
    private boolean closed;

    /// @param opening opens the memory; called once at most
    public LazyMemory(Supplier<ChunkMemory> opening) {
        this.opening = opening;
    }

    private synchronized ChunkMemory memory() {
        if (opened == null) {
            opened = closed ? new NoMemory() : opening.get();
        }
        return opened;
    }

    @Override
    public Optional<Recipe> recall(EntryStat version, ChunkClass cutAs) {
        return version.size() < WORTH_REMEMBERING ? Optional.empty() : memory().recall(version, cutAs);
    }

    @Override
    public void remember(TreePath path, EntryStat version, Recipe recipe) {
        if (version.size() >= WORTH_REMEMBERING) {
            memory().remember(path, version, recipe);
        }
    }

    @Override
    public Optional<Place> find(ShortId id, ChunkClass cutAs) {
        return memory().find(id, cutAs);
    }

    @Override
    public void forget(Place place) {
        memory().forget(place);
    }

    @Override
    public boolean knowsAny(ChunkClass cutAs) {
        return memory().knowsAny(cutAs);
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (opened != null) {
            opened.close();
        }
    }
}
