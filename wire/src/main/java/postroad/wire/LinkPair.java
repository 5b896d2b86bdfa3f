package postroad.wire;

/// The two ends of a link inside this process: what one writes the other reads.
public record LinkPair(Link a, Link b) implements AutoCloseable {
    @Override
    public void close() {
        a.close();
        b.close();
    }
}
