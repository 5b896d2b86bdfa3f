package postroad.nostr.relay;

import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import postroad.nostr.core.EventId;
import postroad.nostr.core.Query;
import postroad.nostr.store.Budget;
import postroad.nostr.store.RowSink;
import postroad.nostr.store.Scan;
import postroad.nostr.store.Snapshot;
import postroad.nostr.store.StoreReader;

/// Where the counts of some kinds stand until a test opens them: they do not end in their first turn,
/// and in the second wait until they are opened or may not go on.
final class CountGate {
    private static final int FIRST_LONG_KIND = 7_000;

    private final Set<Integer> begun = ConcurrentHashMap.newKeySet();
    private final Set<Integer> opened = ConcurrentHashMap.newKeySet();
    private final BlockingQueue<Integer> standing = new LinkedBlockingQueue<>();

    /// A filter whose count is a long one; `which` tells it from others.
    static String longFilter(int which) {
        return "{\"kinds\":[" + (FIRST_LONG_KIND + which) + "]}";
    }

    /// Which count came to the gate next.
    int awaitNext() throws InterruptedException {
        return standing.take() - FIRST_LONG_KIND;
    }

    /// Whether another one came to the gate.
    boolean hasNext() {
        return !standing.isEmpty();
    }

    void open(int which) {
        opened.add(FIRST_LONG_KIND + which);
    }

    StoreReader around(StoreReader reader) {
        return new StoreReader() {
            @Override
            public Snapshot open() {
                return new Gated(reader.open());
            }

            @Override
            public void close() {
                reader.close();
            }
        };
    }

    private static int kind(Query query) {
        return query.filters().getFirst().kinds().map(kinds -> kinds.get(0)).orElse(0);
    }

    /// False when the count is not to go on.
    private boolean pass(int kind, BooleanSupplier mayGoOn) {
        if (kind < FIRST_LONG_KIND) {
            return true;
        }
        if (begun.add(kind)) {
            return false;
        }
        standing.add(kind);
        while (!opened.contains(kind) && mayGoOn.getAsBoolean()) {
            pause();
        }
        return opened.contains(kind);
    }

    /// A slice of the work that a long count would do here.
    private static void pause() {
        try {
            TimeUnit.MICROSECONDS.sleep(100);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private final class Gated implements Snapshot {
        private final Snapshot snapshot;

        Gated(Snapshot snapshot) {
            this.snapshot = snapshot;
        }

        @Override
        public OptionalLong count(Query query, long now, long maxExamined, BooleanSupplier mayGoOn) {
            return pass(kind(query), mayGoOn) ? snapshot.count(query, now, maxExamined, mayGoOn) : OptionalLong.empty();
        }

        @Override
        public long sequence() {
            return snapshot.sequence();
        }

        @Override
        public boolean contains(EventId id) {
            return snapshot.contains(id);
        }

        @Override
        public boolean run(Scan scan, long now, Budget budget, RowSink sink) {
            return snapshot.run(scan, now, budget, sink);
        }

        @Override
        public long replay(long after, long until, RowSink sink) {
            return snapshot.replay(after, until, sink);
        }

        @Override
        public void close() {
            snapshot.close();
        }
    }
}
