package postroad.nostr.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import postroad.common.Bytes32;
import postroad.common.SecretKey;
import postroad.nostr.core.Event;
import postroad.nostr.core.EventDraft;
import postroad.nostr.core.Filter;
import postroad.nostr.core.RelayMessage;

class RelayConnectionTest {
    private static final SecretKey KEY = SecretKey.of(new Bytes32(0, 0, 0, 7));
    private static final ClientOptions OPTIONS = ClientOptions.DEFAULT.withAnswer(Duration.ofSeconds(10));
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private static Event note(long time, String content) {
        return new EventDraft(time, 1, List.of(), content).sign(KEY);
    }

    private static String ok(Event event, boolean accepted, String text) {
        return "[\"OK\",\"" + event.id() + "\"," + accepted + ",\"" + text + "\"]";
    }

    private static String match(String id, Event event) {
        return "[\"EVENT\",\"" + id + "\"," + event.json() + "]";
    }

    @Test
    void publishesAndReturnsTheRelaysOk() throws Exception {
        Event event = note(1, "hello");
        List<String> heard = new CopyOnWriteArrayList<>();
        try (var relay = FakeRelay.start(peer -> {
                    heard.add(peer.hear());
                    peer.say(ok(event, false, "blocked: not you"));
                    peer.hear();
                });
                var connection = RelayConnection.open(relay.url(), OPTIONS)) {
            RelayMessage.Ok answer = connection.publish(event);

            assertThat(answer).isEqualTo(new RelayMessage.Ok(event.id().hex(), false, "blocked: not you"));
            assertThat(heard).containsExactly("[\"EVENT\"," + event.json() + "]");
        }
    }

    @Test
    void pairsOksThatComeInAnotherOrder() throws Exception {
        Event first = note(1, "first");
        Event second = note(2, "second");
        try (var relay = FakeRelay.start(peer -> {
                    peer.hear();
                    peer.hear();
                    peer.say(ok(second, true, "2"));
                    peer.say(ok(first, true, "1"));
                    peer.hear();
                });
                var connection = RelayConnection.open(relay.url(), OPTIONS)) {
            var one = connection.submit(first);
            var two = connection.submit(second);

            assertThat(one.get(10, TimeUnit.SECONDS).text()).isEqualTo("1");
            assertThat(two.get(10, TimeUnit.SECONDS).text()).isEqualTo("2");
        }
    }

    @Test
    void answersTheSameEventSentTwiceTwice() throws Exception {
        Event event = note(1, "again");
        try (var relay = FakeRelay.start(peer -> {
                    peer.hear();
                    peer.hear();
                    peer.say(ok(event, true, "new"));
                    peer.say(ok(event, true, "duplicate: have it"));
                    peer.hear();
                });
                var connection = RelayConnection.open(relay.url(), OPTIONS)) {
            var one = connection.submit(event);
            var two = connection.submit(event);

            assertThat(one.get(10, TimeUnit.SECONDS).text()).isEqualTo("new");
            assertThat(two.get(10, TimeUnit.SECONDS).text()).isEqualTo("duplicate: have it");
        }
    }

    @Test
    void sendsNoMoreThanTheWindowWithoutAnOk() throws Exception {
        var heard = new LinkedBlockingQueue<String>();
        CountDownLatch answer = new CountDownLatch(1);
        List<Event> events = List.of(note(1, "a"), note(2, "b"), note(3, "c"));
        try (var relay = FakeRelay.start(peer -> {
                    heard.add(peer.hear());
                    heard.add(peer.hear());
                    answer.await();
                    peer.say(ok(events.get(0), true, ""));
                    heard.add(peer.hear());
                    peer.hear();
                });
                var connection = RelayConnection.open(relay.url(), OPTIONS.withWindow(2))) {
            var first = connection.submit(events.get(0));
            var second = connection.submit(events.get(1));
            CompletableFuture<Boolean> third = new CompletableFuture<>();
            Thread.ofVirtual().start(() -> {
                try {
                    third.complete(!connection.submit(events.get(2)).isDone());
                } catch (Exception e) {
                    third.completeExceptionally(e);
                }
            });
            heard.poll(10, TimeUnit.SECONDS);
            heard.poll(10, TimeUnit.SECONDS);
            boolean waited = !second.isDone() && !third.isDone() && heard.isEmpty();
            answer.countDown();
            first.get(10, TimeUnit.SECONDS);
            third.get(10, TimeUnit.SECONDS);

            assertThat(waited).isTrue();
            assertThat(heard.poll(10, TimeUnit.SECONDS)).contains("\"c\"");
        }
    }

