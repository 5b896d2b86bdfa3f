package postroad.nostr.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import postroad.nostr.core.Event;
import postroad.nostr.core.VerifiedEvent;
import postroad.nostr.store.LmdbStore;
import postroad.nostr.store.StoreOptions;

@ExtendWith(Leaks.class)
class StopTest {
    private static final long NOW = TestRelay.NOW;

    @Test
    void acknowledgesWhatIsInFlightThenSaysGoodbye() throws Exception {
        GatedStore[] gate = new GatedStore[1];
        try (TestRelay relay = TestRelay.start(TestRelay.defaults(), store -> gate[0] = new GatedStore(store));
                RawClient client = relay.client()) {
            client.request("s", "{\"limit\":0}");
            gate[0].shut();
            Event note = relay.note(1, NOW, "in flight");
            client.sendEvent(note);
            gate[0].awaitWaiting();

            CompletableFuture<Void> stopped = CompletableFuture.runAsync(relay.server()::close);
            awaitRefusal(relay, client);
            gate[0].open();

            assertThat(client.next()).isEqualTo("[\"OK\",\"" + note.id().hex() + "\",true,\"\"]");
            assertThat(client.next()).isEqualTo("[\"EVENT\",\"s\"," + note.json() + "]");
            assertThat(client.next()).isEqualTo("[\"CLOSED\",\"s\",\"error: relay is shutting down\"]");
            RawClient.Frame close = client.nextClose();
            assertThat(close.closeCode()).isEqualTo(1001);
            assertThat(close.closeReason()).isEqualTo("the relay is shutting down");
            stopped.join();
            assertThatThrownBy(() -> RawClient.tcp(relay.address())).isInstanceOf(IOException.class);
        }
    }

    @Test
    void stopsInTimeThoughAWriteHangsAndAReaderIsDeaf() throws Exception {
        GatedStore[] gate = new GatedStore[1];
        var settings = TestRelay.defaults().with(s -> s.stop = Duration.ofMillis(500));
        try (TestRelay relay = TestRelay.start(settings, store -> gate[0] = new GatedStore(store));
                RawClient client = relay.client();
                RawClient deaf = RawClient.deaf(relay.address())) {
            gate[0].shut();
            client.sendEvent(relay.note(1, NOW, "stuck"));
            gate[0].awaitWaiting();

            relay.server().close();

            assertThat(client.nextClose().closeCode()).isEqualTo(1001);
            assertThat(deaf.nextClose().closeCode()).isEqualTo(1001);
            gate[0].open();
        }
    }

    @Test
    void leavesTheStoreOpenAndRefusesLateImports() throws Exception {
        try (TestRelay relay = TestRelay.start()) {
            Event note = relay.note(1, NOW, "before");
            relay.ingest(List.of(note));
            relay.server().close();

            var late = relay.server().ingest().submit(List.of(VerifiedEvent.unchecked(relay.note(1, NOW, "late"))));

            assertThatThrownBy(late::join)
                    .isInstanceOf(CompletionException.class)
                    .hasMessageContaining("the relay has stopped");
            assertThat(relay.store().sequence()).isEqualTo(1);
            relay.server().close();
        }
    }

    @Test
    void endsItsThreads() throws Exception {
        long before = relayThreads();
        try (TestRelay relay = TestRelay.start();
                RawClient client = relay.client()) {
            client.publish(relay.note(1, NOW, "x"));
            assertThat(relayThreads()).isGreaterThan(before);
        }

        assertThat(relayThreads()).isEqualTo(before);
    }

    @Test
    void saysWhyItCannotListen(@TempDir Path folder) throws Exception {
        try (TestRelay relay = TestRelay.start();
                LmdbStore store = LmdbStore.open(StoreOptions.at(folder))) {
            RelayConfig config = RelayConfig.at(new InetSocketAddress(
                    InetAddress.getLoopbackAddress(), relay.address().getPort()));

            assertThatThrownBy(() -> RelayServer.start(config, store))
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining("cannot listen on")
                    .hasMessageContaining(String.valueOf(relay.address().getPort()));
        }
    }

    private static void awaitRefusal(TestRelay relay, RawClient client) throws IOException {
        Event late = relay.note(1, NOW, "late");
        String refused = "[\"OK\",\"" + late.id().hex() + "\",false,\"error: relay is shutting down\"]";
        // Until the relay has begun to stop it would take the event, so a request asks first.
        client.send("[\"REQ\",\"stopping?\",{\"limit\":0}]");
        String answer = client.next();
        while (!answer.equals("[\"CLOSED\",\"stopping?\",\"error: relay is shutting down\"]")) {
            client.send("[\"REQ\",\"stopping?\",{\"limit\":0}]");
            answer = client.next();
        }
        client.sendEvent(late);
        assertThat(client.next()).isEqualTo(refused);
    }

    private static long relayThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("relay-"))
                .count();
    }
}
