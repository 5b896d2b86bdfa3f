package postroad.wire;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/// Every rule of links, with TLS inside a wire in real time.
final class CoalescingLinksTest extends LinkContract {
    @TempDir
    private static Path folder;

    private static Identity identity;

    @BeforeAll
    static void makeIdentity() throws Exception {
        identity = Identity.loadOrCreate(folder);
    }

    @Override
    LinkPair open() throws Exception {
        WireShape shape = WireShape.ofRtt(Duration.ofMillis(2));
        LinkPair wire = SimulatedLinks.pair(SimulatedLinks.Model.COALESCING, shape, SimulatedLinks.BOUND);
        return TlsInMemoryTest.over(wire, identity, identity);
    }

    @Override
    boolean tellsCutsFromEnds() {
        return true;
    }
}
