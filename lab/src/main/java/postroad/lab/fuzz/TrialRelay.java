package postroad.lab.fuzz;

import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import postroad.nostr.core.EventLimits;
import postroad.nostr.core.EventParser;
import postroad.nostr.core.Filter;
import postroad.nostr.core.PackedEvent;
import postroad.nostr.core.Query;
import postroad.nostr.core.VerifiedEvent;
import postroad.nostr.core.Viewer;
import postroad.nostr.relay.Limits;
import postroad.nostr.relay.RelayConfig;
import postroad.nostr.relay.RelayServer;
import postroad.nostr.relay.Timeouts;
import postroad.nostr.store.Budget;
import postroad.nostr.store.LmdbStore;
import postroad.nostr.store.Snapshot;
import postroad.nostr.store.StoreOptions;
import postroad.nostr.store.StoreReader;

/// A relay in this JVM on the loopback, with its own limits but shorter time-outs, to be mistreated.
public final class TrialRelay implements AutoCloseable {
    /// Short enough that a test can wait for them.
    public static final Timeouts SHORT = new Timeouts(
            Duration.ofSeconds(2),
            Duration.ofSeconds(2),
            Duration.ofSeconds(5),
            Duration.ofSeconds(4),
            Duration.ofSeconds(4),
            Duration.ofSeconds(5));

    private final LmdbStore store;
    private final RelayServer server;

    private TrialRelay(LmdbStore store, RelayServer server) {
        this.store = store;
        this.server = server;
    }

    /// Starts one with its store in `folder`.
    public static TrialRelay start(Path folder, Limits limits) {
        StoreOptions options = StoreOptions.at(folder);
        LmdbStore store = LmdbStore.open(
                new StoreOptions(folder, 1L << 30, options.reserveBytes(), options.ownUrls(), false, false));
        try {
            RelayConfig defaults = RelayConfig.at(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            RelayConfig config = new RelayConfig(
                    defaults.listen(),
                    defaults.urls(),
                    defaults.auth(),
                    defaults.privateKinds(),
                    defaults.trustedProxies(),
                    defaults.deflate(),
                    limits,
                    SHORT,
                    defaults.info(),
                    2,
                    defaults.verifiers(),
                    false);
            return new TrialRelay(store, RelayServer.start(config, store));
        } catch (RuntimeException e) {
            store.close();
            throw e;
        }
    }

    /// Where it serves.
    public InetSocketAddress address() {
        return server.address();
    }

    /// What is wrong with what it has stored: indexes that disagree, events that do not verify. Empty when
    /// all is well.
    public List<String> problems() {
        List<String> problems = new ArrayList<>(store.verify().problems());
        EventParser parser = new EventParser(EventLimits.HARD);
        try (StoreReader reader = store.reader();
                Snapshot snapshot = reader.open()) {
            Query everything = new Query(List.of(Filter.ALL), Viewer.OPERATOR);
            snapshot.run(store.plan(everything), 0, Budget.UNLIMITED, (base, at, length, sequence) -> {
                int offset = PackedEvent.jsonOffset(base, at);
                byte[] json = base.asSlice(at + offset, length - offset).toArray(ValueLayout.JAVA_BYTE);
                if (verified(parser.parse(json, 0, json.length)).isEmpty()) {
                    problems.add("stored, but not genuine: "
                            + PackedEvent.id(base, at).hex());
                }
                return true;
            });
        }
        return problems;
    }

    @Override
    public void close() {
        server.close();
        store.close();
    }

    private static Optional<VerifiedEvent> verified(EventParser.Result result) {
        return switch (result) {
            case EventParser.Result.Parsed(var event) -> VerifiedEvent.verify(event);
            case EventParser.Result.Refused ignored -> Optional.empty();
        };
    }
}
