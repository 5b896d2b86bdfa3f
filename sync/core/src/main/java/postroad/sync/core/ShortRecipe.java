package postroad.sync.core;

import java.util.Arrays;

/// The chunks of one version of a file, or of a part of it, as they go over the wire: lengths and short
/// ids.
///
/// Packed into arrays, 28 bytes a chunk.
public final class ShortRecipe {
    private final ChunkClass chunkClass;
    private final ChunkLengths lengths;
    private final long[] ids;

    private ShortRecipe(ChunkClass chunkClass, ChunkLengths lengths, long[] ids) {
        this.chunkClass = chunkClass;
        this.lengths = lengths;
        this.ids = ids;
    }

    /// How the file was cut.
    public ChunkClass chunkClass() {
        return chunkClass;
    }

    /// How many chunks it has.
    public int count() {
        return lengths.count();
    }

    /// How many bytes they have together.
    public long size() {
        return lengths.size();
    }

    /// Bytes of the chunk `index`.
    public int length(int index) {
        return lengths.length(index);
    }

    /// Where the chunk `index` begins, counted from the first one here; with [#count], the size.
    public long offset(int index) {
        return lengths.offset(index);
    }

    /// The leading part of the SHA-256 of the chunk `index`.
    public ShortId shortId(int index) {
        return new ShortId(ids[2 * index], ids[2 * index + 1]);
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof ShortRecipe that) || chunkClass != that.chunkClass || count() != that.count()) {
            return false;
        }
        for (int i = 0; i < count(); i++) {
            if (length(i) != that.length(i)) {
                return false;
            }
        }
        return Arrays.equals(ids, that.ids);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(ids);
    }

    @Override
    public String toString() {
        return "ShortRecipe[" + chunkClass + ", " + count() + " chunks, " + size() + " bytes]";
    }

    /// Collects chunks in file order, one by one or part by part.
    public static final class Builder {
        private final ChunkClass chunkClass;
        private final ChunkLengths.Builder lengths;
        private long[] ids = new long[16];
        private int count;

        /// For a file that is cut as `chunkClass` says.
        public Builder(ChunkClass chunkClass) {
            this.chunkClass = chunkClass;
            lengths = new ChunkLengths.Builder(chunkClass);
        }

        /// Adds the next chunk.
        ///
        /// @throws IllegalArgumentException if the class has no chunks of that length
        public void add(int length, ShortId id) {
            int at = 2 * lengths.add(length);
            if (at == ids.length) {
                ids = Arrays.copyOf(ids, Math.multiplyExact(count + (count >> 1), 2));
            }
            ids[at] = id.high();
            ids[at + 1] = id.low();
            count++;
        }

        /// Adds the chunks of the next part.
        ///
        /// @throws IllegalArgumentException if the part was cut as another class
        public void add(ShortRecipe part) {
            if (part.chunkClass != chunkClass) {
                throw new IllegalArgumentException(
                        "a part of class " + part.chunkClass + " in a recipe of " + chunkClass);
            }
            for (int i = 0; i < part.count(); i++) {
                add(part.length(i), part.shortId(i));
            }
        }

        /// How many were added.
        public int count() {
            return count;
        }

        /// The recipe of what was added.
        public ShortRecipe build() {
            return new ShortRecipe(chunkClass, lengths.build(), Arrays.copyOf(ids, 2 * count));
        }
    }
}
