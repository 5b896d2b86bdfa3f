package postroad.nostr.relay;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import postroad.nostr.core.Event;
import postroad.nostr.core.Tag;

/// {REQ, COUNT, hints, live} × {anonymous, stranger, author, recipient} × {kind filter, no kinds, by id, by
/// #p}.
@ExtendWith(Leaks.class)
class PrivateKindsTest {
    private static final long NOW = TestRelay.NOW;
    private static final int AUTHOR = 1;
    private static final int RECIPIENT = 2;
    private static final int STRANGER = 3;
    private static final Map<String, Integer> KEYS =
            Map.of("author", AUTHOR, "recipient", RECIPIENT, "stranger", STRANGER);

    private static TestRelay relay;
    private static Event stored;

    @BeforeAll
    static void start() {
        relay = TestRelay.start();
        stored = message(4, "stored");
        relay.ingest(List.of(stored));
    }

    @AfterAll
    static void stop() {
        relay.close();
    }

    @ParameterizedTest
    @CsvSource({"anonymous,false", "stranger,false", "author,true", "recipient,true"})
    void showsAndCountsAPrivateEventToItsPartiesOnly(String who, boolean mayKnow) throws IOException {
        try (RawClient client = as(who)) {
            for (String filter : filters(stored, 4)) {
                boolean asksForPrivateOnly = filter.contains("kinds");
                client.send("[\"REQ\",\"r\"," + filter + "]");
                String first = client.next();
                client.send("[\"COUNT\",\"c\"," + filter + "]");
                if (mayKnow) {
                    assertThat(first).as(filter).contains(stored.id().hex());
                    assertThat(client.next()).isEqualTo("[\"EOSE\",\"r\",[\"finish\"]]");
                    assertThat(client.next()).isEqualTo("[\"COUNT\",\"c\",{\"count\":1}]");
                } else if (who.equals("anonymous") && asksForPrivateOnly) {
                    assertThat(first).as(filter).startsWith("[\"CLOSED\",\"r\",\"auth-required: ");
                    assertThat(client.next()).startsWith("[\"CLOSED\",\"c\",\"auth-required: ");
                } else {
                    assertThat(first).as(filter).isEqualTo("[\"EOSE\",\"r\",[\"finish\"]]");
                    assertThat(client.next()).isEqualTo("[\"COUNT\",\"c\",{\"count\":0}]");
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"anonymous", "stranger"})
    void hintsOfNothingPrivate(String who) throws IOException {
        Event open = relay.note(AUTHOR, NOW - 5_000, "open");
        relay.ingest(List.of(open));
        try (RawClient client = as(who)) {
            client.send("[\"REQ\",\"h\",{\"authors\":[\"" + relay.key(AUTHOR) + "\"],\"kinds\":[1,4],\"limit\":1}]");

            assertThat(client.next()).contains(open.id().hex());
            assertThat(client.next())
                    .as("the private event is not the one more")
                    .isEqualTo("[\"EOSE\",\"h\",[\"finish\"]]");
        }
    }

    @ParameterizedTest
    @CsvSource({"anonymous,false", "stranger,false", "author,true", "recipient,true"})
    void deliversAPrivateEventLiveToItsPartiesOnly(String who, boolean mayKnow) throws IOException {
        for (int kind : new int[] {4, 13, 1059, 21_059}) {
            Event live = message(kind, "live " + who);
            try (RawClient client = as(who)) {
                List<String> filters = filters(live, kind);
                for (int i = 0; i < filters.size(); i++) {
                    client.send("[\"REQ\",\"" + i + "\"," + filters.get(i).replace("}", ",\"limit\":0}") + "]");
                    assertThat(client.next())
                            .startsWith(
                                    who.equals("anonymous") && filters.get(i).contains("kinds")
                                            ? "[\"CLOSED\""
                                            : "[\"EOSE\"");
                }

                relay.ingest(List.of(live));

                if (mayKnow) {
                    for (int i = 0; i < filters.size(); i++) {
                        JsonNode message = client.nextMessage();
                        assertThat(message.get(2).get("id").asText())
                                .isEqualTo(live.id().hex());
                    }
                }
                assertThat(client.isQuiet()).isTrue();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {AUTHOR, RECIPIENT})
    void opensRunningSubscriptionsWhenAKeyIsProven(int key) throws IOException {
        try (RawClient client = relay.client()) {
            client.request("s", "{\"#p\":[\"" + relay.key(RECIPIENT) + "\"],\"limit\":0}");
            relay.ingest(List.of(message(1059, "before " + key)));
            assertThat(client.isQuiet()).isTrue();

            relay.authenticate(client, key);
            Event after = message(1059, "after " + key);
            relay.ingest(List.of(after));

            assertThat(client.nextMessage().get(2).get("id").asText())
                    .isEqualTo(after.id().hex());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"REQ", "COUNT"})
    void showsPrivateKindsToNobodyWhereAuthIsOff(String verb) throws IOException {
        try (TestRelay off = TestRelay.start(TestRelay.defaults().with(s -> s.auth = AuthMode.OFF));
                RawClient client = off.client()) {
            off.ingest(List.of(message(4, "x")));

            client.send("[\"" + verb + "\",\"q\",{\"kinds\":[4,1059]}]");
            assertThat(client.next()).startsWith("[\"CLOSED\",\"q\",\"restricted: ");
            assertThat(client.request("all", "{}")).isEmpty();
        }
    }

    private static Event message(int kind, String content) {
        return relay.event(AUTHOR, NOW, kind, content, Tag.of("p", relay.key(RECIPIENT)));
    }

    private static List<String> filters(Event event, int kind) {
        return List.of(
                "{\"kinds\":[" + kind + "],\"ids\":[\"" + event.id().hex() + "\"]}",
                "{\"kinds\":[" + kind + "],\"authors\":[\"" + relay.key(AUTHOR) + "\"]}",
                "{\"authors\":[\"" + relay.key(AUTHOR) + "\"],\"since\":" + NOW + "}",
                "{\"ids\":[\"" + event.id().hex() + "\"]}",
                "{\"#p\":[\"" + relay.key(RECIPIENT) + "\"],\"until\":" + NOW + ",\"authors\":[\"" + relay.key(AUTHOR)
                        + "\"]}");
    }

    private static RawClient as(String who) throws IOException {
        return who.equals("anonymous") ? relay.client() : relay.clientOf(KEYS.get(who));
    }
}
