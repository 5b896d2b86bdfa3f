package postroad.sync.peer;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import postroad.sync.core.ChunkClass;
import postroad.sync.core.Recipe;
import postroad.sync.core.ShortId;
import postroad.sync.folder.EntryStat;
import postroad.sync.folder.FileHandle;
import postroad.sync.folder.TreeException;

/// What a broken session left staged, as chunks to begin from. Made once, then read by any thread.
///
/// Each file has the size that its whole was to have, so it is cut the way its sender will cut it. What had not
/// arrived are holes, which match nothing.
final class Leftovers implements AutoCloseable {
    /// Nothing was left.
    static final Leftovers NONE = new Leftovers(List.of());
    /// Chunks that are remembered, about 100 bytes each.
    private static final int MOST_CHUNKS = 400_000;

    /// Where a chunk lies.
    record Place(FileHandle file, long offset) {}

    private final List<FileHandle> files;
    private final Map<ShortId, Place> chunks = new HashMap<>();

    private Leftovers(List<FileHandle> files) {
        this.files = files;
    }

    /// Cuts and hashes the files, which are closed with this.
    static Leftovers of(List<FileHandle> files) {
        Leftovers leftovers = new Leftovers(files);
        FileCutter cutter = new FileCutter();
        files.forEach(file -> leftovers.add(file, cutter));
        return leftovers;
    }

    private void add(FileHandle file, FileCutter cutter) {
        try {
            EntryStat version = file.stat();
            Optional<Recipe> recipe = cutter.cut(file, version, ChunkClass.ofSize(version.size()));
            for (int i = 0; recipe.isPresent() && i < recipe.get().count() && chunks.size() < MOST_CHUNKS; i++) {
                chunks.putIfAbsent(recipe.get().shortId(i), new Place(file, recipe.get().offset(i)));
            }
        } catch (TreeException e) {
            // A leftover that cannot be read helps nobody.
        }
    }

    /// Whether there is nothing.
    boolean isEmpty() {
        return chunks.isEmpty();
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
