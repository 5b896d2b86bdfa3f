package postroad.wire;

final class MemoryLinksTest extends LinkContract {
    @Override
    LinkPair open() {
        return MemoryLinks.pair(100_000);
    }
}
