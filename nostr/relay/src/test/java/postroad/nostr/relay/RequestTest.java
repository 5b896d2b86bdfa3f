package postroad.nostr.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import postroad.nostr.core.Event;
import postroad.nostr.core.Tag;
import postroad.nostr.store.StoreException;

@ExtendWith(Leaks.class)
class RequestTest {
    private static final long AT = TestRelay.NOW - 100_000;

    private TestRelay relay;
    private RawClient client;

    @BeforeEach
    void start() throws IOException {
        relay = TestRelay.start(TestRelay.defaults().with(s -> {
            s.subscriptions = 5;
            s.defaultLimit = 50;
            s.maxLimit = 3_000;
            s.scanEntries = 5_000;
        }));
        client = relay.client();
    }

    @AfterEach
    void stop() throws IOException {
        client.close();
        relay.close();
    }

    @Test
    void answersNewestFirstWithTiesByLowestId() throws IOException {
        List<Event> events = notes(20, 1, 5);

        assertThat(client.request("s", "{\"kinds\":[1],\"limit\":100}")).isEqualTo(inOrder(events));
    }

    @Test
    void sendsEachEventOnceForSeveralFilters() throws IOException {
        List<Event> events = notes(10, 1, 1);
        String author = relay.key(1);

        assertThat(client.request("s", "{\"authors\":[\"" + author + "\"]},{\"kinds\":[1]},{}"))
                .isEqualTo(inOrder(events));
    }

    @Test
    void sendsTheEventAsItWasPublished() throws IOException {
        Event note = relay.note(1, AT, "quote \" and ü and 🦤 \\ \n end", Tag.of("t", "x"), Tag.of("long", "y"));
        relay.ingest(List.of(note));

        client.send("[\"REQ\",\"odd \\\" id \\\\ ü\",{}]");
        JsonNode message = client.nextMessage();

        assertThat(message.get(1).asText()).isEqualTo("odd \" id \\ ü");
        assertThat(message.get(2).toString()).isEqualTo(note.json());
        assertThat(client.nextMessage().get(1).asText()).isEqualTo("odd \" id \\ ü");
    }

    @Test
    void appliesTheDefaultAndTheMaximumLimit() throws IOException {
        notes(3_100, 1, 1);

        assertThat(client.request("a", "{\"kinds\":[1]}")).hasSize(50);
        assertThat(client.request("b", "{\"kinds\":[1],\"limit\":7}")).hasSize(7);
        assertThat(client.request("c", "{\"kinds\":[1],\"limit\":3000}")).hasSize(3_000);
        assertThat(client.request("d", "{\"kinds\":[1],\"limit\":3001}")).hasSize(3_000);
        assertThat(client.request("e", "{\"kinds\":[1],\"limit\":2000000000}")).hasSize(3_000);
    }

    @Test
    void answersMoreThanTheLoopsBudgetInOrder() throws IOException {
        List<Event> events = notes(2_000, 3, 2);

        assertThat(client.request("big", "{\"limit\":3000}")).isEqualTo(inOrder(events));
    }

    @Test
    void saysWhetherMoreIsStored() throws IOException {
        notes(60, 1, 1);

        assertThat(eose("{\"limit\":60}")).isEqualTo("[\"EOSE\",\"h\",[\"finish\"]]");
        assertThat(eose("{\"limit\":59}")).isEqualTo("[\"EOSE\",\"h\",[\"more\"]]");
        assertThat(eose("{}")).as("default limit").isEqualTo("[\"EOSE\",\"h\",[\"more\"]]");
        assertThat(eose("{\"kinds\":[7]}")).isEqualTo("[\"EOSE\",\"h\",[\"finish\"]]");
        assertThat(eose("{\"kinds\":[]}")).as("matches nothing").isEqualTo("[\"EOSE\",\"h\",[\"finish\"]]");
        assertThat(eose("{\"limit\":0}")).isEqualTo("[\"EOSE\",\"h\"]");
        assertThat(eose("{\"limit\":60},{\"limit\":0}")).as("one of two").isEqualTo("[\"EOSE\",\"h\"]");
    }

    @Test
    void servesLiveEventsAfterLimitZero() throws IOException {
        notes(3, 1, 1);
        assertThat(client.request("s", "{\"limit\":0}")).isEmpty();
        Event live = relay.note(2, AT, "live");

        relay.ingest(List.of(live));

        assertThat(client.nextMessage().get(2).get("id").asText())
                .isEqualTo(live.id().hex());
    }

    @Test
    void replacesASubscriptionOfTheSameId() throws IOException {
        client.request("s", "{\"kinds\":[1],\"limit\":0}");
        client.request("s", "{\"kinds\":[7],\"limit\":0}");

        relay.ingest(List.of(relay.note(1, AT, "not wanted any more")));
        Event reaction = relay.event(1, AT, 7, "+");
        relay.ingest(List.of(reaction));

        assertThat(client.nextMessage().get(2).get("id").asText())
                .isEqualTo(reaction.id().hex());
    }

