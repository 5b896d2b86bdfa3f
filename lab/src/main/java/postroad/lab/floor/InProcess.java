package postroad.lab.floor;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import postroad.nostr.core.ClientMessage;
import postroad.nostr.core.ClientMessageParser;
import postroad.nostr.core.Event;
import postroad.nostr.core.EventLimits;
import postroad.nostr.core.Filter;
import postroad.nostr.core.PackedEvent;
import postroad.nostr.core.VerifiedEvent;
import postroad.nostr.relay.Stages;
import postroad.nostr.store.LmdbStore;
import postroad.nostr.store.StoreOptions;

/// The stages of a REQ in this process, on one thread: A the raw store query, rows copied out; B with the
/// live machinery; C with session dispatch, from the client's bytes to the relay's frames, CLOSE included.
final class InProcess {
    static final String A = "A store query";
    static final String B = "B + live machinery";
    static final String C = "C + session dispatch";

    private static final int BATCH = 1_000;
    private static final byte[] CLOSE = LeanClient.frame("[\"CLOSE\",\"q\"]");

    private final int rounds;
    private final int samples;
    private final long warmUpNanos;

    private final byte[] row = new byte[4 << 20];
    private long rows;
    private long events;

    /// @param samples of each stage and question in each round
    InProcess(int rounds, int samples, long warmUpNanos) {
        this.rounds = rounds;
        this.samples = samples;
        this.warmUpNanos = warmUpNanos;
    }

    /// A question in the forms that the stages take, and what is right.
    private static final class Asked {
        private final List<Filter> filters;
        private final byte[] frames;
        private final long rows;
        private final long bytes;

        Asked(List<Filter> filters, byte[] frames, long rows, long bytes) {
            this.filters = filters;
            this.frames = frames;
            this.rows = rows;
            this.bytes = bytes;
        }
    }

    /// Fills a store in `folder` and asks it.
    Grid run(String title, Path folder, List<Event> events, Map<String, List<String>> questions) throws IOException {
        StoreOptions options = new StoreOptions(folder, StoreOptions.DEFAULT_MAP_BYTES, 0, Set.of(), false, false);
        try (LmdbStore store = LmdbStore.open(options)) {
            fill(store, events);
            try (Stages stages = Stages.over(store)) {
                return measure(title, stages, questions);
            }
        }
    }

    private static void fill(LmdbStore store, List<Event> events) {
        for (int from = 0; from < events.size(); from += BATCH) {
            store.write(
                    events.subList(from, Math.min(events.size(), from + BATCH)).stream()
                            .map(VerifiedEvent::unchecked)
                            .toList(),
                    events.getFirst().createdAt());
        }
    }

    private Grid measure(String title, Stages stages, Map<String, List<String>> questions) {
        Map<String, List<Asked>> asked = new LinkedHashMap<>();
        questions.forEach((name, filters) -> asked.put(
                name, filters.stream().map(filter -> check(stages, filter)).toList()));
        long end = System.nanoTime() + warmUpNanos;
        while (System.nanoTime() < end) {
            asked.values()
                    .forEach(of -> of.forEach(one -> {
                        timeA(stages, one);
                        timeB(stages, one);
                        timeC(stages, one);
                    }));
        }
        Grid grid = new Grid(title);
        for (String name : asked.keySet()) {
            List.of(A, B, C).forEach(stage -> grid.declare(name, stage));
        }
        List<String> order = new ArrayList<>(asked.keySet());
        for (int round = 0; round < rounds; round++) {
            for (String name : order) {
                time(grid, stages, name, asked.get(name), round);
            }
            Collections.reverse(order);
        }
        asked.forEach((name, of) -> grid.note(
                name,
                Math.round(of.stream().mapToLong(one -> one.rows).average().orElse(0)) + " rows  "));
        return grid;
    }

    private void time(Grid grid, Stages stages, String name, List<Asked> of, int round) {
        int count = Questions.isLong(name) ? Math.max(1, samples / 4) : samples;
        for (int i = 0; i < count; i++) {
            Asked one = of.get(i % of.size());
            // Each stage in turn on the same question, so that a disturbance meets all three; whoever is first pays
            // for what the caches have lost of it, so that place rotates.
            for (int turn = 0; turn < 3; turn++) {
                switch ((round + turn) % 3) {
                    case 0 -> grid.record(name, A, timeA(stages, one));
                    case 1 -> grid.record(name, B, timeB(stages, one));
                    default -> grid.record(name, C, timeC(stages, one));
                }
            }
        }
    }

    private long timeA(Stages stages, Asked one) {
        rows = 0;
        long begin = System.nanoTime();
        stages.query(one.filters, this::copy);
        return checked(System.nanoTime() - begin, one);
    }

    private long timeB(Stages stages, Asked one) {
        rows = 0;
        long begin = System.nanoTime();
        stages.subscribe(one.filters, this::copy);
        return checked(System.nanoTime() - begin, one);
    }

    private static long timeC(Stages stages, Asked one) {
        long begin = System.nanoTime();
        long out = stages.ask(one.frames, frames -> {});
        stages.tell(CLOSE);
        long nanos = System.nanoTime() - begin;
        if (out != one.bytes) {
            throw new IllegalStateException("stage C gave " + out + " bytes instead of " + one.bytes);
        }
        return nanos;
    }

    private long checked(long nanos, Asked one) {
        if (rows != one.rows) {
            throw new IllegalStateException("a stage gave " + rows + " rows instead of " + one.rows);
        }
        return nanos;
    }

    /// Copies a row's JSON, as a frame would.
    private boolean copy(MemorySegment base, long at, int length, long sequence) {
        int offset = PackedEvent.jsonOffset(base, at);
        MemorySegment.copy(base, ValueLayout.JAVA_BYTE, at + offset, row, 0, length - offset);
        rows++;
        return true;
    }

    /// Parses a question, and sees that the stages agree on the answer.
    private Asked check(Stages stages, String filter) {
        byte[] message = ("[\"REQ\",\"q\"," + filter + "]").getBytes(UTF_8);
        ClientMessage parsed = new ClientMessageParser(1, 100, 10, EventLimits.HARD).parse(message, 0, message.length);
        if (!(parsed instanceof ClientMessage.Req(String id, List<Filter> filters))) {
            throw new IllegalStateException("not a REQ: " + filter);
        }
        List<Filter> limited = filters.stream()
                .map(one -> one.withLimit(one.limit().orElse(500)))
                .toList();
        byte[] frames = LeanClient.frame(message);
        rows = 0;
        stages.query(limited, this::copy);
        long right = rows;
        rows = 0;
        stages.subscribe(limited, this::copy);
        rows -= right;
        events = 0;
        long out = stages.ask(frames, buffer -> count(buffer));
        stages.tell(CLOSE);
        if (rows != 0 || events != right) {
            throw new IllegalStateException("the stages differ on " + filter);
        }
        return new Asked(limited, frames, right, out);
    }

    /// Counts the EVENT frames of a buffer, which holds whole frames.
    private void count(ByteBuffer buffer) {
        int at = buffer.position();
        while (at < buffer.limit()) {
            int first = buffer.get(at + 1) & 0x7f;
            int header = first < 126 ? 2 : first == 126 ? 4 : 10;
            long length =
                    first < 126 ? first : first == 126 ? buffer.getShort(at + 2) & 0xffff : buffer.getLong(at + 2);
            if (buffer.get(at + header + 3) == 'V') {
                events++;
            }
            at += header + (int) length;
        }
    }
}
