package postroad.sync.core;

import java.util.Arrays;
import postroad.common.Bytes32;

/// The chunks of one version of a file as the side that read it knows them: lengths and whole hashes.
///
/// Packed into arrays, 44 bytes a chunk, so that the recipe of a large file stays small.
public final class Recipe {
    private final ChunkClass chunkClass;
    private final ChunkLengths lengths;
    private final byte[] hashes;

    private Recipe(ChunkClass chunkClass, ChunkLengths lengths, byte[] hashes) {
        this.chunkClass = chunkClass;
        this.lengths = lengths;
        this.hashes = hashes;
    }

    /// How the file was cut.
    public ChunkClass chunkClass() {
        return chunkClass;
    }

    /// How many chunks it has.
    public int count() {
        return lengths.count();
    }

    /// How many bytes the file has.
    public long size() {
        return lengths.size();
    }

    /// Bytes of the chunk `index`.
    public int length(int index) {
        return lengths.length(index);
    }

    /// Where the chunk `index` begins; with [#count], the size.
    public long offset(int index) {
        return lengths.offset(index);
    }

    /// SHA-256 of the chunk `index`.
    public Bytes32 hash(int index) {
        return Bytes32.of(hashes, index * Bytes32.LENGTH);
    }

    /// The leading part of [#hash].
    public ShortId shortId(int index) {
        return ShortId.of(hash(index));
    }

    /// The file's [RootHash].
    public Bytes32 root() {
        RootHash root = new RootHash();
        for (int i = 0; i < count(); i++) {
            root.add(length(i), hashes, i * Bytes32.LENGTH);
        }
        return root.finish();
    }

    /// `count` chunks beginning with `first`, as they go over the wire.
    public ShortRecipe shortened(int first, int count) {
        ShortRecipe.Builder part = new ShortRecipe.Builder(chunkClass);
        for (int i = first; i < first + count; i++) {
            part.add(length(i), shortId(i));
        }
        return part.build();
    }

    /// Collects chunks in file order.
    public static final class Builder {
        private final ChunkClass chunkClass;
        private final ChunkLengths.Builder lengths;
        private byte[] hashes = new byte[8 * Bytes32.LENGTH];
        private int count;

        /// For a file that is cut as `chunkClass` says.
        public Builder(ChunkClass chunkClass) {
            this.chunkClass = chunkClass;
            lengths = new ChunkLengths.Builder(chunkClass);
        }

        /// Adds the next chunk, whose hash is at `hash[at, at + 32)`.
        ///
        /// @throws IllegalArgumentException if the class has no chunks of that length
        public void add(int length, byte[] hash, int at) {
            int offset = lengths.add(length) * Bytes32.LENGTH;
            if (offset == hashes.length) {
                hashes = Arrays.copyOf(hashes, Math.multiplyExact(count + (count >> 1), Bytes32.LENGTH));
            }
            System.arraycopy(hash, at, hashes, offset, Bytes32.LENGTH);
            count++;
        }

        /// How many were added.
        public int count() {
            return count;
        }

        /// The recipe of what was added.
        public Recipe build() {
            return new Recipe(chunkClass, lengths.build(), Arrays.copyOf(hashes, count * Bytes32.LENGTH));
        }
    }
}
