package postroad.nostr.relay;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import postroad.nostr.core.Event;
import postroad.nostr.core.Tag;
import postroad.nostr.core.VerifiedEvent;

@ExtendWith(Leaks.class)
class PublishTest {
    private static final long NOW = TestRelay.NOW;

    private TestRelay relay;
    private RawClient client;

    @BeforeEach
    void start() throws IOException {
        relay = TestRelay.start();
        client = relay.client();
    }

    @AfterEach
    void stop() throws IOException {
        client.close();
        relay.close();
    }

    @Test
    void acknowledgesAnEventAndServesItAtOnce() throws IOException {
        Event note = relay.note(1, NOW, "hello");

        assertThat(client.publish(note)).isEqualTo(ok(note, true, ""));
        assertThat(client.request("s", "{\"ids\":[\"" + note.id().hex() + "\"]}"))
                .containsExactly(note.id().hex());
    }

    @Test
    void acknowledgesADuplicateAsThere() throws IOException {
        Event note = relay.note(1, NOW, "hello");
        client.publish(note);

        assertThat(client.publish(note)).isEqualTo(ok(note, true, "duplicate: already have this event"));
        assertThat(relay.server().stats().duplicates()).isEqualTo(1);
    }

    @Test
    void acknowledgesTwinsOfOneBurstOnceEach() throws IOException {
        Event note = relay.note(1, NOW, "hello");
        for (int i = 0; i < 3; i++) {
            client.sendEvent(note);
        }

        List<String> answers = List.of(client.next(), client.next(), client.next());

        assertThat(answers)
                .containsExactlyInAnyOrder(
                        ok(note, true, ""),
                        ok(note, true, "duplicate: already have this event"),
                        ok(note, true, "duplicate: already have this event"));
    }

    @Test
    void refusesAForgedSignature() throws IOException {
        Event note = relay.note(1, NOW, "hello");
        String other = relay.note(1, NOW, "other").signatureHex();
        client.send("[\"EVENT\"," + note.json().replace(note.signatureHex(), other) + "]");

        assertThat(client.next()).isEqualTo(ok(note, false, "invalid: bad signature"));
        assertThat(client.request("s", "{}")).isEmpty();
    }

    @Test
    void refusesAWrongIdNamingIt() throws IOException {
        Event note = relay.note(1, NOW, "hello");
        client.send("[\"EVENT\"," + note.json().replace("hello", "jello") + "]");

        assertThat(client.next()).startsWith("[\"OK\",\"" + note.id().hex() + "\",false,\"invalid: bad event id");
    }

    @Test
    void refusesAnOlderVersionAsTheFieldDoes() throws IOException {
        Event newer = relay.event(1, NOW, 0, "{\"name\":\"new\"}");
        Event older = relay.event(1, NOW - 1, 0, "{\"name\":\"old\"}");
        client.publish(newer);

        assertThat(client.publish(older)).isEqualTo(ok(older, false, "replaced: have newer event"));
    }

    @Test
    void refusesWhatItsAuthorHasDeleted() throws IOException {
        Event note = relay.note(1, NOW - 10, "regret");
        Event deletion = relay.event(1, NOW, 5, "", Tag.of("e", note.id().hex()));
        client.publish(note);
        assertThat(client.publish(deletion)).isEqualTo(ok(deletion, true, ""));

        assertThat(client.publish(note)).isEqualTo(ok(note, false, "deleted: user requested deletion"));
        assertThat(client.request("s", "{\"kinds\":[1]}")).isEmpty();
    }

    @Test
    void refusesWhoHasVanished() throws IOException {
        Event vanish = relay.event(1, NOW, 62, "", Tag.of("relay", "ALL_RELAYS"));
        client.publish(vanish);
        Event late = relay.note(1, NOW - 1, "late");

        assertThat(client.publish(late)).startsWith("[\"OK\",\"" + late.id().hex() + "\",false,\"blocked: ");
    }

    @Test
    void refusesTheFutureAndWhatHasExpired() throws IOException {
        Event edge = relay.note(1, NOW + 900, "edge");
        Event future = relay.note(1, NOW + 901, "future");
        Event expired = relay.note(1, NOW - 10, "gone", Tag.of("expiration", "" + NOW));
        Event expiring = relay.note(1, NOW - 10, "still there", Tag.of("expiration", "" + (NOW + 1)));

        assertThat(client.publish(edge)).isEqualTo(ok(edge, true, ""));
        assertThat(client.publish(future))
                .contains("false,\"invalid: created_at is more than 900 seconds in the future");
        assertThat(client.publish(expired)).isEqualTo(ok(expired, false, "invalid: event expired"));
        assertThat(client.publish(expiring)).isEqualTo(ok(expiring, true, ""));
    }

    @Test
    void neverServesAnEventThatHasExpiredSince() throws IOException {
        Event expiring = relay.note(1, NOW - 10, "short", Tag.of("expiration", "" + (NOW + 5)));
        client.publish(expiring);
        assertThat(client.request("s", "{}")).hasSize(1);

        relay.setClock(NOW + 5);

        assertThat(client.request("s", "{}")).isEmpty();
        client.send("[\"COUNT\",\"c\",{}]");
        assertThat(client.next()).isEqualTo("[\"COUNT\",\"c\",{\"count\":0}]");
    }

