package postroad.wire;

/// Links inside this process, with no wire between their ends.
public final class MemoryLinks {
    private MemoryLinks() {}

    /// Two ends; each direction holds at most `bound` bytes, then the writer waits.
    public static LinkPair pair(int bound) {
        return PipeLink.pair(new Pipe(Pipe.NONE, bound), new Pipe(Pipe.NONE, bound), "memory");
    }
}
