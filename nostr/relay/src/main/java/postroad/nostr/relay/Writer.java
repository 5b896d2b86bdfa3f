package postroad.nostr.relay;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import postroad.nostr.core.VerifiedEvent;
import postroad.nostr.store.EventStore;
import postroad.nostr.store.WriteOutcome;
import postroad.nostr.store.WriteResult;

/// The one thread that writes to the store.
///
/// It takes what has queued up, in the order it was queued, waits only for the signature of the first, and
/// writes it as one transaction with one sync. Then the loops get the batch: answers first, live events
/// after. In between it removes what has expired. Any thread may queue.
final class Writer implements Ingest {
    private static final System.Logger LOG = System.getLogger(Writer.class.getName());

    private static final int MOST_ROWS = 2_000;
    private static final long MOST_BYTES = 8L << 20;
    private static final long SWEEP_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final int SWEEP_ROWS = 500;

    private final EventStore store;
    private final LongSupplier clock;
    private final ConcurrentLinkedQueue<Submission> queue = new ConcurrentLinkedQueue<>();
    private final AtomicLong bytesInFlight = new AtomicLong();
    private final Thread thread = new Thread(this::work, "relay-writer");
    private volatile List<Loop> loops = List.of();
    private volatile boolean parked;
    private volatile boolean closing;
    private volatile boolean closed;
    private long lastSweep;

    Writer(EventStore store, LongSupplier clock) {
        this.store = store;
        this.clock = clock;
        thread.setDaemon(true);
    }

    /// Starts the thread, which serves these loops.
    void serve(List<Loop> served) {
        loops = List.copyOf(served);
        thread.start();
    }

    /// Queues a client's event. The caller looks at [#bytesInFlight] and stops reading when it is too much.
    void queue(Submission.Published published) {
        enqueue(published);
    }

    @Override
    public CompletableFuture<WriteResult> submit(List<VerifiedEvent> events) {
        Submission.Imported imported = Submission.Imported.of(events);
        if (closing) {
            imported.result().completeExceptionally(new IllegalStateException("the relay has stopped"));
            return imported.result();
        }
        enqueue(imported);
        if (closed) {
            abandon();
        }
        return imported.result();
    }

    /// Bytes of events that are queued, being written or being delivered.
    long bytesInFlight() {
        return bytesInFlight.get();
    }

    /// Whether nothing is queued, being written or being delivered.
    boolean isIdle() {
        return bytesInFlight.get() == 0;
    }

    /// A signature was checked.
    void wake() {
        if (parked) {
            LockSupport.unpark(thread);
        }
    }

    /// Writes what is queued, then ends.
    void close() {
        closing = true;
        LockSupport.unpark(thread);
    }

    /// Waits for the thread's end, at most until `deadline` of [System#nanoTime].
    boolean join(long deadline) throws InterruptedException {
        return Threads.join(List.of(thread), deadline);
    }

    private void enqueue(Submission submission) {
        bytesInFlight.addAndGet(submission.bytes());
        queue.add(submission);
        wake();
    }

    private void work() {
        // The first sweep is due at once: a store may have rested for long.
        lastSweep = System.nanoTime() - SWEEP_NANOS;
        while (true) {
            List<Submission> batch = takeReady();
            if (!batch.isEmpty()) {
                write(batch);
            } else if (closing && queue.isEmpty()) {
                break;
            } else {
                await();
            }
            sweepIfDue();
        }
        closed = true;
        abandon();
    }

    /// The longest run of ready submissions at the head of the queue that fits into one transaction; at
    /// least one.
    private List<Submission> takeReady() {
        List<Submission> batch = new ArrayList<>();
        int rows = 0;
        long bytes = 0;
        while (true) {
            Submission head = queue.peek();
            if (head == null || !head.isReady()) {
                return batch;
            }
            rows += head.events().size();
            bytes += head.bytes();
            if (!batch.isEmpty() && (rows > MOST_ROWS || bytes > MOST_BYTES)) {
                return batch;
            }
            batch.add(queue.remove());
        }
    }