    @Test
    void queriesUntilEoseAndClosesTheSubscription() throws Exception {
        Event event = note(5, "stored");
        var heard = new LinkedBlockingQueue<String>();
        try (var relay = FakeRelay.start(peer -> {
                    heard.add(peer.hear());
                    peer.say(match("1", event));
                    peer.say("[\"EOSE\",\"1\",[\"finish\"]]");
                    heard.add(peer.hear());
                    peer.hear();
                });
                var connection = RelayConnection.open(relay.url(), OPTIONS)) {
            List<Event> found = new ArrayList<>();
            QueryEnd end = connection.query(List.of(Filter.ALL.withLimit(3)), PATIENCE, found::add);

            assertThat(found).containsExactly(event);
            assertThat(end).isEqualTo(new QueryEnd.Finished(List.of("finish")));
            assertThat(heard.poll(10, TimeUnit.SECONDS)).isEqualTo("[\"REQ\",\"1\",{\"limit\":3}]");
            assertThat(heard.poll(10, TimeUnit.SECONDS)).isEqualTo("[\"CLOSE\",\"1\"]");
        }
    }

    @Test
    void passesTheReasonOfARefusedQueryOn() throws Exception {
        try (var relay = FakeRelay.start(peer -> {
                    peer.hear();
                    peer.say("[\"CLOSED\",\"1\",\"auth-required: who are you\"]");
                    peer.hear();
                });
                var connection = RelayConnection.open(relay.url(), OPTIONS)) {
            assertThat(connection.query(List.of(Filter.ALL), PATIENCE, event -> {}))
                    .isEqualTo(new QueryEnd.Refused("auth-required: who are you"));
        }
    }

    @Test
    void goesOnAfterEoseAndKeepsTheOrder() throws Exception {
        Event old = note(1, "old");
        Event live = note(9, "live");
        try (var relay = FakeRelay.start(peer -> {
                    peer.hear();
                    peer.say(match("1", old));
                    peer.say("[\"EOSE\",\"1\"]");
                    peer.say(match("1", live));
                    peer.hear();
                });
                var connection = RelayConnection.open(relay.url(), OPTIONS);
                var subscription = connection.subscribe(List.of(Filter.ALL))) {
            assertThat(subscription.next(PATIENCE)).contains(new Subscription.Item.Found(old));
            assertThat(subscription.next(PATIENCE)).contains(new Subscription.Item.EndOfStored(List.of()));
            assertThat(subscription.next(PATIENCE)).contains(new Subscription.Item.Found(live));
        }
    }

    @Test
    void deliversNoForgedUnreadableOrUnaskedEvent() throws Exception {
        Event genuine = note(5, "genuine");
        Event other = new EventDraft(5, 7, List.of(), "+").sign(KEY);
        String forged =
                genuine.json().replace(genuine.signatureHex(), note(6, "x").signatureHex());
        String altered = genuine.json().replace("genuine", "altered");
        try (var relay = FakeRelay.start(peer -> {
                    peer.hear();
                    peer.say("[\"EVENT\",\"1\"," + forged + "]");
                    peer.say("[\"EVENT\",\"1\"," + altered + "]");
                    peer.say(match("1", other));
                    peer.say(match("nobody", genuine));
                    peer.say("[\"EVENT\",\"1\"");
                    peer.say(match("1", genuine));
                    peer.say("[\"EOSE\",\"1\"]");
                    peer.hear();
                });
                var connection = RelayConnection.open(relay.url(), OPTIONS)) {
            Filter notes = new Filter(
                    java.util.Optional.empty(),
                    java.util.Optional.empty(),
                    java.util.Optional.of(Filter.Kinds.of(1)),
                    List.of(),
                    Long.MIN_VALUE,
                    Long.MAX_VALUE,
                    java.util.OptionalInt.empty());

            assertThat(connection.query(List.of(notes))).containsExactly(genuine);
            assertThat(connection.stats()).isEqualTo(new RelayConnection.Stats(1, 1, 2, 2));
        }
    }

    @Test
    void takesUnverifiedEventsWhenTold() throws Exception {
        Event genuine = note(5, "genuine");
        String forged =
                genuine.json().replace(genuine.signatureHex(), note(6, "x").signatureHex());
        try (var relay = FakeRelay.start(peer -> {
                    peer.hear();
                    peer.say("[\"EVENT\",\"1\"," + forged + "]");
                    peer.say("[\"EOSE\",\"1\"]");
                    peer.hear();
                });
                var connection = RelayConnection.open(relay.url(), OPTIONS.withVerify(false))) {
            assertThat(connection.query(List.of(Filter.ALL))).hasSize(1);
        }
    }

