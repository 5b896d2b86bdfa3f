package postroad.nostr.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import postroad.nostr.core.Event;
import postroad.nostr.core.EventDraft;
import postroad.nostr.core.KindClass;
import postroad.nostr.core.Signer;
import postroad.nostr.core.Tag;
import postroad.nostr.kit.Keys;

/// Writers, replacements, deletions, sliced scans and live subscriptions all at once: whoever subscribes,
/// whenever, gets everything that is stored at the end, nothing twice, EOSE in between, and a request after
/// an OK finds the event.
@ExtendWith(Leaks.class)
class HammerTest {
    private static final long NOW = TestRelay.NOW;
    private static final int WRITERS = 3;
    private static final int READERS = 4;
    private static final int SUBSCRIPTIONS_EACH = 4;
    private static final int STORED_BEFORE = 3_000;
    private static final int EVENTS_EACH = 700;
    private static final int WINDOW = 40;
    private static final String MARKER = "this is the last one";

    /// What stays at the end: the newest version of each address, and what was not deleted.
    private static final class Ledger {
        private final Set<String> kept = ConcurrentHashMap.newKeySet();
        private final Map<String, Event> versions = new ConcurrentHashMap<>();
        private final Queue<String> ephemeral = new ConcurrentLinkedQueue<>();
        private final AtomicInteger acknowledged = new AtomicInteger();

        void acknowledged(Event event) {
            acknowledged.incrementAndGet();
            switch (event.kindClass()) {
                case EPHEMERAL -> ephemeral.add(event.id().hex());
                case REGULAR -> {
                    kept.add(event.id().hex());
                    if (event.kind() == 5) {
                        event.tags().forEach(tag -> kept.remove(tag.value()));
                    }
                }
                case REPLACEABLE, ADDRESSABLE ->
                    versions.merge(
                            event.kind() + event.author().hex() + event.d(),
                            event,
                            (a, b) -> a.createdAt() >= b.createdAt() ? a : b);
            }
        }

        Set<String> atTheEnd() {
            Set<String> ids = new HashSet<>(kept);
            versions.values().forEach(event -> ids.add(event.id().hex()));
            return ids;
        }
    }

    /// How many events were acknowledged so far, for readers that begin on the way.
    private static final class Progress {
        private int steps;

        synchronized void step() {
            steps++;
            notifyAll();
        }

        synchronized void await(int count) throws InterruptedException {
            while (steps < count) {
                wait();
            }
        }
    }

    /// What one subscription got.
    private static final class Received {
        private final List<String> stored = new ArrayList<>();
        private final List<String> live = new ArrayList<>();
        private boolean eose;
        private boolean marker;
    }

