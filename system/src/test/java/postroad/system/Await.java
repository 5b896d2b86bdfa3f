package postroad.system;

import java.io.IOException;
import java.util.concurrent.locks.LockSupport;

/// Waits for what another process does and nobody tells of.
final class Await {
    private static final long LOOK_NANOS = 2_000_000;
    private static final long PATIENCE_NANOS = 60_000_000_000L;

    private Await() {}

    /// What is waited for.
    @FunctionalInterface
    interface Condition {
        boolean holds() throws IOException, InterruptedException;
    }

    /// Looks again and again until it holds.
    static void until(String what, Condition condition) throws IOException, InterruptedException {
        long end = System.nanoTime() + PATIENCE_NANOS;
        while (!condition.holds()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("there was never " + what);
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }
}
