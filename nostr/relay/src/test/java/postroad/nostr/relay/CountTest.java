package postroad.nostr.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static postroad.nostr.relay.CountGate.longFilter;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// What COUNTs do to each other. One loop, so that what two connections hand back keeps its order.
@ExtendWith(Leaks.class)
class CountTest {
    private static final String LIGHT = "{\"kinds\":[1]}";

    private final GatedStore[] store = new GatedStore[1];
    private TestRelay relay;
    private CountGate gate;
    private RawClient one;
    private RawClient other;

    @BeforeEach
    void start() throws IOException {
        relay = TestRelay.start(TestRelay.defaults().with(s -> s.loops = 1), real -> store[0] = new GatedStore(real));
        gate = store[0].counts();
        one = relay.client();
        other = relay.client();
        relay.ingest(List.of(relay.note(1, TestRelay.NOW, "a"), relay.note(1, TestRelay.NOW, "b")));
    }

    @AfterEach
    void stop() throws IOException {
        one.close();
        other.close();
        relay.close();
    }

    @Test
    void aLightCountPassesOthersLongOnes() throws Exception {
        ask(one, "long", longFilter(1));
        ask(one, "next", longFilter(2));
        gate.awaitNext();

        ask(other, "light", LIGHT);

        assertThat(other.next()).isEqualTo("[\"COUNT\",\"light\",{\"count\":2}]");
        gate.open(1);
        gate.open(2);
        assertThat(one.next()).isEqualTo("[\"COUNT\",\"long\",{\"count\":0}]");
        assertThat(one.next()).isEqualTo("[\"COUNT\",\"next\",{\"count\":0}]");
    }

    @Test
    void connectionsTakeTurnsWithLongCounts() throws Exception {
        ask(one, "a", longFilter(1));
        ask(one, "b", longFilter(2));
        ask(one, "c", longFilter(3));
        assertThat(gate.awaitNext()).isEqualTo(1);
        ask(other, "d", longFilter(4));
        ask(other, "e", longFilter(5));
        settle(other);

        gate.open(1);
        assertThat(gate.awaitNext()).isEqualTo(4);
        gate.open(4);
        assertThat(gate.awaitNext()).isEqualTo(2);
        gate.open(2);
        assertThat(gate.awaitNext()).isEqualTo(5);
        gate.open(5);
        assertThat(gate.awaitNext()).isEqualTo(3);
        gate.open(3);
    }

    @Test
    void countsOneAtATimeForEachConnection() throws Exception {
        ask(one, "long", longFilter(1));
        gate.awaitNext();
        ask(one, "light", LIGHT);
        settle(one);

        gate.open(1);

        assertThat(one.next()).contains("\"long\"");
        assertThat(one.next()).contains("\"light\"");
    }

    @Test
    void closeEndsACountThatWaitsAndOneAtWork() throws Exception {
        ask(one, "work", longFilter(1));
        ask(one, "waits", longFilter(2));
        ask(one, "light", LIGHT);
        gate.awaitNext();

        one.send("[\"CLOSE\",\"waits\"]");
        one.send("[\"CLOSE\",\"work\"]");

        assertThat(one.next()).isEqualTo("[\"COUNT\",\"light\",{\"count\":2}]");
        assertThat(gate.hasNext()).isFalse();
    }

    @Test
    void closeEndsACountThatWaitsBehindAnotherConnections() throws Exception {
        ask(one, "work", longFilter(1));
        gate.awaitNext();
        ask(other, "waits", longFilter(2));
        ask(other, "light", LIGHT);
        settle(other);

        other.send("[\"CLOSE\",\"waits\"]");

        assertThat(other.next()).isEqualTo("[\"COUNT\",\"light\",{\"count\":2}]");
    }

    @Test
    void aConnectionThatEndsFreesThePlaceOfItsCounts() throws Exception {
        ask(one, "a", longFilter(1));
        ask(one, "b", longFilter(2));
        gate.awaitNext();
        ask(other, "c", longFilter(3));

        one.close();

        assertThat(gate.awaitNext()).isEqualTo(3);
        gate.open(3);
        assertThat(other.next()).isEqualTo("[\"COUNT\",\"c\",{\"count\":0}]");
        assertThat(gate.hasNext()).isFalse();
    }

    @Test
    void refusesMoreCountsThanMayWait() throws Exception {
        ask(one, "work", longFilter(0));
        gate.awaitNext();
        for (int i = 1; i < Counts.MOST; i++) {
            ask(one, "waits" + i, longFilter(i));
        }

        ask(one, "over", LIGHT);

        assertThat(one.next()).isEqualTo("[\"CLOSED\",\"over\",\"rate-limited: at most 8 counts at once\"]");
        one.send("[\"CLOSE\",\"waits1\"]");
        ask(one, "fits", LIGHT);
        assertThat(one.isQuiet()).isTrue();
    }

    @Test
    void refusesWhatHasWaitedTooLongAndFinishesWhatIsAtWork() throws Exception {
        ask(one, "work", longFilter(1));
        ask(one, "own", LIGHT);
        gate.awaitNext();
        ask(other, "waits", longFilter(2));
        settle(other);

        relay.setClock(TestRelay.NOW + Counts.MOST_WAIT_SECONDS + 1);

        String reason = "rate-limited: the count has waited its turn for 30 s behind others; try again later";
        assertThat(other.next()).isEqualTo("[\"CLOSED\",\"waits\",\"" + reason + "\"]");
        assertThat(one.next()).isEqualTo("[\"CLOSED\",\"own\",\"" + reason + "\"]");
        gate.open(1);
        assertThat(one.next()).isEqualTo("[\"COUNT\",\"work\",{\"count\":0}]");
        ask(other, "again", LIGHT);
        assertThat(other.next()).isEqualTo("[\"COUNT\",\"again\",{\"count\":2}]");
    }

    @Test
    void aStopAnswersEachCount() throws Exception {
        ask(one, "work", longFilter(1));
        ask(one, "waits", LIGHT);
        gate.awaitNext();

        CompletableFuture<Void> stopped = CompletableFuture.runAsync(relay.server()::close);

        assertThat(one.next()).isEqualTo("[\"CLOSED\",\"work\",\"error: relay is shutting down\"]");
        assertThat(one.next()).isEqualTo("[\"CLOSED\",\"waits\",\"error: relay is shutting down\"]");
        assertThat(one.nextClose().closeCode()).isEqualTo(1001);
        stopped.join();
    }

    private static void ask(RawClient client, String id, String filter) throws IOException {
        client.send("[\"COUNT\",\"" + id + "\"," + filter + "]");
    }

    /// Waits until the relay has read everything that the client has sent.
    private static void settle(RawClient client) throws IOException {
        client.request("settle", "{\"limit\":0}");
        client.send("[\"CLOSE\",\"settle\"]");
    }
}
