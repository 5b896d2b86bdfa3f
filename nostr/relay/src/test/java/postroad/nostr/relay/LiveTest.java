package postroad.nostr.relay;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import postroad.nostr.core.Event;
import postroad.nostr.core.Tag;

@ExtendWith(Leaks.class)
class LiveTest {
    private static final long NOW = TestRelay.NOW;

    private TestRelay relay;

    @BeforeEach
    void start() {
        relay = TestRelay.start();
    }

    @AfterEach
    void stop() {
        relay.close();
    }

    @Test
    void deliversAnEventToEveryConnectionThatWantsItOnLoopsOfItsOwnAndOthers() throws IOException {
        List<RawClient> readers = new ArrayList<>();
        try (RawClient sender = relay.client()) {
            for (int i = 0; i < 8; i++) {
                RawClient reader = relay.client();
                reader.request("s" + i, "{\"kinds\":[1],\"limit\":0}");
                readers.add(reader);
            }
            Event note = relay.note(1, NOW, "to all");

            sender.publish(note);

            for (int i = 0; i < 8; i++) {
                assertThat(readers.get(i).next()).isEqualTo("[\"EVENT\",\"s" + i + "\"," + note.json() + "]");
            }
        } finally {
            for (RawClient reader : readers) {
                reader.close();
            }
        }
    }

    @Test
    void findsSubscriptionsByEveryAttribute() throws IOException {
        Event note = relay.note(1, NOW, "x", Tag.of("t", "nostr"), Tag.of("p", relay.key(2)), Tag.of("r", "a"));
        String hex = note.id().hex();
        List<String> matching = List.of(
                "{\"ids\":[\"" + hex + "\"]}",
                "{\"authors\":[\"" + relay.key(1) + "\"]}",
                "{\"kinds\":[0,1]}",
                "{\"#t\":[\"other\",\"nostr\"]}",
                "{\"#p\":[\"" + relay.key(2) + "\"],\"kinds\":[1]}",
                "{\"&t\":[\"nostr\"],\"#r\":[\"a\",\"b\"]}",
                "{\"since\":" + NOW + ",\"until\":" + NOW + "}",
                "{}");
        List<String> others = List.of(
                "{\"ids\":[\"" + "0".repeat(64) + "\"]}",
                "{\"authors\":[\"" + relay.key(1) + "\"],\"kinds\":[7]}",
                "{\"&t\":[\"nostr\",\"other\"]}",
                "{\"#T\":[\"nostr\"]}",
                "{\"since\":" + (NOW + 1) + "}",
                "{\"kinds\":[]}");
        try (RawClient client = relay.client()) {
            for (int i = 0; i < matching.size(); i++) {
                client.request("yes" + i, matching.get(i));
            }
            for (int i = 0; i < others.size(); i++) {
                client.request("no" + i, others.get(i));
            }

            relay.ingest(List.of(note));

            List<String> told = new ArrayList<>();
            for (int i = 0; i < matching.size(); i++) {
                told.add(client.nextMessage().get(1).asText());
            }
            assertThat(told).containsExactlyInAnyOrder("yes0", "yes1", "yes2", "yes3", "yes4", "yes5", "yes6", "yes7");
            assertThat(client.isQuiet()).isTrue();
        }
    }

    @Test
    void deliversOncePerSubscriptionThoughSeveralFiltersMatch() throws IOException {
        try (RawClient client = relay.client()) {
            client.request("s", "{\"kinds\":[1]},{\"authors\":[\"" + relay.key(1) + "\"]},{\"#t\":[\"a\",\"b\"]},{}");

            relay.ingest(List.of(relay.note(1, NOW, "x", Tag.of("t", "a"), Tag.of("t", "b"))));

            assertThat(client.next()).startsWith("[\"EVENT\",\"s\"");
            assertThat(client.isQuiet()).isTrue();
        }
    }

