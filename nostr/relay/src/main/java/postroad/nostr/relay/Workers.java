package postroad.nostr.relay;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import postroad.nostr.store.EventStore;
import postroad.nostr.store.StoreReader;

/// Threads that read the store for what is too long for a loop. Jobs take turns, first come, first served:
/// whoever hands a job in anew goes behind all others. How long a turn is, the job decides: about a
/// millisecond for a slice of a scan.
///
/// The queue is bounded by its users: a connection has a few jobs at most.
final class Workers implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Workers.class.getName());

    private final LinkedBlockingQueue<Job> queue = new LinkedBlockingQueue<>();
    private final List<Thread> threads = new ArrayList<>();

    /// One turn's work; handed on from thread to thread, never in two at once.
    interface Job {
        /// Does a turn's work. Throws nothing that the job could answer itself. When the thread is
        /// interrupted, the relay stops and the turn should end.
        void turn(StoreReader reader, Deflating deflating);
    }

    Workers(String name, int count, EventStore store) {
        for (int i = 0; i < count; i++) {
            Thread thread = new Thread(() -> work(store), name + "-" + i);
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
    }

    /// Queues a turn.
    void submit(Job job) {
        queue.add(job);
    }

    /// Takes back a job that waits; false when it is not in the queue, because its turn has begun.
    boolean withdraw(Job job) {
        return queue.remove(job);
    }

    /// How many jobs wait.
    int waiting() {
        return queue.size();
    }

    /// Ends the threads after their turn; jobs that wait are dropped.
    @Override
    public void close() {
        threads.forEach(Thread::interrupt);
    }

    /// Waits for the threads' end, at most until `deadline` of [System#nanoTime].
    void join(long deadline) throws InterruptedException {
        Threads.join(threads, deadline);
    }

    private void work(EventStore store) {
        try (StoreReader reader = store.reader();
                Deflating deflating = new Deflating()) {
            while (!Thread.currentThread().isInterrupted()) {
                turn(queue.take(), reader, deflating);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void turn(Job job, StoreReader reader, Deflating deflating) {
        try {
            job.turn(reader, deflating);
        } catch (RuntimeException | Error e) {
            // Whatever it is, this thread goes on: without it no long request would be answered any more.
            LOG.log(Level.ERROR, "a job failed where it must not", e);
        }
    }
}
