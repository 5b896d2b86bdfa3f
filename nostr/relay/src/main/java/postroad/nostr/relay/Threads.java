package postroad.nostr.relay;

import java.time.Duration;
import java.util.List;

/// Waits for threads with a common deadline.
final class Threads {
    private Threads() {}

    /// Joins each thread, at most until `deadline` of [System#nanoTime]; whether all have ended.
    static boolean join(List<Thread> threads, long deadline) throws InterruptedException {
        boolean all = true;
        for (Thread thread : threads) {
            long left = Math.max(1, deadline - System.nanoTime());
            all &= thread.join(Duration.ofNanos(left));
        }
        return all;
    }
}
