package postroad.nostr.relay;

import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/// Threads that check signatures. What waits for them is bounded by the bytes in flight of each connection
/// and of all.
final class Verifiers implements AutoCloseable {
    private final ExecutorService threads;
    private final Writer writer;

    Verifiers(int count, Writer writer) {
        this.threads = Executors.newFixedThreadPool(count, new DefaultThreadFactory("relay-verify", true));
        this.writer = writer;
    }

    /// Queues an event: its place in the writer's order is taken now, its signature is checked when a
    /// thread is free.
    void submit(Submission.Published published) {
        writer.queue(published);
        try {
            threads.execute(published);
        } catch (RejectedExecutionException e) {
            // Too late for the threads, but the writer waits for this event already.
            published.run();
        }
    }

    /// Takes nothing more; what is queued is still checked.
    @Override
    public void close() {
        threads.shutdown();
    }

    /// Waits for the threads' end, at most until `deadline` of [System#nanoTime].
    boolean join(long deadline) throws InterruptedException {
        return threads.awaitTermination(Math.max(1, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
    }
}
