package postroad.wire;

import java.time.Duration;

/// Every rule of links, on a wire in real time.
final class ArrivalLinksTest extends LinkContract {
    @Override
    LinkPair open() {
        WireShape shape = new WireShape(Duration.ofMillis(2), 8_000_000_000L, Duration.ofMillis(1), 1);
        return SimulatedLinks.pair(SimulatedLinks.Model.ARRIVAL, shape, SimulatedLinks.BOUND);
    }
}
