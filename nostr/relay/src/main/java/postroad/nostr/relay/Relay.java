package postroad.nostr.relay;

import java.net.URI;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import postroad.nostr.core.Viewer;
import postroad.nostr.store.EventStore;

/// What all parts of one running relay share: its configuration, the store, the pipeline of events, the
/// workers, the counters and whether it is stopping. Any thread may call.
final class Relay {
    private final RelayConfig config;
    private final EventStore store;
    private final LongSupplier clock;
    private final Counters counters = new Counters();
    private final Addresses addresses;
    private final EventPolicy policy;
    private final QueryPolicy queries;
    private final Workers scans;
    private final Workers shortCounts;
    private final Workers longCounts;
    private final Writer writer;
    private final Verifiers verifiers;
    private final Memory memory;
    private final ByteBudget messages;
    private final ByteBudget subscriptions;
    private final ByteBudget output;
    private final byte[] document;
    private final Viewer stranger;
    private final Set<String> paths;
    private volatile boolean stopping;

    /// @param clock the time in seconds
    Relay(RelayConfig config, EventStore store, LongSupplier clock, Memory memory) {
        this.config = config;
        this.store = store;
        this.clock = clock;
        this.memory = memory;
        this.messages = new ByteBudget(memory.messages());
        this.subscriptions = new ByteBudget(memory.subscriptions());
        this.output = new ByteBudget(memory.output());
        this.addresses = new Addresses(config);
        this.policy = new EventPolicy(config, clock);
        this.queries = new QueryPolicy(config);
        this.scans = new Workers("relay-scan", Math.max(2, config.loops()), store);
        this.shortCounts = new Workers("relay-count", 1, store);
        this.longCounts = new Workers("relay-long-count", 1, store);
        this.writer = new Writer(store, clock);
        this.verifiers = new Verifiers(config.verifiers(), writer);
        this.document = new RelayDocument(config).json();
        this.stranger = Viewer.of(Set.of(), config.privateKinds());
        this.paths = config.urls().stream()
                .map(url -> URI.create(url.text()).getPath())
                .flatMap(path -> Stream.of(path, path + "/"))
                .collect(Collectors.toUnmodifiableSet());
    }

    RelayConfig config() {
        return config;
    }

    Limits limits() {
        return config.limits();
    }

    EventStore store() {
        return store;
    }

    /// The time in seconds.
    long now() {
        return clock.getAsLong();
    }

    Counters counters() {
        return counters;
    }

    Addresses addresses() {
        return addresses;
    }

    EventPolicy policy() {
        return policy;
    }

    QueryPolicy queries() {
        return queries;
    }

    /// Threads for what exceeds a loop's budget.
    Workers scans() {
        return scans;
    }

    /// The thread on which each count begins.
    Workers shortCounts() {
        return shortCounts;
    }

    /// The thread for counts that have not ended within a short turn.
    Workers longCounts() {
        return longCounts;
    }

    Writer writer() {
        return writer;
    }

    Verifiers verifiers() {
        return verifiers;
    }

    /// Whether so many events are in flight that sockets are read no further.
    boolean isIngestFull() {
        return writer.bytesInFlight() > memory.ingest();
    }

    /// What messages that have begun and not ended take.
    ByteBudget messages() {
        return messages;
    }

    /// What open subscriptions take.
    ByteBudget subscriptions() {
        return subscriptions;
    }

    /// What waits for readers takes.
    ByteBudget output() {
        return output;
    }

    /// A connection that has proven no key.
    Viewer stranger() {
        return stranger;
    }

    /// The NIP-11 document.
    byte[] document() {
        return document;
    }

    /// Whether `path` is the relay's: the root, or the path of one of its own addresses.
    boolean serves(String path) {
        return path.equals("/") || path.isEmpty() || paths.contains(path);
    }

    /// Whether no new work is taken.
    boolean isStopping() {
        return stopping;
    }

    /// Takes no new work from now on.
    void stopTaking() {
        stopping = true;
    }

    /// Gives every loop to those who hand results back.
    void serveLoops(List<Loop> loops) {
        writer.serve(loops);
    }
}
