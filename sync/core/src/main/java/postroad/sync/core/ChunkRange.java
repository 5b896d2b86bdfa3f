package postroad.sync.core;

/// Some chunks of a file that follow each other.
///
/// @param first the index of the first
/// @param count how many, at least 1
public record ChunkRange(int first, int count) {
    /// Checks the ranges.
    public ChunkRange {
        if (first < 0 || count < 1 || first > Integer.MAX_VALUE - count) {
            throw new IllegalArgumentException("no range: " + count + " chunks from " + first);
        }
    }

    /// The index after the last.
    public int end() {
        return first + count;
    }
}