    @Test
    void boundsTheSubscriptionsButNotTheirReplacement() throws IOException {
        for (int i = 0; i < 5; i++) {
            client.request("s" + i, "{\"limit\":0}");
        }

        client.send("[\"REQ\",\"one more\",{\"limit\":0}]");

        assertThat(client.next()).startsWith("[\"CLOSED\",\"one more\",\"blocked: at most 5 subscriptions");
        assertThat(client.request("s3", "{\"limit\":0}")).isEmpty();
        client.send("[\"CLOSE\",\"s1\"]");
        assertThat(client.request("one more", "{\"limit\":0}")).isEmpty();
    }

    @Test
    void boundsTheFilterValuesOfAllSubscriptions() throws IOException {
        StringBuilder ids = new StringBuilder();
        for (int i = 0; i < 4_500; i++) {
            ids.append(i == 0 ? "" : ",")
                    .append('"')
                    .append("%064x".formatted(i))
                    .append('"');
        }
        for (int i = 0; i < 4; i++) {
            client.request("s" + i, "{\"limit\":0,\"ids\":[" + ids + "]}");
        }

        client.send("[\"REQ\",\"x\",{\"ids\":[" + ids + "]}]");

        assertThat(client.next()).startsWith("[\"CLOSED\",\"x\",\"blocked: at most 20000 filter values");
    }

    @Test
    void closesSilentlyAndThenSendsNothing() throws IOException {
        client.request("s", "{\"limit\":0}");
        client.send("[\"CLOSE\",\"s\"]");
        client.send("[\"CLOSE\",\"never was\"]");
        assertThat(client.isQuiet()).isTrue();

        relay.ingest(List.of(relay.note(1, AT, "nobody wants this")));

        assertThat(client.isQuiet()).isTrue();
    }

    @Test
    void refusesARequestThatLooksAtTooMuch() throws IOException {
        // Many entries under the letter, none with both values: the store has to look at all of them.
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < 12_000; i++) {
            events.add(relay.note(1, AT + i, "n" + i, Tag.of("t", i % 2 == 0 ? "a" : "b")));
        }
        relay.ingest(events);

        client.send("[\"REQ\",\"broad\",{\"kinds\":[1],\"since\":0,\"until\":" + TestRelay.NOW + ",\"authors\":[\""
                + relay.key(1) + "\"],\"#t\":[\"a\",\"b\"],\"&t\":[\"a\",\"b\"]}]");

