package postroad.nostr.relay;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import postroad.common.SecretKey;
import postroad.nostr.core.ClientMessages;
import postroad.nostr.core.Event;
import postroad.nostr.core.EventDraft;
import postroad.nostr.core.Signer;
import postroad.nostr.core.Tag;
import postroad.nostr.core.VerifiedEvent;
import postroad.nostr.store.EventStore;
import postroad.nostr.store.LmdbStore;
import postroad.nostr.store.StoreException;
import postroad.nostr.store.StoreOptions;

/// Drives the real pipeline on a throwaway store before the port opens, so that the first client meets
/// compiled code.
///
/// A second relay of the same build listens on a free port of the loopback address for well under a second,
/// and a plain socket publishes to it and asks it. Whatever goes wrong here only costs the warmth.
final class WarmUp {
    private static final System.Logger LOG = System.getLogger(WarmUp.class.getName());

    private static final long NANOS = TimeUnit.MILLISECONDS.toNanos(600);
    private static final int AUTHORS = 8;
    private static final int NOTES = 200;
    private static final int PUBLISHED_EACH_ROUND = 4;
    private static final long MAP_BYTES = 64L << 20;

    private final long deadline = System.nanoTime() + NANOS;
    private final List<Signer> signers = new ArrayList<>();
    private int published;

    private WarmUp() {}

    /// Warms up a relay like the one that `config` describes.
    static void run(RelayConfig config, Transport transport) {
        run(config, transport, Path.of(System.getProperty("java.io.tmpdir")));
    }

    /// The same with the throwaway store somewhere in `temporary`.
    static void run(RelayConfig config, Transport transport, Path temporary) {
        try {
            Path folder = Files.createTempDirectory(temporary, "postroad-warm-up-");
            try {
                new WarmUp().drive(config, transport, folder);
            } finally {
                delete(folder);
            }
        } catch (IOException | StoreException e) {
            LOG.log(Level.WARNING, "the relay was not warmed up: {0}", e.getMessage());
        }
    }

    private void drive(RelayConfig config, Transport transport, Path folder) throws IOException {
        var options = new StoreOptions(folder, MAP_BYTES, 0, Set.of(), false, false);
        try (EventStore store = LmdbStore.open(options);
                RelayServer relay = RelayServer.start(
                        throwaway(config),
                        store,
                        () -> System.currentTimeMillis() / 1000,
                        transport,
                        Memory.ofThisJvm());
                WarmUpClient client = WarmUpClient.open(relay.address())) {
            relay.ingest().submit(notes()).join();
            while (System.nanoTime() < deadline) {
                round(client);
            }
        }
    }

    /// The same relay for nobody: on loopback, without bounds on rates.
    private static RelayConfig throwaway(RelayConfig config) {
        return new RelayConfig(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                Set.of(),
                AuthMode.OPTIONAL,
                config.privateKinds(),
                List.of(),
                config.deflate(),
                Limits.DEFAULT,
                Timeouts.DEFAULT,
                config.info(),
                1,
                1,
                false);
    }

    private List<VerifiedEvent> notes() {
        List<VerifiedEvent> notes = new ArrayList<>();
        for (int i = 0; i < NOTES; i++) {
            notes.add(VerifiedEvent.unchecked(next()));
        }
        return notes;
    }

    private Event next() {
        if (signers.size() < AUTHORS) {
            signers.add(new Signer(SecretKey.random()));
        }
        int number = published++;
        Tag tag = Tag.of("t", "warm" + number % AUTHORS);
        return signers.get(number % signers.size())
                .sign(new EventDraft(1 + number, 1, List.of(tag), "note " + number + " for the compiler ".repeat(20)));
    }

    private void round(WarmUpClient client) throws IOException {
        for (int i = 0; i < PUBLISHED_EACH_ROUND; i++) {
            client.send(ClientMessages.event(next()));
        }
        for (int i = 0; i < 2 * PUBLISHED_EACH_ROUND; i++) {
            String author = signers.get(i % AUTHORS).publicKey().hex();
            ask(client, "{\"authors\":[\"" + author + "\"],\"kinds\":[1],\"limit\":20}");
            ask(client, "{\"#t\":[\"warm" + i % AUTHORS + "\"],\"limit\":20}");
            ask(client, "{\"kinds\":[1],\"limit\":100}");
            ask(client, "{\"ids\":[\"" + author + "\"]}");
        }
        client.send(utf8("[\"COUNT\",\"c\",{\"kinds\":[1]}]"));
        client.readUntil("[\"COUNT\"");
    }

    private static void ask(WarmUpClient client, String filter) throws IOException {
        client.send(utf8("[\"REQ\",\"w\"," + filter + "]"));
        client.readUntil("[\"EOSE\"");
        client.send(utf8("[\"CLOSE\",\"w\"]"));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