    /// Waits until the head of the queue may be ready, or it is time to sweep.
    private void await() {
        parked = true;
        Submission head = queue.peek();
        boolean mayBeReady = head != null && head.isReady() || closing && head == null;
        if (!mayBeReady) {
            LockSupport.parkNanos(this, Math.max(1, lastSweep + SWEEP_NANOS - System.nanoTime()));
        }
        parked = false;
    }

    private void write(List<Submission> batch) {
        List<VerifiedEvent> events = new ArrayList<>();
        batch.forEach(submission -> events.addAll(submission.events()));
        WriteResult result =
                events.isEmpty() ? new WriteResult(List.of(), store.sequence()) : write(events, batch.size());
        publish(batch, events, result);
    }

    private WriteResult write(List<VerifiedEvent> events, int submissions) {
        try {
            return store.write(events, clock.getAsLong());
        } catch (RuntimeException | Error e) {
            // Whatever it is, this thread goes on: without it no event would be answered any more.
            LOG.log(Level.ERROR, "a batch of " + submissions + " was not written", e);
            WriteOutcome failed = new WriteOutcome.Failed("error: the store cannot be written");
            return new WriteResult(Collections.nCopies(events.size(), failed), store.sequence());
        }
    }

    private void publish(List<Submission> batch, List<VerifiedEvent> events, WriteResult result) {
        List<Submission.Published> answers = new ArrayList<>();
        List<Batch.Accepted> accepted = accepted(events, result);
        List<Runnable> results = new ArrayList<>();
        long bytes = 0;
        int at = 0;
        for (Submission submission : batch) {
            int count = submission.events().size();
            List<WriteOutcome> outcomes = result.outcomes().subList(at, at + count);
            at += count;
            bytes += submission.bytes();
            switch (submission) {
                case Submission.Published published -> {
                    outcomes.forEach(published::decided);
                    answers.add(published);
                }
                case Submission.Imported imported ->
                    results.add(() -> imported.result().complete(new WriteResult(outcomes, result.sequence())));
            }
        }
        long taken = bytes;
        List<Loop> served = loops;
        Batch delivery = new Batch(answers, accepted, served.size(), () -> {
            bytesInFlight.addAndGet(-taken);
            results.forEach(Runnable::run);
        });
        served.forEach(loop -> loop.deliver(delivery));
    }

    private static List<Batch.Accepted> accepted(List<VerifiedEvent> events, WriteResult result) {
        List<Batch.Accepted> accepted = new ArrayList<>();
        for (int i = 0; i < events.size(); i++) {
            switch (result.outcomes().get(i)) {
                case WriteOutcome.Stored(long sequence) ->
                    accepted.add(new Batch.Accepted(events.get(i).event(), sequence, false));
                case WriteOutcome.Ephemeral(long sequence) ->
                    accepted.add(new Batch.Accepted(events.get(i).event(), sequence, true));
                case WriteOutcome.Duplicate d -> {}
                case WriteOutcome.Superseded s -> {}
                case WriteOutcome.Deleted d -> {}
                case WriteOutcome.Vanished v -> {}
                case WriteOutcome.Expired e -> {}
                case WriteOutcome.Failed f -> {}
            }
        }
        return accepted;
    }

    private void sweepIfDue() {
        if (System.nanoTime() - lastSweep < SWEEP_NANOS) {
            return;
        }
        try {
            // More are due when the sweep was full: it goes on after the next batch.
            if (store.removeExpired(clock.getAsLong(), SWEEP_ROWS) < SWEEP_ROWS) {
                lastSweep = System.nanoTime();
            }
        } catch (RuntimeException | Error e) {
            lastSweep = System.nanoTime();
            LOG.log(Level.WARNING, "expired events were not removed; the next try is in a few seconds", e);
        }
    }

    /// Nobody writes any more: whoever still waits is told.
    private void abandon() {
        Submission left;
        while ((left = queue.poll()) != null) {
            bytesInFlight.addAndGet(-left.bytes());
            if (left instanceof Submission.Imported imported) {
                imported.result().completeExceptionally(new IllegalStateException("the relay has stopped"));
            }
        }
    }
}
