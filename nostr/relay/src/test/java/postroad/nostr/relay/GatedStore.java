package postroad.nostr.relay;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import postroad.nostr.core.Query;
import postroad.nostr.core.VerifiedEvent;
import postroad.nostr.store.EventStore;
import postroad.nostr.store.Scan;
import postroad.nostr.store.StoreInfo;
import postroad.nostr.store.StoreReader;
import postroad.nostr.store.WriteResult;

/// A real store whose writes and counts a test can hold back, or let fail.
final class GatedStore implements EventStore {
    private final EventStore store;
    private final AtomicReference<CountDownLatch> gate = new AtomicReference<>(new CountDownLatch(0));
    private final AtomicReference<Optional<RuntimeException>> failure = new AtomicReference<>(Optional.empty());
    private final AtomicReference<Optional<RuntimeException>> planFailure = new AtomicReference<>(Optional.empty());
    private final Semaphore sweeps = new Semaphore(0);
    private final CountGate counts = new CountGate();
    private volatile boolean afterCommit;
    private volatile CountDownLatch waiting = new CountDownLatch(1);

    GatedStore(EventStore store) {
        this.store = store;
    }

    /// The next write waits before it begins.
    void shut() {
        shut(false);
    }

    /// The next write waits when it is durable, before the relay hears of it.
    void shutAfterCommit() {
        shut(true);
    }

    private void shut(boolean after) {
        afterCommit = after;
        waiting = new CountDownLatch(1);
        gate.set(new CountDownLatch(1));
    }

    void open() {
        gate.get().countDown();
    }

    /// Waits until a write stands before the gate.
    void awaitWaiting() throws InterruptedException {
        waiting.await();
    }

    /// Waits until expired events were removed once more.
    void awaitSweep() throws InterruptedException {
        sweeps.acquire();
    }

    /// The gate for counts.
    CountGate counts() {
        return counts;
    }

    void failNext(RuntimeException exception) {
        failure.set(Optional.of(exception));
    }

    void failNextPlan(RuntimeException exception) {
        planFailure.set(Optional.of(exception));
    }

    @Override
    public WriteResult write(List<VerifiedEvent> batch, long now) {
        Optional<RuntimeException> fails = failure.getAndSet(Optional.empty());
        if (fails.isPresent()) {
            throw fails.get();
        }
        if (afterCommit) {
            WriteResult result = store.write(batch, now);
            pass();
            return result;
        }
        pass();
        return store.write(batch, now);
    }

    private void pass() {
        waiting.countDown();
        try {
            gate.get().await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public int removeExpired(long now, int max) {
        int removed = store.removeExpired(now, max);
        sweeps.release();
        return removed;
    }

    @Override
    public StoreReader reader() {
        return counts.around(store.reader());
    }

    @Override
    public Scan plan(Query query) {
        Optional<RuntimeException> fails = planFailure.getAndSet(Optional.empty());
        if (fails.isPresent()) {
            throw fails.get();
        }
        return store.plan(query);
    }

    @Override
    public long sequence() {
        return store.sequence();
    }

    @Override
    public StoreInfo info() {
        return store.info();
    }

    @Override
    public long backup(Path directory) {
        return store.backup(directory);
    }

    @Override
    public void close() {
        store.close();
    }
}