    @Test
    void removesWhatHasExpired() throws Exception {
        GatedStore[] gate = new GatedStore[1];
        Event expired = relay.note(1, NOW - 100, "long gone", Tag.of("expiration", "" + (NOW - 50)));
        Event kept = relay.note(1, NOW - 100, "kept", Tag.of("expiration", "" + (NOW + 50)));
        try (TestRelay swept = TestRelay.start(TestRelay.defaults(), store -> {
            store.write(List.of(VerifiedEvent.unchecked(expired), VerifiedEvent.unchecked(kept)), NOW - 60);
            gate[0] = new GatedStore(store);
            return gate[0];
        })) {
            gate[0].awaitSweep();

            assertThat(swept.store().info().events()).isEqualTo(1);
        }
    }

    @Test
    void refusesThePastWhereThatIsBounded() throws IOException {
        try (TestRelay strict = TestRelay.start(TestRelay.defaults().with(s -> s.pastSeconds = 100));
                RawClient sender = strict.client()) {
            Event old = strict.note(1, NOW - 101, "old");
            Event edge = strict.note(1, NOW - 100, "edge");

            assertThat(sender.publish(old))
                    .contains("false,\"invalid: created_at is more than 100 seconds in the past");
            assertThat(sender.publish(edge)).isEqualTo(ok(edge, true, ""));
        }
    }

    @Test
    void passesEphemeralEventsOnAndKeepsNothing() throws IOException {
        Event ephemeral = relay.event(1, NOW, 20_001, "now");
        client.request("s", "{\"kinds\":[20001]}");
        client.sendEvent(ephemeral);

        List<String> both = List.of(client.next(), client.next());

        assertThat(both).containsExactly(ok(ephemeral, true, ""), "[\"EVENT\",\"s\"," + ephemeral.json() + "]");
        assertThat(client.request("again", "{\"kinds\":[20001]}")).isEmpty();
    }

    @Test
    void keepsAnswersToChallengesOutOfTheStore() throws IOException {
        Event answer = relay.authEvent(client, 1);

        assertThat(client.publish(answer)).contains("false,\"invalid: kind 22242");
    }

    @Test
    void takesProtectedEventsFromTheirAuthorOnly() throws IOException {
        Event secret = relay.note(1, NOW, "mine", Tag.of("-"));

        assertThat(client.publish(secret)).contains("false,\"auth-required: ");
        try (RawClient stranger = relay.clientOf(2);
                RawClient author = relay.clientOf(1)) {
            assertThat(stranger.publish(secret)).contains("false,\"restricted: ");
            assertThat(author.publish(secret)).isEqualTo(ok(secret, true, ""));
        }
    }

    @Test
    void refusesProtectedEventsWhereNobodyCanProveAKey() throws IOException {
        try (TestRelay off = TestRelay.start(TestRelay.defaults().with(s -> s.auth = AuthMode.OFF));
                RawClient sender = off.client()) {
            assertThat(sender.publish(off.note(1, NOW, "mine", Tag.of("-")))).contains("false,\"blocked: ");
        }
    }

    @Test
    void refusesRepostsThatEmbedProtectedEvents() throws IOException {
        Event secret = relay.note(1, NOW, "mine", Tag.of("-"));
        Event open = relay.note(1, NOW, "open", Tag.of("x", "-"));

        for (int kind : new int[] {6, 16}) {
            Event leak = relay.event(2, NOW, kind, secret.json());
            Event spaced = relay.event(2, NOW, kind, secret.json().replace("[\"-\"]", "[ \"\\u002d\" ]"));
            Event fine = relay.event(2, NOW, kind, open.json());
            Event empty = relay.event(2, NOW, kind, "");
            Event text = relay.event(2, NOW, kind, "{not json [\"-\"]");

            assertThat(client.publish(leak)).contains("false,\"blocked: a repost must not embed");
            assertThat(client.publish(spaced)).contains("false,\"blocked: a repost must not embed");
            assertThat(client.publish(fine)).isEqualTo(ok(fine, true, ""));
            assertThat(client.publish(empty)).isEqualTo(ok(empty, true, ""));
            assertThat(client.publish(text)).isEqualTo(ok(text, true, ""));
        }
    }

