package postroad.app;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import postroad.app.config.Config;
import postroad.app.config.Home;
import postroad.app.config.Version;
import postroad.app.control.ControlServer;
import postroad.app.control.NodeAccess;
import postroad.app.transfer.EventSink;
import postroad.nostr.core.VerifiedEvent;
import postroad.nostr.relay.RelayServer;
import postroad.nostr.relay.RelayStats;
import postroad.nostr.store.EventStore;
import postroad.nostr.store.LmdbStore;
import postroad.nostr.store.WriteResult;

/// A running node: a store, a relay that writes to it, and the control socket. Ended in the opposite order.
final class Node implements NodeAccess, AutoCloseable {
    private final Config config;
    private final EventStore store;
    private final RelayServer relay;
    private final ControlServer control;

    private Node(Home home, Config config, EventStore store, RelayServer relay) throws IOException {
        this.config = config;
        this.store = store;
        this.relay = relay;
        this.control = ControlServer.start(home.controlSocket(), this);
    }

    /// Starts a node; when this returns, it serves.
    ///
    /// @throws Failure when it cannot listen
    static Node start(Home home, Config config, Console console) throws IOException, InterruptedException {
        EventStore store = HomeAccess.of(home, "up", console).openToServe(() -> LmdbStore.open(config.store(home)));
        try {
            RelayServer relay = relay(config, store);
            try {
                return new Node(home, config, store, relay);
            } catch (IOException | RuntimeException e) {
                relay.close();
                throw e;
            }
        } catch (IOException | RuntimeException e) {
            store.close();
            throw e;
        }
    }

    private static RelayServer relay(Config config, EventStore store) {
        try {
            return RelayServer.start(config.relay(), store);
        } catch (UncheckedIOException e) {
            throw new Failure(Listening.inWords(String.valueOf(e.getCause().getMessage())), e);
        }
    }

    /// `ws://ADDR:PORT`, with the port that was taken.
    String url() {
        InetSocketAddress address = relay.address();
        String host = address.getAddress().getHostAddress();
        boolean isSix = address.getAddress() instanceof Inet6Address;
        return "ws://" + (isSix ? "[" + shortened(host) + "]" : host) + ":" + address.getPort();
    }

    /// The two IPv6 addresses that people know by their short form; others are as they are.
    private static String shortened(String host) {
        return switch (host) {
            case "0:0:0:0:0:0:0:1" -> "::1";
            case "0:0:0:0:0:0:0:0" -> "::";
            default -> host;
        };
    }

    /// How sockets are waited for.
    String transport() {
        return relay.transport();
    }

    @Override
    public EventStore store() {
        return store;
    }

    @Override
    public EventSink sink() {
        return this::write;
    }

    private WriteResult write(List<VerifiedEvent> batch) throws InterruptedException {
        try {
            return relay.ingest().submit(batch).get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(
                    "the relay takes no more: " + e.getCause().getMessage(), e.getCause());
        }
    }

    @Override
    public String inWords(Exception failure) {
        return Failures.text(failure);
    }

    @Override
    public long futureSeconds() {
        return config.relay().limits().futureSeconds();
    }

    @Override
    public Map<String, String> figures() {
        Map<String, String> figures = new LinkedHashMap<>();
        figures.put("node", "running");
        figures.put("pid", Long.toString(ProcessHandle.current().pid()));
        figures.put("version", Version.text());
        figures.put("relay", url());
        figures.put("urls", String.join(" ", config.urls()));
        figures.putAll(Figures.of(store.info()));
        RelayStats stats = relay.stats();
        figures.put("relay.open_connections", Long.toString(stats.openConnections()));
        figures.put("relay.connections", Long.toString(stats.connections()));
        figures.put("relay.accepted", Long.toString(stats.accepted()));
        figures.put("relay.duplicates", Long.toString(stats.duplicates()));
        figures.put("relay.delivered_live", Long.toString(stats.delivered()));
        figures.put("relay.slow_readers_cut", Long.toString(stats.slowReadersCut()));
        figures.put("relay.ephemeral_dropped", Long.toString(stats.ephemeralDropped()));
        new TreeMap<>(stats.messages())
                .forEach((verb, count) -> figures.put("relay.messages." + verb, Long.toString(count)));
        new TreeMap<>(stats.refused())
                .forEach((prefix, count) -> figures.put("relay.refused." + prefix, Long.toString(count)));
        return figures;
    }

    /// Stops: commands first, then the relay with what it has in flight, then the store.
    @Override
    public void close() {
        try {
            control.close();
        } finally {
            try {
                relay.close();
            } finally {
                store.close();
            }
        }
    }
}
