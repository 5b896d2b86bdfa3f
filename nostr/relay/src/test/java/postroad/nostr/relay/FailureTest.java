package postroad.nostr.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static postroad.nostr.relay.TestRelay.NOW;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import postroad.nostr.core.Event;
import postroad.nostr.store.EventStore;
import postroad.nostr.store.Snapshot;
import postroad.nostr.store.StoreReader;
import postroad.nostr.store.WriteOutcome;
import postroad.nostr.store.WriteResult;

/// That whatever goes wrong below the relay is answered, costs nothing else, and ends no thread.
@ExtendWith(Leaks.class)
class FailureTest {
    /// What happens instead of the next call of a method, by the method's name.
    private final ConcurrentHashMap<String, Instead> next = new ConcurrentHashMap<>();

    private TestRelay relay;

    /// Gives another answer, or throws.
    @FunctionalInterface
    private interface Instead {
        Object of(Object[] arguments) throws Throwable;
    }

    @BeforeEach
    void start() {
        relay = TestRelay.start(TestRelay.defaults(), store -> wrapped(EventStore.class, store));
    }

    @AfterEach
    void stop() {
        relay.close();
    }

    @Test
    void anErrorInAWriteIsAnsweredAndTheNextIsWritten() throws IOException {
        Event lost = relay.note(1, NOW, "lost");
        try (RawClient client = relay.client()) {
            next.put("write", arguments -> {
                throw new NoClassDefFoundError("as it should");
            });

            assertThat(client.publish(lost)).startsWith("[\"OK\",\"" + lost.id().hex() + "\",false,\"error: ");
            assertThat(client.publish(lost)).isEqualTo("[\"OK\",\"" + lost.id().hex() + "\",true,\"\"]");
        }
    }

    @Test
    void anErrorInTheSweepEndsNothing() throws IOException {
        try (RawClient client = relay.client()) {
            next.put("removeExpired", arguments -> {
                throw new InternalError("as it should");
            });
            Event note = relay.note(1, NOW, "after the sweep");
            while (next.containsKey("removeExpired")) {
                // Each write ends with a look whether a sweep is due.
                client.publish(note);
            }

            assertThat(client.publish(relay.note(1, NOW, "goes on"))).contains(",true,");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "error: the disk is full, error: the disk is full",
        "no prefix at all, error: no prefix at all",
    })
    void aWriteThatFailsIsToldAsTheStoreTellsIt(String reason, String told) throws IOException {
        Event before = relay.note(1, NOW, "before");
        Event lost = relay.note(1, NOW, "lost");
        try (RawClient client = relay.client();
                RawClient beside = relay.client()) {
            client.publish(before);
            beside.request("live", "{\"limit\":0}");
            next.put("write", arguments -> {
                int events = ((List<?>) arguments[0]).size();
                return new WriteResult(Collections.nCopies(events, new WriteOutcome.Failed(reason)), 1);
            });

            assertThat(client.publish(lost)).isEqualTo("[\"OK\",\"" + lost.id().hex() + "\",false,\"" + told + "\"]");
            assertThat(client.request("reads", "{}"))
                    .containsExactly(before.id().hex());
            assertThat(beside.isQuiet())
                    .as("nothing live of what was not stored")
                    .isTrue();
            assertThat(client.publish(lost)).contains(",true,");
        }
    }

    @Test
    void anErrorInAReadOfAWorkerIsAnsweredAndTheNextIsRead() throws IOException {
        relay.ingest(IntStream.range(0, 500)
                .mapToObj(i -> relay.note(i % 5, NOW - i, "note " + i))
                .toList());
        try (RawClient client = relay.client()) {
            next.put("run on a worker", arguments -> {
                throw new InternalError("a fault in a mapped file");
            });

            client.send("[\"REQ\",\"r\",{\"limit\":500}]");
            String last = client.next();
            while (last.startsWith("[\"EVENT\"")) {
                last = client.next();
            }

            assertThat(last).isEqualTo("[\"CLOSED\",\"r\",\"error: the store cannot be read\"]");
            assertThat(client.request("again", "{\"limit\":500}")).hasSize(500);
        }
    }

    @Test
    void anErrorInACountIsAnsweredAndTheNextIsCounted() throws IOException {
        relay.ingest(List.of(relay.note(1, NOW, "one")));
        try (RawClient client = relay.client()) {
            next.put("count on a worker", arguments -> {
                throw new InternalError("a fault in a mapped file");
            });

            client.send("[\"COUNT\",\"c\",{}]");
            assertThat(client.next()).isEqualTo("[\"CLOSED\",\"c\",\"error: the store cannot be read\"]");

            client.send("[\"COUNT\",\"c\",{}]");
            assertThat(client.next()).isEqualTo("[\"COUNT\",\"c\",{\"count\":1}]");
        }
    }

    /// The store, or a part of it, but for what is to happen instead.
    private <T> T wrapped(Class<T> type, T real) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, given) -> {
                    Optional<Instead> instead = Optional.ofNullable(next.remove(key(method.getName())));
                    if (instead.isPresent()) {
                        return instead.get().of(given);
                    }
                    try {
                        return switch (method.invoke(real, given)) {
                            case StoreReader reader -> wrapped(StoreReader.class, reader);
                            case Snapshot snapshot -> wrapped(Snapshot.class, snapshot);
                            case null -> null;
                            case Object result -> result;
                        };
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    private static String key(String method) {
        boolean onWorker = Thread.currentThread().getName().matches("relay-(scan|count).*");
        return method + (onWorker ? " on a worker" : "");
    }
}
