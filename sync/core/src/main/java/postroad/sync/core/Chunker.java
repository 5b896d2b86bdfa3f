package postroad.sync.core;

/// Cuts a file into chunks where its content says so.
public final class Chunker {
    private final ChunkClass chunkClass;

    /// For files of that class.
    public Chunker(ChunkClass chunkClass) {
        this.chunkClass = chunkClass;
    }

    /// The length of the first chunk of `buffer[from, to)`.
    public int cut(byte[] buffer, int from, int to) {
        return Math.min(chunkClass.max(), to - from);
    }
}