        assertThat(client.next()).startsWith("[\"CLOSED\",\"broad\",\"blocked: the request looks at more than 5000");
        client.send("[\"COUNT\",\"c\",{\"#t\":[\"a\",\"b\"],\"&t\":[\"a\",\"b\"]}]");
        assertThat(client.next()).startsWith("[\"CLOSED\",\"c\",\"blocked: the count looks at more than 5000");
    }

    @Test
    void countsExactlyWhateverThePageSize() throws IOException {
        notes(3_100, 1, 1);

        client.send("[\"COUNT\",\"c\",{\"kinds\":[1]},{\"kinds\":[1],\"ids\":[]}]");
        assertThat(client.next()).isEqualTo("[\"COUNT\",\"c\",{\"count\":3100}]");
        client.send("[\"COUNT\",\"c\",{\"kinds\":[7],\"limit\":5}]");
        assertThat(client.next()).isEqualTo("[\"COUNT\",\"c\",{\"count\":0}]");
    }

    @Test
    void refusesBadRequestsWithTheirOwnId() throws IOException {
        for (String bad : List.of(
                "{\"ids\":[\"abc\"]}",
                "{\"authors\":[\"" + "A".repeat(64) + "\"]}",
                "{\"kinds\":[65536]}",
                "{\"kinds\":[-1]}",
                "{\"kind\":[1]}",
                "{\"since\":1e9}",
                "{\"search\":\"x\"}",
                "{\"#tt\":[\"x\"]}",
                "{\"limit\":-1}",
                "{\"limit\":1,\"limit\":2}",
                "[]",
                "1")) {
            client.send("[\"REQ\",\"mine\"," + bad + "]");

            assertThat(client.next())
                    .as(bad)
                    .startsWith("[\"CLOSED\",\"mine\",\"")
                    .containsPattern("\"[a-z-]+: ");
        }
        client.send("[\"REQ\",\"mine\"]");
        assertThat(client.next()).startsWith("[\"CLOSED\",\"mine\",\"");
        client.send("[\"COUNT\",\"mine\",{\"x\":1}]");
        assertThat(client.next()).startsWith("[\"CLOSED\",\"mine\",\"");
    }

    @Test
    void aRefusedReplacementEndsTheSubscriptionItWouldReplace() throws IOException {
        client.request("s", "{\"limit\":0}");
        client.send("[\"REQ\",\"s\",{\"bad\":1}]");
        assertThat(client.next()).startsWith("[\"CLOSED\",\"s\"");

        relay.ingest(List.of(relay.note(1, AT, "x")));

        assertThat(client.isQuiet()).isTrue();
    }

    @Test
    void survivesAStormOfRequestsOnOneId() throws IOException {
        notes(2_000, 1, 1);
        int rounds = 300;
        for (int i = 0; i < rounds; i++) {
            client.send("[\"REQ\",\"storm\",{\"limit\":3000}]");
        }
        client.send("[\"REQ\",\"end\",{\"limit\":1}]");
        List<String> afterLast = new ArrayList<>();
        String message = client.next();
        while (!message.startsWith("[\"EOSE\",\"end\"")) {
            afterLast.add(message.substring(0, Math.min(60, message.length())));
            message = client.next();
        }
        // Every EOSE belongs to a request; the last one is answered in full.
        assertThat(afterLast.stream().filter(m -> m.startsWith("[\"CLOSED"))).isEmpty();
        assertThat(client.request("again", "{\"limit\":3000}")).hasSize(2_000);
    }

    @Test
    void cancelsAScanWhenTheClientIsGone() throws IOException {
        notes(3_000, 1, 1);
        for (int i = 0; i < 10; i++) {
            try (RawClient leaver = relay.client()) {
                leaver.send("[\"REQ\",\"s\",{\"limit\":3000}]");
            }
        }

        assertThat(client.request("s", "{\"limit\":10}")).hasSize(10);
    }

    @Test
    void boundsTheRateOfRequests() throws IOException {
        try (TestRelay strict = TestRelay.start(TestRelay.defaults().with(s -> s.requestsPerSecond = 1));
                RawClient eager = strict.client()) {
            for (int i = 0; i < TokenBucket.SECONDS; i++) {
                eager.request("s", "{\"limit\":0}");
            }

            assertThatThrownBy(() -> eager.request("s", "{}")).hasMessageContaining("rate-limited: ");
            eager.send("[\"COUNT\",\"c\",{}]");
            assertThat(eager.next()).startsWith("[\"CLOSED\",\"c\",\"rate-limited: ");
        }
    }

    @Test
    void aFailingStoreClosesTheRequestAndABugTheConnectionButNothingElse() throws IOException {
        GatedStore[] gate = new GatedStore[1];
        try (TestRelay broken = TestRelay.start(TestRelay.defaults(), store -> {
                    gate[0] = new GatedStore(store);
                    return gate[0];
                });
                RawClient one = broken.client();
                RawClient other = broken.client()) {
            gate[0].failNextPlan(new StoreException("no page today"));
            one.send("[\"REQ\",\"s\",{}]");
            assertThat(one.next()).startsWith("[\"CLOSED\",\"s\",\"error: ");

            gate[0].failNextPlan(new IllegalStateException("a bug"));
            one.send("[\"REQ\",\"s\",{}]");

            assertThat(one.readAll()).isEmpty();
            assertThat(other.request("s", "{}")).isEmpty();
        }
    }

    @Test
    void compressesLongAnswersWhenAgreedOn() throws IOException {
        Event longNote = relay.note(1, AT, "nostr ".repeat(5_000));
        relay.ingest(List.of(longNote));
        try (RawClient packed = relay.client("Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits")) {
            packed.frame(
                    0xc1,
                    FrameReaderTest.deflate("[\"REQ\",\"z\",{}]".getBytes(java.nio.charset.StandardCharsets.US_ASCII)));

            RawClient.Frame frame = packed.nextFrame();

            assertThat(frame.first()).isEqualTo(0xc1);
            assertThat(frame.bytes()).hasSizeLessThan(1_000);
            assertThat(FrameReaderTest.inflate(frame.bytes())).isEqualTo("[\"EVENT\",\"z\"," + longNote.json() + "]");
            assertThat(packed.next()).startsWith("[\"EOSE\",\"z\"");
        }
    }

    @Test
    void endsWithTheConnectionAndNotBefore() {
        assertThatThrownBy(() -> {
                    client.frame(0x88, new byte[0]);
                    client.nextMessage();
                })
                .isInstanceOf(EOFException.class)
                .hasMessageContaining("1000");
    }

    private String eose(String filters) throws IOException {
        client.send("[\"REQ\",\"h\"," + filters + "]");
        String message;
        do {
            message = client.next();
        } while (message.startsWith("[\"EVENT\""));
        return message;
    }

    /// Notes of some authors, several in each second.
    private List<Event> notes(int count, int authors, int perSecond) {
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            events.add(relay.note(1 + i % authors, AT + i / perSecond, "note " + i));
        }
        relay.ingest(events);
        return events;
    }

    private static List<String> inOrder(List<Event> events) {
        return events.stream()
                .sorted(Comparator.comparingLong(Event::createdAt)
                        .reversed()
                        .thenComparing(event -> event.id().hex()))
                .map(event -> event.id().hex())
                .toList();
    }
}