    @Test
    void keepsTheOrderInWhichEventsWereAccepted() throws IOException {
        try (RawClient client = relay.client()) {
            client.request("s", "{\"limit\":0}");
            List<Event> notes = new ArrayList<>();
            for (int i = 0; i < 500; i++) {
                notes.add(relay.note(1, NOW - i * 7 % 100, "n" + i));
            }

            relay.ingest(notes);

            for (Event note : notes) {
                assertThat(client.nextMessage().get(2).get("id").asText())
                        .isEqualTo(note.id().hex());
            }
        }
    }

    @Test
    void givesAnEventOnceThatWasCommittedBeforeTheRequestAndFannedOutAfterIt() throws Exception {
        GatedStore[] gate = new GatedStore[1];
        try (TestRelay gated = TestRelay.start(TestRelay.defaults(), store -> gate[0] = new GatedStore(store));
                RawClient sender = gated.client();
                RawClient reader = gated.client()) {
            Event before = gated.note(1, NOW, "committed, not fanned out");
            Event after = gated.note(1, NOW + 1, "after");
            gate[0].shutAfterCommit();
            sender.sendEvent(before);
            gate[0].awaitWaiting();

            assertThat(reader.request("s", "{\"kinds\":[1]}"))
                    .containsExactly(before.id().hex());
            assertThat(reader.request("none stored", "{\"limit\":0}")).isEmpty();
            gate[0].open();
            sender.next();
            sender.publish(after);

            assertThat(reader.next()).endsWith(after.json() + "]");
            assertThat(reader.next()).endsWith(after.json() + "]");
            assertThat(reader.isQuiet()).isTrue();
        }
    }

    @Test
    void sharesLargeEventsAmongReceivers() throws IOException {
        Event large = relay.note(1, NOW, "large ".repeat(20_000));
        try (RawClient one = relay.client();
                RawClient two = relay.client();
                RawClient packed = relay.client("Sec-WebSocket-Extensions: permessage-deflate")) {
            for (RawClient client : List.of(one, two, packed)) {
                client.request("long subscription id", "{\"limit\":0}");
            }

            relay.ingest(List.of(large));

            String expected = "[\"EVENT\",\"long subscription id\"," + large.json() + "]";
            assertThat(one.next()).isEqualTo(expected);
            assertThat(two.next()).isEqualTo(expected);
            RawClient.Frame frame = packed.nextFrame();
            assertThat(frame.first()).isEqualTo(0xc1);
            assertThat(FrameReaderTest.inflate(frame.bytes())).isEqualTo(expected);
        }
    }

    @Test
    void deliversNothingThatHasExpired() throws IOException {
        try (RawClient client = relay.client()) {
            client.request("s", "{\"limit\":0}");

            relay.ingest(List.of(relay.event(1, NOW, 20_001, "x", Tag.of("expiration", "" + (NOW - 5)))));

            assertThat(client.isQuiet()).isTrue();
        }
    }

    @Test
    void cutsAReaderThatNeverReadsAndLeavesOthersAlone() throws Exception {
        var settings = TestRelay.defaults().with(s -> {
            s.outboxBytes = 1 << 20;
            s.outboxPauseBytes = 64 << 10;
        });
        try (TestRelay small = TestRelay.start(settings);
                RawClient healthy = small.client();
                RawClient deaf = RawClient.deaf(small.address())) {
            healthy.request("s", "{\"limit\":0}");
            deaf.send("[\"REQ\",\"d\",{\"limit\":0}]");
            awaitEose(deaf);
            int rounds = 0;
            while (small.server().stats().slowReadersCut() == 0) {
                Event note = small.note(1, NOW - rounds, "y".repeat(50_000) + rounds);
                small.ingest(List.of(note));
                assertThat(healthy.nextMessage().get(2).get("id").asText())
                        .isEqualTo(note.id().hex());
                rounds++;
                assertThat(rounds).isLessThan(1_000);
            }

            RawClient.Frame close = deaf.nextClose();
            assertThat(close.closeCode()).isEqualTo(1008);
            assertThat(close.closeReason()).startsWith("you read too slowly");
            assertThat(healthy.isQuiet()).isTrue();
        }
    }

