package postroad.app;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import postroad.wire.Link;
import postroad.wire.TcpListener;

/// Gives each link that a listener accepts a thread of its own, until the listener is closed.
final class Doorman {
    /// What is done with a link.
    @FunctionalInterface
    interface Taker {
        void take(Link link) throws InterruptedException;
    }

    private final TcpListener listener;
    private final Taker taker;
    private final Set<Thread> threads = new HashSet<>();

    Doorman(TcpListener listener, Taker taker) {
        this.listener = listener;
        this.taker = taker;
    }

    /// Takes links until the listener is closed.
    void serve() throws InterruptedException {
        for (Optional<Link> link = listener.accept(); link.isPresent(); link = listener.accept()) {
            take(link.get());
        }
    }

    /// Waits until nothing is done with any link.
    void await() throws InterruptedException {
        Set<Thread> left;
        synchronized (this) {
            left = Set.copyOf(threads);
        }
        for (Thread each : left) {
            each.join();
        }
    }

    private void take(Link link) {
        Thread thread = Thread.ofPlatform().daemon().name("take-" + link.peer()).unstarted(() -> {
            try {
                taker.take(link);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                forget(Thread.currentThread());
            }
        });
        synchronized (this) {
            threads.add(thread);
        }
        thread.start();
    }

    private synchronized void forget(Thread thread) {
        threads.remove(thread);
    }
}