    @Test
    @Timeout(120)
    void losesNothingAndRepeatsNothing() throws Exception {
        Ledger ledger = new Ledger();
        var settings = TestRelay.defaults().with(s -> {
            s.maxLimit = 100_000;
            s.outboxBytes = 256 << 20;
            s.outboxPauseBytes = 128 << 10;
        });
        try (TestRelay relay = TestRelay.start(settings);
                ExecutorService threads = Executors.newCachedThreadPool()) {
            preload(relay, ledger);
            CountDownLatch listening = new CountDownLatch(1);
            Future<Received> control = threads.submit(() -> listen(relay, listening));
            listening.await();
            Progress progress = new Progress();
            List<Future<Void>> writers = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                int writer = i;
                writers.add(threads.submit(() -> write(relay, writer, ledger, progress)));
            }
            List<Future<List<Received>>> readers = new ArrayList<>();
            for (int i = 0; i < READERS; i++) {
                int reader = i;
                readers.add(threads.submit(() -> read(relay, reader, progress)));
            }
            join(writers);
            relay.ingest(List.of(relay.note(0, NOW, MARKER)));

            Set<String> expected = ledger.atTheEnd();
            for (Future<List<Received>> reader : readers) {
                for (Received received : reader.get()) {
                    check(received, expected);
                }
            }
            assertThat(control.get().live).doesNotHaveDuplicates().hasSize(ledger.acknowledged.get());
            assertThat(control.get().live).containsAll(ledger.ephemeral);
            assertThat(relay.server().stats().refused().values()).containsOnly(0L);
        }
    }

    private static void check(Received received, Set<String> expected) {
        assertThat(received.eose).isTrue();
        assertThat(received.stored).doesNotHaveDuplicates();
        assertThat(received.live).doesNotHaveDuplicates().doesNotContainAnyElementsOf(received.stored);
        Set<String> all = new HashSet<>(received.stored);
        all.addAll(received.live);
        Set<String> missing = new HashSet<>(expected);
        missing.removeAll(all);
        assertThat(missing).isEmpty();
    }

    private static void preload(TestRelay relay, Ledger ledger) {
        List<Event> before = new ArrayList<>();
        for (int i = 0; i < STORED_BEFORE; i++) {
            before.add(relay.note(10 + i % 7, NOW - 10_000 - i / 3, "stored before " + i));
        }
        relay.ingest(before);
        before.forEach(event -> ledger.kept.add(event.id().hex()));
    }

    /// Publishes with a window of unanswered events; checks now and then that what was acknowledged is found.
    private static Void write(TestRelay relay, int writer, Ledger ledger, Progress progress) throws IOException {
        Random random = new Random(writer);
        Signer signer = new Keys(100 + writer).signer(0);
        Map<String, Event> unanswered = new HashMap<>();
        ArrayDeque<Event> notes = new ArrayDeque<>();
        try (RawClient client = relay.client();
                RawClient asker = relay.client()) {
            for (int i = 0; i < EVENTS_EACH; i++) {
                Event event = signer.sign(draft(random, i, notes));
                unanswered.put(event.id().hex(), event);
                client.sendEvent(event);
                if (event.kind() == 1) {
                    notes.add(event);
                }
                while (unanswered.size() >= WINDOW) {
                    Event acknowledged = takeOk(client, unanswered, ledger);
                    progress.step();
                    if (acknowledged.kindClass() == KindClass.REGULAR && random.nextInt(20) == 0) {
                        findAtOnce(asker, acknowledged, ledger);
                    }
                }
            }
            while (!unanswered.isEmpty()) {
                takeOk(client, unanswered, ledger);
                progress.step();
            }
        }
        return null;
    }

    private static EventDraft draft(Random random, int number, ArrayDeque<Event> notes) {
        long at = NOW - 5_000 + number;
        return switch (random.nextInt(10)) {
            case 0 -> new EventDraft(at, 0, List.of(), "profile " + number);
            case 1 -> new EventDraft(at, 10_002, List.of(), "relays " + number);
            case 2 -> new EventDraft(at, 30_023, List.of(Tag.of("d", "a" + number % 3)), "article " + number);
            case 3 -> new EventDraft(at, 20_005, List.of(), "ephemeral " + number);
            case 4 -> deletion(at, notes);
            default -> new EventDraft(at, 1, List.of(Tag.of("t", "x" + number % 5)), "note " + number);
        };
    }

    /// Of a note so old that it was acknowledged.
    private static EventDraft deletion(long at, ArrayDeque<Event> notes) {
        if (notes.size() <= WINDOW) {
            return new EventDraft(at, 1, List.of(), "nothing to delete yet");
        }
        return new EventDraft(at, 5, List.of(Tag.of("e", notes.remove().id().hex())), "");
    }

    private static Event takeOk(RawClient client, Map<String, Event> unanswered, Ledger ledger) throws IOException {
        String ok = client.nextFrame().text();
        Event event = unanswered.remove(ok.substring(7, 71));
        assertThat(ok).endsWith(",true,\"\"]");
        ledger.acknowledged(event);
        return event;
    }

    private static void findAtOnce(RawClient asker, Event event, Ledger ledger) throws IOException {
        List<String> found =
                asker.request("at once", "{\"ids\":[\"" + event.id().hex() + "\"]}");
        assertThat(found.isEmpty() && ledger.kept.contains(event.id().hex())).isFalse();
    }

    /// Opens subscriptions to everything while the writers write; some take the place of others on the way.
    private static List<Received> read(TestRelay relay, int reader, Progress progress)
            throws IOException, InterruptedException {
        Map<String, Received> open = new HashMap<>();
        try (RawClient client = relay.client()) {
            for (int i = 0; i < SUBSCRIPTIONS_EACH; i++) {
                int begin = (i * READERS + reader) * WRITERS * EVENTS_EACH / (READERS * SUBSCRIPTIONS_EACH);
                progress.await(begin);
                if (i % 2 == 1) {
                    // Cancelled in the middle of its scan.
                    client.send("[\"REQ\",\"r" + i + "\",{\"limit\":100000}]");
                }
                open.put("r" + i, new Received());
                client.send("[\"REQ\",\"r" + i + "\",{\"limit\":100000},{\"kinds\":[1],\"limit\":100000}]");
                if (i % 2 == 1) {
                    skipTheFirstAnswer(client, "r" + i, open);
                }
            }
            // The marker is the newest event: of a REQ that came after it, the first stored one.
            while (!open.values().stream().allMatch(received -> received.marker && received.eose)) {
                take(client.nextFrame().text(), open);
            }
        }
        return List.copyOf(open.values());
    }

    /// The replaced request may have been answered in part or whole; a marker request tells where the new
    /// one begins.
    private static void skipTheFirstAnswer(RawClient client, String id, Map<String, Received> open) throws IOException {
        client.send("[\"CLOSE\",\"" + id + "\"]");
        client.send("[\"REQ\",\"marker\",{\"limit\":0}]");
        String text = client.nextFrame().text();
        while (!text.startsWith("[\"EOSE\",\"marker\"")) {
            if (!text.contains("\"" + id + "\"")) {
                take(text, open);
            }
            text = client.nextFrame().text();
        }
        client.send("[\"CLOSE\",\"marker\"]");
        client.send("[\"REQ\",\"" + id + "\",{\"limit\":100000},{\"kinds\":[1],\"limit\":100000}]");
    }

    private static void take(String text, Map<String, Received> open) {
        int idEnd = text.indexOf('"', text.indexOf(",\"") + 2);
        Received received = open.get(text.substring(text.indexOf(",\"") + 2, idEnd));
        if (received == null) {
            return;
        }
        if (text.startsWith("[\"EOSE\"")) {
            assertThat(received.eose).isFalse();
            received.eose = true;
        } else if (text.startsWith("[\"EVENT\"")) {
            int at = text.indexOf("{\"id\":\"") + 7;
            (received.eose ? received.live : received.stored).add(text.substring(at, at + 64));
            received.marker |= text.contains(MARKER);
        } else {
            throw new AssertionError(text);
        }
    }

    /// One subscription from before the first event to the marker: it sees every event, ephemeral ones too.
    private static Received listen(TestRelay relay, CountDownLatch listening) throws IOException {
        Map<String, Received> open = Map.of("control", new Received());
        try (RawClient client = relay.client()) {
            client.send("[\"REQ\",\"control\",{\"limit\":0}]");
            while (!open.get("control").marker) {
                take(client.nextFrame().text(), open);
                listening.countDown();
            }
        }
        Received received = open.get("control");
        received.live.removeLast();
        return received;
    }

    private static void join(List<Future<Void>> futures) throws InterruptedException, ExecutionException {
        for (Future<Void> future : futures) {
            future.get();
        }
    }
}