    @Test
    void cutsAReaderThatStalls() throws Exception {
        var settings = TestRelay.defaults().with(s -> {
            s.outboxPauseBytes = 64 << 10;
            s.stall = Duration.ofMillis(300);
        });
        try (TestRelay small = TestRelay.start(settings);
                RawClient deaf = RawClient.deaf(small.address())) {
            List<Event> notes = new ArrayList<>();
            for (int i = 0; i < 400; i++) {
                notes.add(small.note(1, NOW - i, "z".repeat(30_000) + i));
            }
            small.ingest(notes);
            deaf.send("[\"REQ\",\"d\",{}]");

            while (small.server().stats().slowReadersCut() == 0) {
                Thread.onSpinWait();
            }

            assertThat(deaf.nextClose().closeReason()).startsWith("you have read nothing");
        }
    }

    @Test
    void pausesAScanForASlowReaderAndThenSendsEverything() throws Exception {
        var settings = TestRelay.defaults().with(s -> {
            s.outboxBytes = 2 << 20;
            s.outboxPauseBytes = 256 << 10;
        });
        try (TestRelay small = TestRelay.start(settings);
                RawClient slow = RawClient.deaf(small.address());
                RawClient healthy = small.client()) {
            List<Event> notes = new ArrayList<>();
            for (int i = 0; i < 400; i++) {
                notes.add(small.note(1, NOW - i, "w".repeat(20_000) + i));
            }
            small.ingest(notes);
            slow.send("[\"REQ\",\"all\",{\"limit\":5000}]");
            // Eight megabytes are asked for, and two may wait: the scan has to pause. Others are served meanwhile.
            assertThat(healthy.request("s", "{\"limit\":200}")).hasSize(200);

            List<String> ids = new ArrayList<>();
            JsonNode message = slow.nextMessage();
            while (!message.get(0).asText().equals("EOSE")) {
                if (message.get(0).asText().equals("EVENT")) {
                    ids.add(message.get(2).get("id").asText());
                }
                message = slow.nextMessage();
            }

            assertThat(ids)
                    .isEqualTo(notes.stream().map(note -> note.id().hex()).toList());
            assertThat(small.server().stats().slowReadersCut()).isZero();
        }
    }

    @Test
    void keepsSomeEphemeralEventsForASubscriptionWhoseStoredPartStillRuns() throws Exception {
        var settings = TestRelay.defaults().with(s -> {
            s.outboxBytes = 4 << 20;
            s.outboxPauseBytes = 256 << 10;
        });
        try (TestRelay small = TestRelay.start(settings);
                RawClient slow = RawClient.deaf(small.address())) {
            List<Event> notes = new ArrayList<>();
            for (int i = 0; i < 400; i++) {
                notes.add(small.note(1, NOW - 1 - i, "v".repeat(20_000) + i));
            }
            small.ingest(notes);
            slow.send("[\"REQ\",\"all\",{\"limit\":5000}]");
            slow.nextMessage();
            slow.nextMessage();
            // Eight megabytes wait for a reader who has taken a few kilobytes: the stored part cannot be done.
            List<Event> live = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                live.add(small.event(2, NOW, 20_001, "ephemeral " + i));
            }
            Event stored = small.note(2, NOW, "stored meanwhile");
            live.add(stored);
            small.ingest(live);

            List<String> after = new ArrayList<>();
            awaitEose(slow);
            for (int i = 0; i < 257; i++) {
                after.add(slow.nextMessage().get(2).get("id").asText());
            }

            List<String> expected = new ArrayList<>(List.of(stored.id().hex()));
            live.subList(44, 300).forEach(event -> expected.add(event.id().hex()));
            assertThat(after).isEqualTo(expected);
            assertThat(small.server().stats().ephemeralDropped()).isEqualTo(44);
            assertThat(slow.isQuiet()).isTrue();
        }
    }

    private static void awaitEose(RawClient client) throws IOException {
        while (!client.next().startsWith("[\"EOSE\"")) {
            // the greeting
        }
    }
}
