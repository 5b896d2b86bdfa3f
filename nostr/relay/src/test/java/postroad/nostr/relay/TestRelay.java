package postroad.nostr.relay;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import postroad.nostr.core.Event;
import postroad.nostr.core.EventDraft;
import postroad.nostr.core.EventLimits;
import postroad.nostr.core.Filter;
import postroad.nostr.core.RelayUrl;
import postroad.nostr.core.Tag;
import postroad.nostr.kit.Keys;
import postroad.nostr.store.EventStore;
import postroad.nostr.store.LmdbStore;
import postroad.nostr.store.StoreOptions;

/// A relay on loopback with a throwaway store, a clock that the test sets, and keys to sign with.
final class TestRelay implements AutoCloseable {
    static final long NOW = 1_800_000_000;

    private final Path folder;
    private final EventStore store;
    private final RelayServer server;
    private final RelayConfig config;
    private final AtomicLong clock = new AtomicLong(NOW);
    private final Keys keys = new Keys(7);

    private TestRelay(RelayConfig config, UnaryOperator<EventStore> wrap, Transport transport, Memory memory) {
        try {
            this.folder = Files.createTempDirectory("relay-test");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.config = config;
        this.store = wrap.apply(LmdbStore.open(new StoreOptions(folder, 1L << 30, 0, config.urls(), false, false)));
        this.server = RelayServer.start(config, store, clock::get, transport, memory);
    }

    static TestRelay start() {
        return start(defaults());
    }

    static TestRelay start(Settings settings) {
        return new TestRelay(settings.config(), UnaryOperator.identity(), Transport.choose(), Memory.ofThisJvm());
    }

    static TestRelay start(Settings settings, UnaryOperator<EventStore> wrap) {
        return new TestRelay(settings.config(), wrap, Transport.choose(), Memory.ofThisJvm());
    }

    static TestRelay start(Settings settings, Transport transport) {
        return new TestRelay(settings.config(), UnaryOperator.identity(), transport, Memory.ofThisJvm());
    }

    static TestRelay start(Settings settings, Memory memory) {
        return new TestRelay(settings.config(), UnaryOperator.identity(), Transport.choose(), memory);
    }

    static Settings defaults() {
        return new Settings();
    }

    /// A configuration that a test changes where it cares.
    static final class Settings {
        AuthMode auth = AuthMode.OPTIONAL;
        Set<RelayUrl> urls = Set.of();
        List<String> trustedProxies = List.of();
        int messageBytes = 1 << 20;
        EventLimits event = new EventLimits(1_040_000, 2_000, 64 << 10, 1_000_000);
        int filters = 20;
        int filterValues = 5_000;
        int subscriptions = 64;
        int subscriptionIdLength = 64;
        int defaultLimit = 500;
        int maxLimit = 5_000;
        long scanEntries = 5_000_000;
        int outboxBytes = 16 << 20;
        int outboxPauseBytes = 1 << 20;
        int ingestBytes = 8 << 20;
        int connections = 20_000;
        int connectionsPerAddress = 10_000;
        long futureSeconds = 900;
        long pastSeconds = 0;
        int eventsPerSecond = 0;
        int requestsPerSecond = 0;
        Duration handshake = Duration.ofSeconds(10);
        Duration ping = Duration.ofSeconds(55);
        Duration idle = Duration.ofMinutes(2);
        Duration message = Duration.ofMinutes(1);
        Duration stall = Duration.ofMinutes(1);
        Duration stop = Duration.ofSeconds(10);
        int loops = 2;
        RelayInfo info = RelayInfo.DEFAULT;

        Settings with(java.util.function.Consumer<Settings> change) {
            change.accept(this);
            return this;
        }

        RelayConfig config() {
            return new RelayConfig(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                    urls,
                    auth,
                    RelayConfig.DEFAULT_PRIVATE_KINDS,
                    trustedProxies,
                    true,
                    new Limits(
                            messageBytes,
                            event,
                            filters,
                            filterValues,
                            subscriptions,
                            subscriptionIdLength,
                            defaultLimit,
                            maxLimit,
                            scanEntries,
                            outboxBytes,
                            outboxPauseBytes,
                            ingestBytes,
                            connections,
                            connectionsPerAddress,
                            futureSeconds,
                            pastSeconds,
                            eventsPerSecond,
                            requestsPerSecond),
                    new Timeouts(handshake, ping, idle, message, stall, stop),
                    info,
                    loops,
                    2,
                    false);
        }
    }

    InetSocketAddress address() {
        return server.address();
    }

    RelayConfig config() {
        return config;
    }

    RelayServer server() {
        return server;
    }

    EventStore store() {
        return store;
    }

    Keys keys() {
        return keys;
    }

    void setClock(long seconds) {
        clock.set(seconds);
    }

    RawClient client(String... headers) throws IOException {
        return RawClient.open(this, headers);
    }

    /// A client that has proven the key at `index`.
    RawClient clientOf(int index) throws IOException {
        RawClient client = client();
        authenticate(client, index);
        return client;
    }

    void authenticate(RawClient client, int index) throws IOException {
        Event answer = authEvent(client, index);
        client.send("[\"AUTH\"," + answer.json() + "]");
        String ok = client.next();
        if (!ok.contains("true")) {
            throw new IOException(ok);
        }
    }

    Event authEvent(RawClient client, int index) {
        return event(
                index,
                clock.get(),
                22_242,
                "",
                Tag.of("relay", "ws://" + client.host() + "/"),
                Tag.of("challenge", client.challenge()));
    }

    Event event(int author, long at, int kind, String content, Tag... tags) {
        return keys.signer(author).sign(new EventDraft(at, kind, List.of(tags), content));
    }

    Event note(int author, long at, String content, Tag... tags) {
        return event(author, at, 1, content, tags);
    }

    String key(int author) {
        return keys.publicKey(author).hex();
    }

    /// Writes past the policies.
    void ingest(List<Event> events) {
        server.ingest()
                .submit(events.stream()
                        .map(postroad.nostr.core.VerifiedEvent::unchecked)
                        .toList())
                .join();
    }

    static Filter.Kinds privateKinds() {
        return RelayConfig.DEFAULT_PRIVATE_KINDS;
    }

    @Override
    public void close() {
        server.close();
        store.close();
        try (var files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
