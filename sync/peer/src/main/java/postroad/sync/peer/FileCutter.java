package postroad.sync.peer;

import java.util.Optional;
import java.util.function.LongConsumer;
import postroad.common.Bytes32;
import postroad.common.Sha256;
import postroad.sync.core.ChunkClass;
import postroad.sync.core.Chunker;
import postroad.sync.core.Recipe;
import postroad.sync.folder.EntryStat;
import postroad.sync.folder.FileHandle;
import postroad.sync.folder.TreeException;

/// Reads a file once, front to back, and makes its recipe. Owned by one thread; keeps its buffer.
final class FileCutter {
    private static final int BUFFER = 1 << 20;

    private final Sha256 sha = new Sha256();
    private final byte[] hash = new byte[Bytes32.LENGTH];
    private byte[] buffer = new byte[0];

    /// The recipe of the version that `before` tells of; empty when the file changed meanwhile.
    Optional<Recipe> cut(FileHandle file, EntryStat before, ChunkClass cutAs) throws TreeException {
        return cut(file, before, cutAs, bytes -> {});
    }

    /// The same.
    ///
    /// @param progress is told how many bytes more were read
    Optional<Recipe> cut(FileHandle file, EntryStat before, ChunkClass cutAs, LongConsumer progress)
            throws TreeException {
        Recipe.Builder recipe = new Recipe.Builder(cutAs);
        Chunker chunker = new Chunker(cutAs);
        reserve((int) Math.min(before.size(), Math.max(BUFFER, 2 * cutAs.max())));
        long offset = 0;
        int filled = 0;
        while (offset < before.size() || filled > 0) {
            int wanted = (int) Math.min(buffer.length - filled, before.size() - offset);
            int read = wanted == 0 ? 0 : file.read(offset, buffer, filled, wanted);
            if (read < wanted) {
                return Optional.empty();
            }
            offset += read;
            progress.accept(read);
            filled = cutChunks(chunker, recipe, filled + read, cutAs, offset == before.size());
        }
        return file.stat().isSameVersion(before) ? Optional.of(recipe.build()) : Optional.empty();
    }

    /// Cuts what can be cut; what is left moves to the front. Returns how much that is.
    private int cutChunks(Chunker chunker, Recipe.Builder recipe, int filled, ChunkClass cutAs, boolean last) {
        int from = 0;
        while (filled - from >= cutAs.max() || last && filled > from) {
            int length = chunker.cut(buffer, from, filled);
            sha.update(buffer, from, length).finish(hash, 0);
            recipe.add(length, hash, 0);
            from += length;
        }
        System.arraycopy(buffer, from, buffer, 0, filled - from);
        return filled - from;
    }

    private void reserve(int size) {
        if (buffer.length < size) {
            buffer = new byte[size];
        }
    }
}
