package postroad.lab.floor;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import postroad.common.Sha256;
import postroad.nostr.core.ClientMessage;
import postroad.nostr.core.ClientMessageParser;
import postroad.nostr.core.ClientMessages;
import postroad.nostr.core.Event;
import postroad.nostr.core.EventLimits;
import postroad.nostr.core.VerifiedEvent;
import postroad.nostr.store.LmdbStore;
import postroad.nostr.store.StoreOptions;

/// The steps of taking in an event, each by itself on this thread: processor time for each event, in
/// microseconds.
///
/// The hash is that of as many bytes as the event's canonical form has, nearly. Writing is one call: its
/// user time is taken for the index, its time in the kernel for the commit.
final class IngestSteps {
    static final String PARSE = "parse and check the form";
    static final String HASH = "hash for the id";
    static final String VERIFY = "verify the signature";
    static final String INDEX = "index (user time of the write)";
    static final String COMMIT = "commit (kernel time of the write)";

    private static final int BATCH = 500;

    /// An event without its id and signature and their keys.
    private static final int NOT_HASHED = 220;

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private IngestSteps() {}

    /// Measures on `events`, with a durable store in `folder`; half of them warm up.
    static Map<String, Double> run(Path folder, List<Event> events) {
        List<byte[]> messages = events.stream().map(ClientMessages::event).toList();
        ClientMessageParser parser = new ClientMessageParser(20, 5_000, 64, EventLimits.HARD);
        Map<String, Double> steps = new LinkedHashMap<>();
        double parse = perEvent(messages.size(), i -> parse(parser, messages.get(i)));
        byte[][] hashed = events.stream()
                .map(event -> new byte[Math.max(64, event.jsonLength() - NOT_HASHED)])
                .toArray(byte[][]::new);
        double hash = perEvent(hashed.length, i -> Sha256.of(hashed[i]));
        steps.put(PARSE, Math.max(0, parse - hash));
        steps.put(HASH, hash);
        steps.put(VERIFY, perEvent(events.size(), i -> verify(events.get(i))));
        write(folder, events, steps);
        return steps;
    }

    private interface Step {
        Object at(int index);
    }

    private static double perEvent(int events, Step step) {
        int half = events / 2;
        for (int i = 0; i < half; i++) {
            step.at(i);
        }
        long begin = THREADS.getCurrentThreadCpuTime();
        for (int i = half; i < events; i++) {
            step.at(i);
        }
        return (THREADS.getCurrentThreadCpuTime() - begin) / 1000.0 / (events - half);
    }

    private static Event parse(ClientMessageParser parser, byte[] message) {
        if (parser.parse(message, 0, message.length) instanceof ClientMessage.Publish(Event event)) {
            return event;
        }
        throw new IllegalStateException("an event of the corpus was not read");
    }

    private static VerifiedEvent verify(Event event) {
        return VerifiedEvent.verify(event)
                .orElseThrow(() -> new IllegalStateException("an event of the corpus is not genuine"));
    }

    private static void write(Path folder, List<Event> events, Map<String, Double> steps) {
        List<List<VerifiedEvent>> batches = new ArrayList<>();
        for (int from = 0; from < events.size(); from += BATCH) {
            batches.add(events.subList(from, Math.min(events.size(), from + BATCH)).stream()
                    .map(VerifiedEvent::unchecked)
                    .toList());
        }
        StoreOptions options = new StoreOptions(folder, StoreOptions.DEFAULT_MAP_BYTES, 0, Set.of(), true, false);
        try (LmdbStore store = LmdbStore.open(options)) {
            int half = batches.size() / 2;
            long now = events.getFirst().createdAt();
            batches.subList(0, half).forEach(batch -> store.write(batch, now));
            long all = THREADS.getCurrentThreadCpuTime();
            long user = THREADS.getCurrentThreadUserTime();
            batches.subList(half, batches.size()).forEach(batch -> store.write(batch, now));
            all = THREADS.getCurrentThreadCpuTime() - all;
            user = Math.min(all, THREADS.getCurrentThreadUserTime() - user);
            int measured = events.size() - half * BATCH;
            steps.put(INDEX, user / 1000.0 / measured);
            steps.put(COMMIT, (all - user) / 1000.0 / measured);
        }
    }
}
