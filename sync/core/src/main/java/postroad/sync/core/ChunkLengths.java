package postroad.sync.core;

import java.util.Arrays;

/// The lengths of a file's chunks as packed numbers, with where each begins.
final class ChunkLengths {
    private final int[] lengths;
    private final long[] offsets;

    private ChunkLengths(int[] lengths) {
        this.lengths = lengths;
        offsets = new long[lengths.length + 1];
        for (int i = 0; i < lengths.length; i++) {
            offsets[i + 1] = offsets[i] + lengths[i];
        }
    }

    int count() {
        return lengths.length;
    }

    long size() {
        return offsets[lengths.length];
    }

    int length(int index) {
        return lengths[index];
    }

    long offset(int index) {
        return offsets[index];
    }

    /// Collects lengths.
    static final class Builder {
        private final ChunkClass chunkClass;
        private int[] lengths = new int[8];
        private int count;

        Builder(ChunkClass chunkClass) {
            this.chunkClass = chunkClass;
        }

        /// The index of the length that was added.
        int add(int length) {
            if (length < 1 || length > chunkClass.max()) {
                throw new IllegalArgumentException("a chunk of class " + chunkClass + " has " + length + " bytes");
            }
            if (count == lengths.length) {
                lengths = Arrays.copyOf(lengths, count + (count >> 1));
            }
            lengths[count] = length;
            return count++;
        }

        ChunkLengths build() {
            return new ChunkLengths(Arrays.copyOf(lengths, count));
        }
    }
}
