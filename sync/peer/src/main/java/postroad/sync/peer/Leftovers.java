package postroad.sync.peer;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import postroad.sync.core.ChunkClass;
import postroad.sync.core.Recipe;
import postroad.sync.core.ShortId;
import postroad.sync.folder.EntryStat;
import postroad.sync.folder.FileHandle;
import postroad.sync.folder.Leftover;
import postroad.sync.folder.TreeException;

/// What a broken session left staged, as chunks to begin from. Made once, then read by any thread.
///
/// Each file has the size that its whole was to have, so it is cut the way its sender will cut it. What had not
/// arrived are holes, which match nothing.
final class Leftovers implements AutoCloseable {
    /// Nothing was left.
    static final Leftovers NONE = new Leftovers();
    /// Chunks that are remembered, about 100 bytes each.
    private static final int MOST_FILES = 1000;
    private static final int MOST_CHUNKS = 400_000;

    /// Where a chunk lies.
    record Place(FileHandle file, long offset) {}

    private final List<FileHandle> files = new ArrayList<>();
    private final Map<ShortId, Place> chunks = new HashMap<>();

    private Leftovers() {}

    /// Cuts and hashes the largest of the files; they stay open until this is closed.
    static Leftovers of(List<Leftover> found) {
        Leftovers leftovers = new Leftovers();
        FileCutter cutter = new FileCutter();
        found.stream().limit(MOST_FILES).forEach(each -> leftovers.add(each, cutter));
        return leftovers;
    }

    private void add(Leftover leftover, FileCutter cutter) {
        try {
            FileHandle file = leftover.open();
            files.add(file);
            EntryStat version = file.stat();
            Optional<Recipe> recipe = cutter.cut(file, version, ChunkClass.ofSize(version.size()));
            for (int i = 0; recipe.isPresent() && i < recipe.get().count() && chunks.size() < MOST_CHUNKS; i++) {
                chunks.putIfAbsent(
                        recipe.get().shortId(i), new Place(file, recipe.get().offset(i)));
            }
        } catch (TreeException e) {
            // A leftover that cannot be read helps nobody.
        }
    }

    /// Where a chunk with this id may be.
    Optional<Place> find(ShortId id) {
        return Optional.ofNullable(chunks.get(id));
    }

    @Override
    public void close() {
        files.forEach(FileHandle::close);
    }
}
