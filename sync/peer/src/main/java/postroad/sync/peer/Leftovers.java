package postroad.sync.peer;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import postroad.sync.core.ChunkClass;
import postroad.sync.core.Recipe;
import postroad.sync.core.SessionOptions;
import postroad.sync.core.ShortId;
import postroad.sync.folder.EntryStat;
import postroad.sync.folder.FileHandle;
import postroad.sync.folder.Leftover;
import postroad.sync.folder.TreeException;

/// What a broken session left staged, as chunks to begin from. Made once, then read by any thread.
///
/// Each file has the size that its whole was to have, so it is cut the way its sender will cut it. What had not
/// arrived are holes, which match nothing.
final class Leftovers {
    /// Nothing was left.
    static final Leftovers NONE = new Leftovers();
    /// Files that are read, the largest first: as many as a session has under way.
    private static final int MOST_FILES = SessionOptions.DEFAULT.inFlight();
    /// Chunks that are remembered, about 100 bytes each.
    private static final int MOST_CHUNKS = 400_000;

    /// Where a chunk lies.
    record Place(Leftover leftover, long offset) {}

    private final Map<ShortId, Place> chunks = new HashMap<>();

    private Leftovers() {}

    /// Cuts and hashes the files.
    static Leftovers of(List<Leftover> found) {
        Leftovers leftovers = new Leftovers();
        FileCutter cutter = new FileCutter();
        found.stream().limit(MOST_FILES).forEach(each -> leftovers.add(each, cutter));
        return leftovers;
    }

    private void add(Leftover leftover, FileCutter cutter) {
        if (chunks.size() >= MOST_CHUNKS) {
            return;
        }
        try (FileHandle file = leftover.open()) {
            EntryStat version = file.stat();
            Optional<Recipe> recipe = cutter.cut(file, version, ChunkClass.ofSize(version.size()));
            for (int i = 0; recipe.isPresent() && i < recipe.get().count() && chunks.size() < MOST_CHUNKS; i++) {
                chunks.putIfAbsent(
                        recipe.get().shortId(i),
                        new Place(leftover, recipe.get().offset(i)));
            }
        } catch (TreeException e) {
            // A leftover that cannot be read helps nobody.
        }
    }

    /// Where a chunk with this id may be.
    Optional<Place> find(ShortId id) {
        return Optional.ofNullable(chunks.get(id));
    }
}
