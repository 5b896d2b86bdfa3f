package postroad.lab.fuzz;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// A well-behaved connection beside the bad ones: it asks and gets its answer, over and over, on a thread
/// of its own.
public final class Neighbour implements AutoCloseable {
    private static final int PATIENCE_SECONDS = 30;
    private static final int PAUSE_MILLIS = 5;

    private final RawConnection connection;
    private final Thread thread;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private long answers;
    private long slowestNanos;
    private String failure = "";
    private volatile boolean stopped;

    private Neighbour(RawConnection connection) {
        this.connection = connection;
        this.thread = Thread.ofPlatform().name("neighbour").daemon().start(this::run);
    }

    /// Connects and begins.
    public static Neighbour begin(InetSocketAddress address) throws IOException {
        return new Neighbour(RawConnection.open(address));
    }

    /// Waits for two more answers: the second one's question was asked after the call.
    ///
    /// @throws IllegalStateException when they do not come, or one before failed
    public void demandAnswer() throws InterruptedException {
        lock.lock();
        try {
            long wanted = answers + 2;
            long left = TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
            while (answers < wanted && failure.isEmpty() && left > 0) {
                left = changed.awaitNanos(left);
            }
            if (answers < wanted) {
                throw new IllegalStateException(
                        "a connection beside the bad one got no answer any more: " + failure + ", after " + answers);
            }
        } finally {
            lock.unlock();
        }
    }

    /// How many answers it got.
    public long answers() {
        lock.lock();
        try {
            return answers;
        } finally {
            lock.unlock();
        }
    }

    /// The longest it waited for one.
    public Duration slowest() {
        lock.lock();
        try {
            return Duration.ofNanos(slowestNanos);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() throws IOException {
        stopped = true;
        connection.close();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try {
            for (long i = 1; !stopped; i++) {
                long begun = System.nanoTime();
                connection.sendText("[\"REQ\",\"beside\",{\"kinds\":[1],\"limit\":3}]");
                connection.awaitText("[\"EOSE\",\"beside\"");
                note(i, System.nanoTime() - begun);
                Thread.sleep(PAUSE_MILLIS);
            }
        } catch (Throwable e) {
            fail(e);
        }
    }

    private void note(long count, long nanos) {
        lock.lock();
        try {
            answers = count;
            slowestNanos = Math.max(slowestNanos, nanos);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void fail(Throwable e) {
        lock.lock();
        try {
            failure = e.toString();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