    @Test
    void findsAProtectedEventInARepostHoweverItIsHidden() throws IOException {
        String deep = "[".repeat(5_000) + "]".repeat(5_000);
        List<String> hidden = List.of(
                "{\"tags\":[[\"-\"]],\"tags\":[]}",
                "{\"tags\":[],\"tags\":[[\"-\"]]}",
                "{\"ta\\u0067s\":[[\"\\u002d\"]]}",
                "{\"x\":" + deep + ",\"tags\":[[\"-\"]]}",
                "{\"x\":" + "[".repeat(900_000),
                "{\"x\":" + "9".repeat(5_000) + ",\"tags\":[[\"-\"]]}",
                "{\"tags\":[[],[[\"a\"],\"b\"],{\"c\":[]},7,[\"-\",\"x\"]]}",
                " {\"tags\":[[\"-\"]]} and more");
        List<String> open = List.of(
                "{\"tags\":[[\"x\",\"-\"],[[\"-\"]],\"-\",{\"-\":\"-\"}]}",
                "{\"content\":{\"tags\":[[\"-\"]]},\"tags\":[]}");

        for (String content : hidden) {
            assertThat(client.publish(relay.event(2, NOW, 6, content)))
                    .as(content.substring(0, Math.min(60, content.length())))
                    .contains("false,\"blocked: a repost must not embed");
        }
        for (String content : open) {
            Event fine = relay.event(2, NOW, 16, content);
            assertThat(client.publish(fine)).isEqualTo(ok(fine, true, ""));
        }
    }

    @Test
    void answersEachOfABurstOnceAndInOrder() throws IOException {
        int count = 2_000;
        List<Event> notes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            notes.add(relay.note(i % 5, NOW - i, "burst " + i));
        }
        Thread sender = Thread.startVirtualThread(() -> {
            try {
                for (Event note : notes) {
                    client.sendEvent(note);
                }
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });

        List<String> answered = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            JsonNode answer = client.nextMessage();
            assertThat(answer.get(2).asBoolean()).isTrue();
            answered.add(answer.get(1).asText());
        }

        assertThat(sender.isAlive()).isFalse();
        assertThat(answered)
                .isEqualTo(notes.stream().map(note -> note.id().hex()).toList());
        assertThat(relay.server().stats().accepted()).isEqualTo(count);
    }

    @Test
    void stopsReadingWhileTooMuchIsInFlight() throws Exception {
        GatedStore[] gate = new GatedStore[1];
        var settings = TestRelay.defaults().with(s -> s.ingestBytes = 64 << 10);
        try (TestRelay slow = TestRelay.start(settings, store -> gate[0] = new GatedStore(store));
                RawClient sender = slow.client()) {
            gate[0].shut();
            List<Event> notes = new ArrayList<>();
            for (int i = 0; i < 400; i++) {
                notes.add(slow.note(1, NOW - i, "x".repeat(5_000) + i));
            }
            Thread writer = Thread.startVirtualThread(() -> {
                try {
                    for (Event note : notes) {
                        sender.sendEvent(note);
                    }
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            gate[0].awaitWaiting();
            try (RawClient other = slow.client()) {
                // A whole round on the same loops: what was readable was read.
                assertThat(other.request("s", "{}")).isEmpty();
            }
            assertThat(slow.server().stats().messages().get("EVENT")).isLessThan(100);

            gate[0].open();

            Set<String> answered = new HashSet<>();
            for (int i = 0; i < notes.size(); i++) {
                answered.add(sender.nextMessage().get(1).asText());
            }
            writer.join();
            assertThat(answered).hasSize(notes.size());
        }
    }

    @Test
    void reportsAFailingStoreAndGoesOn() throws IOException {
        GatedStore[] gate = new GatedStore[1];
        try (TestRelay broken = TestRelay.start(TestRelay.defaults(), store -> gate[0] = new GatedStore(store));
                RawClient sender = broken.client()) {
            gate[0].failNext(new IllegalStateException("no disk today"));
            Event lost = broken.note(1, NOW, "lost");

            assertThat(sender.publish(lost)).contains("false,\"error: ");
            assertThat(sender.publish(lost)).isEqualTo(ok(lost, true, ""));
        }
    }

    @Test
    void boundsTheRateOfEventsPerAddress() throws IOException {
        try (TestRelay strict = TestRelay.start(TestRelay.defaults().with(s -> s.eventsPerSecond = 1));
                RawClient one = strict.client();
                RawClient two = strict.client()) {
            List<String> answers = new ArrayList<>();
            for (int i = 0; i < 2 * TokenBucket.SECONDS; i++) {
                answers.add((i % 2 == 0 ? one : two).publish(strict.note(1, NOW, "n" + i)));
            }

            assertThat(answers)
                    .filteredOn(answer -> answer.contains("false,\"rate-limited: "))
                    .hasSizeGreaterThanOrEqualTo(TokenBucket.SECONDS - 1);
            assertThat(answers)
                    .filteredOn(answer -> answer.endsWith("true,\"\"]"))
                    .hasSizeGreaterThanOrEqualTo(TokenBucket.SECONDS);
        }
    }

    @Test
    void countsRefusalsByReason() throws IOException {
        client.publish(relay.note(1, NOW + 2_000, "future"));
        client.send("[\"EVENT\",{\"id\":5}]");
        client.next();

        Map<String, Long> refused = relay.server().stats().refused();

        assertThat(refused.get("invalid")).isEqualTo(2);
        assertThat(refused.get("blocked")).isZero();
    }

    private static String ok(Event event, boolean accepted, String text) {
        return "[\"OK\",\"" + event.id().hex() + "\"," + accepted + ",\"" + text + "\"]";
    }
}