    @Test
    void countsAndPassesRefusalsOn() throws Exception {
        try (var relay = FakeRelay.start(peer -> {
                    peer.hear();
                    peer.say("[\"COUNT\",\"1\",{\"count\":42}]");
                    peer.hear();
                    peer.say("[\"CLOSED\",\"2\",\"unsupported: no COUNT\"]");
                    peer.hear();
                });
                var connection = RelayConnection.open(relay.url(), OPTIONS)) {
            assertThat(connection.count(List.of(Filter.ALL))).isEqualTo(new CountAnswer.Counted(42, false));
            assertThat(connection.count(List.of(Filter.ALL)))
                    .isEqualTo(new CountAnswer.Refused("unsupported: no COUNT"));
        }
    }

    @Test
    void provesItsKeyWithTheRelaysChallenge() throws Exception {
        List<String> heard = new CopyOnWriteArrayList<>();
        try (var relay = FakeRelay.start(peer -> {
                    peer.say("[\"AUTH\",\"a challenge\"]");
                    String auth = peer.hear();
                    heard.add(auth);
                    peer.say("[\"OK\",\"" + auth.replaceAll(".*\"id\":\"([0-9a-f]{64})\".*", "$1") + "\",true,\"\"]");
                    peer.hear();
                });
                var connection = RelayConnection.open(relay.url(), OPTIONS)) {
            RelayMessage.Ok ok = connection.authenticate(KEY);

            assertThat(ok.accepted()).isTrue();
            assertThat(heard.getFirst())
                    .startsWith("[\"AUTH\",{")
                    .contains("\"kind\":22242")
                    .contains("[\"relay\",\"" + relay.url() + "\"],[\"challenge\",\"a challenge\"]");
        }
    }

    @Test
    void givesUpOnARelayThatDoesNotAnswer() throws Exception {
        CountDownLatch stay = new CountDownLatch(1);
        try (var relay = FakeRelay.start(peer -> stay.await());
                var connection = RelayConnection.open(relay.url(), OPTIONS.withAnswer(Duration.ofMillis(50)))) {
            assertThatExceptionOfType(RelayException.class)
                    .isThrownBy(() -> connection.publish(note(1, "x")))
                    .withMessageContaining("sent no answer to EVENT");
            assertThatExceptionOfType(RelayException.class)
                    .isThrownBy(() -> connection.count(List.of(Filter.ALL)))
                    .withMessageContaining("sent no answer to COUNT");
            assertThatExceptionOfType(RelayException.class)
                    .isThrownBy(() -> connection.authenticate(KEY))
                    .withMessageContaining("AUTH challenge");
            stay.countDown();
        }
    }

