package postroad.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import postroad.app.config.Home;
import postroad.app.control.ControlServer;
import postroad.app.control.NodeAccess;
import postroad.app.transfer.EventSink;
import postroad.nostr.store.EventStore;
import postroad.nostr.store.LmdbStore;
import postroad.nostr.store.StoreException;
import postroad.nostr.store.StoreOptions;

class HomeAccessTest {
    private static final Duration LONG = Duration.ofMinutes(2);

    @TempDir
    Path folder;

    private final CountDownLatch waits = new CountDownLatch(1);
    private Home home;
    private Console console;

    @BeforeEach
    void prepare() throws Exception {
        home = new Home(Files.createDirectory(folder.resolve("home")));
        // Tells when something is said.
        OutputStream err = new OutputStream() {
            @Override
            public void write(int one) {
                waits.countDown();
            }
        };
        console = new Console(
                InputStream.nullInputStream(),
                new PrintStream(OutputStream.nullOutputStream(), true, UTF_8),
                new PrintStream(err, true, UTF_8),
                Map.of(),
                false,
                false);
    }

    private EventStore open() {
        return LmdbStore.open(new StoreOptions(home.store(), 1 << 30, 0, Set.of(), false, false));
    }

    private String reach(Duration patience) throws Exception {
        return HomeAccess.of(home, "test", console)
                .withPatience(patience)
                .reach(client -> "node " + client.info().get("who"), this::open, store -> "store");
    }

    private CompletableFuture<String> reachInAnotherThread() {
        CompletableFuture<String> answer = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                answer.complete(reach(LONG));
            } catch (Exception e) {
                answer.completeExceptionally(e);
            }
        });
        return answer;
    }

    @Test
    void opensTheStoreWhereNoNodeRuns() throws Exception {
        assertThat(reach(LONG)).isEqualTo("store");
    }

    @Test
    void waitsForANodeThatHoldsTheStoreButDoesNotAnswerYet() throws Exception {
        try (EventStore store = open()) {
            CompletableFuture<String> answer = reachInAnotherThread();
            waits.await();

            try (ControlServer _ = ControlServer.start(home.controlSocket(), access(store))) {
                assertThat(answer.get(1, TimeUnit.MINUTES)).isEqualTo("node it");
            }
        }
    }

    @Test
    void opensTheStoreThatANodeLetsGoOf() throws Exception {
        EventStore store = open();
        CompletableFuture<String> answer = reachInAnotherThread();
        waits.await();

        store.close();

        assertThat(answer.get(1, TimeUnit.MINUTES)).isEqualTo("store");
    }

    @Test
    void saysWhoHasTheStoreWhenNobodyAnswers() {
        try (EventStore _ = open()) {
            assertThatExceptionOfType(Failure.class)
                    .isThrownBy(() -> reach(Duration.ZERO))
                    .withMessageStartingWith("this process has the store in " + home.store() + " open")
                    .withMessageContaining("a node that is starting or stopping")
                    .withMessageContaining("try again");
        }
    }

    @Test
    void aNodeWaitsForWhoeverHasTheStoreForAMoment() throws Exception {
        EventStore store = open();
        CompletableFuture<EventStore> opened = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                opened.complete(
                        HomeAccess.of(home, "up", console).withPatience(LONG).openToServe(this::open));
            } catch (Exception e) {
                opened.completeExceptionally(e);
            }
        });
        waits.await();

        store.close();

        opened.get(1, TimeUnit.MINUTES).close();
    }

    @Test
    void aSecondNodeIsRefusedAtOnce() throws Exception {
        try (EventStore store = open();
                ControlServer _ = ControlServer.start(home.controlSocket(), access(store))) {
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> HomeAccess.of(home, "up", console)
                            .withPatience(LONG)
                            .openToServe(this::open))
                    .withMessageContaining("is open in");
        }
        assertThat(waits.getCount()).isOne();
    }

    @Test
    void otherFailuresOfTheStoreAreToldAtOnce() throws Exception {
        Files.writeString(Files.createDirectory(home.store()).resolve("data.mdb"), "no store at all");

        assertThatExceptionOfType(StoreException.class).isThrownBy(() -> reach(LONG));
        assertThat(waits.getCount()).isOne();
    }

    private static NodeAccess access(EventStore store) {
        return new NodeAccess() {
            @Override
            public EventStore store() {
                return store;
            }

            @Override
            public EventSink sink() {
                throw new UnsupportedOperationException();
            }

            @Override
            public Map<String, String> figures() {
                return Map.of("who", "it");
            }

            @Override
            public String inWords(Exception failure) {
                return failure.toString();
            }

            @Override
            public long futureSeconds() {
                return 0;
            }
        };
    }
}
