package postroad.lab.latency;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import postroad.lab.sync.Dialing;
import postroad.wire.Identity;
import postroad.wire.Link;
import postroad.wire.LinkPair;
import postroad.wire.SimulatedLinks;
import postroad.wire.TlsLink;
import postroad.wire.WireShape;

/// Links over wires that take time, each on a wire of its own, with TLS inside where that is wanted.
final class SimulatedDialing implements Dialing {
    /// Who the two sides are.
    record Identities(Identity sender, Identity receiver) {}

    private final LatencyPlan plan;
    private final int rttMillis;
    private final Optional<Identities> identities;
    private final AtomicLong opened = new AtomicLong();

    /// @param identities for TLS; empty without it
    SimulatedDialing(LatencyPlan plan, int rttMillis, Optional<Identities> identities) {
        this.plan = plan;
        this.rttMillis = rttMillis;
        this.identities = identities;
    }

    @Override
    public Link open(Consumer<Link> taker) throws IOException {
        WireShape shape = new WireShape(
                Duration.ofMillis(rttMillis),
                plan.bitsPerSecond(),
                Duration.ofMillis(rttMillis == 0 ? 0 : plan.jitterMillis()),
                plan.seed() + 2 * opened.getAndIncrement());
        LinkPair pair = SimulatedLinks.pair(plan.model(), shape, plan.bound());
        Thread.ofPlatform().daemon().name("latency-take").start(() -> {
            try {
                taker.accept(
                        identities.isPresent()
                                ? TlsLink.accept(pair.b(), identities.get().receiver())
                                : pair.b());
            } catch (IOException e) {
                // The side that dialed says it.
                pair.b().close();
            }
        });
        return identities.isPresent()
                ? TlsLink.connect(pair.a(), identities.get().sender())
                : pair.a();
    }
}