    @Test
    void failsEverythingThatWaitsWhenTheConnectionIsLost() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        try (var relay = FakeRelay.start(peer -> {
                    peer.hear();
                    peer.hear();
                    asked.await();
                    peer.raw(new byte[] {(byte) 0x88, 7, 3, (byte) 0xe9, 'l', 'a', 't', 'e', 'r'});
                });
                var connection = RelayConnection.open(relay.url(), OPTIONS);
                var subscription = connection.subscribe(List.of(Filter.ALL))) {
            var publishing = connection.submit(note(1, "x"));
            asked.countDown();

            assertThatExceptionOfType(ExecutionException.class)
                    .isThrownBy(() -> publishing.get(10, TimeUnit.SECONDS))
                    .withMessageContaining("closed the connection (1001: later)");
            assertThat(subscription.next(PATIENCE).orElseThrow())
                    .isEqualTo(new Subscription.Item.Lost(relay.url() + " closed the connection (1001: later)"));
            assertThatExceptionOfType(RelayException.class).isThrownBy(() -> connection.subscribe(List.of(Filter.ALL)));
            assertThat(connection.isOpen()).isFalse();
        }
    }

    @Test
    void deliversWhatCameBeforeTheConnectionWasLost() throws Exception {
        Event event = note(1, "last words");
        try (var relay = FakeRelay.start(peer -> {
                    peer.hear();
                    peer.say(match("1", event));
                });
                var connection = RelayConnection.open(relay.url(), OPTIONS);
                var subscription = connection.subscribe(List.of(Filter.ALL))) {
            assertThat(subscription.next(PATIENCE)).contains(new Subscription.Item.Found(event));
            assertThat(subscription.next(PATIENCE).orElseThrow()).isInstanceOf(Subscription.Item.Lost.class);
        }
    }

    @Test
    void pingsASilentRelayBeforeItCountsAsLost() throws Exception {
        CompletableFuture<Boolean> pinged = new CompletableFuture<>();
        CountDownLatch stay = new CountDownLatch(1);
        try (var relay = FakeRelay.start(peer -> {
                    try {
                        peer.hear();
                    } finally {
                        pinged.complete(peer.heardPing);
                    }
                    stay.await();
                });
                var connection = RelayConnection.open(relay.url(), OPTIONS.withSilence(Duration.ofMillis(50)));
                var subscription = connection.subscribe(List.of(Filter.ALL))) {
            // The subscription's REQ is heard first; the relay then says and reads nothing more.
            assertThat(subscription.next(PATIENCE).orElseThrow())
                    .isEqualTo(new Subscription.Item.Lost(
                            "the connection to " + relay.url() + " is lost: no sign of life"));
            stay.countDown();
        }
    }

    @Test
    void closingUnblocksAReaderWhoseQueueIsFull() throws Exception {
        Event event = note(1, "x");
        CountDownLatch stay = new CountDownLatch(1);
        try (var relay = FakeRelay.start(peer -> {
            peer.hear();
            for (int i = 0; i < 100; i++) {
                peer.say(match("1", event));
            }
            stay.await();
        })) {
            var connection = RelayConnection.open(relay.url(), OPTIONS.withQueue(2));
            var subscription = connection.subscribe(List.of(Filter.ALL));
            subscription.next(PATIENCE);

            connection.close();
            stay.countDown();

            assertThat(connection.isOpen()).isFalse();
        }
    }

    @Test
    void aClosedSubscriptionLetsTheConnectionGoOn() throws Exception {
        Event event = note(1, "x");
        try (var relay = FakeRelay.start(peer -> {
                    peer.hear();
                    for (int i = 0; i < 100; i++) {
                        peer.say(match("1", event));
                    }
                    String heard = peer.hear();
                    while (!heard.startsWith("[\"EVENT\"")) {
                        heard = peer.hear();
                    }
                    peer.say(ok(event, true, ""));
                    peer.hear();
                });
                var connection = RelayConnection.open(relay.url(), OPTIONS.withQueue(2))) {
            connection.subscribe(List.of(Filter.ALL)).close();

            assertThat(connection.publish(event).accepted()).isTrue();
        }
    }

    @Test
    void tellsNotices() throws Exception {
        var notices = new LinkedBlockingQueue<String>();
        try (var relay = FakeRelay.start(peer -> {
                    peer.say("[\"NOTICE\",\"be kind\"]");
                    peer.hear();
                });
                var connection = RelayConnection.open(relay.url(), OPTIONS.withNotices(notices::add))) {
            assertThat(notices.poll(10, TimeUnit.SECONDS)).isEqualTo("be kind");
            assertThat(connection.isOpen()).isTrue();
        }
    }

    @Test
    void anErrorOfTheReadingThreadReachesWhoWaitsForAnAnswer() throws Exception {
        var options = OPTIONS.withAnswer(Duration.ofMinutes(5)).withNotices(notice -> {
            throw new NoClassDefFoundError("as it should");
        });
        try (var relay = FakeRelay.start(peer -> {
                    peer.hear();
                    peer.say("[\"NOTICE\",\"ends the thread\"]");
                    peer.hear();
                });
                var connection = RelayConnection.open(relay.url(), options)) {
            assertThatThrownBy(() -> connection.count(List.of(Filter.ALL)))
                    .isInstanceOf(RelayException.class)
                    .hasMessageContaining("ended by a fault of ours: java.lang.NoClassDefFoundError: as it should");
        }
    }

    @Test
    void refusesAUrlThatIsNoRelays() {
        assertThatIllegalArgumentException().isThrownBy(() -> RelayConnection.open("http://relay.example", OPTIONS));
    }

    @Test
    void sendsFiltersAsTheyWereWrittenAndChecksWhatItKnowsOfThem() throws Exception {
        String written = "{ \"kinds\":[1], \"search\":\"für \\\"dich\\\"\", \"#long\":[ ] }";
        GivenFilter given = new GivenFilter(written, Filter.ALL.withLimit(5));
        Event event = note(1, "hello");
        List<String> heard = new CopyOnWriteArrayList<>();
        try (var relay = FakeRelay.start(peer -> {
                    heard.add(peer.hear());
                    peer.say(match("1", event));
                    peer.say("[\"EOSE\",\"1\"]");
                    heard.add(peer.hear());
                    peer.say("[\"COUNT\",\"2\",{\"count\":7}]");
                    peer.hear();
                });
                var connection = RelayConnection.open(relay.url(), OPTIONS);
                Subscription subscription = connection.subscribeAsGiven(List.of(given, given))) {
            assertThat(subscription.next(PATIENCE)).contains(new Subscription.Item.Found(event));
            assertThat(subscription.next(PATIENCE)).contains(new Subscription.Item.EndOfStored(List.of()));
            assertThat(connection.countAsGiven(List.of(given))).isEqualTo(new CountAnswer.Counted(7, false));
            assertThat(heard)
                    .containsExactly(
                            "[\"REQ\",\"1\"," + written + "," + written + "]", "[\"COUNT\",\"2\"," + written + "]");
        }
    }
}
