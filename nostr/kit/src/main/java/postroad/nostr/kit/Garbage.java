package postroad.nostr.kit;

import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;

/// Has the JVM collect, and knows when that has been noticed by those who wait for it.
public final class Garbage {
    private static final int MOST_TRIES = 30;
    private static final long WAIT_MILLIS = 1_000;

    private Garbage() {}

    /// Collects until every reference to what is garbage now lies in its queue.
    ///
    /// Two rounds, each with an object whose own reference is waited for: references of one collection are queued
    /// before those of the next, but within one in any order.
    public static void collect() {
        collectOnce();
        collectOnce();
    }

    private static void collectOnce() {
        ReferenceQueue<Object> queue = new ReferenceQueue<>();
        Reference<Object> mark = new PhantomReference<>(new Object(), queue);
        try {
            for (int i = 0; i < MOST_TRIES; i++) {
                System.gc();
                if (isQueued(queue)) {
                    return;
                }
            }
        } finally {
            Reference.reachabilityFence(mark);
        }
        throw new IllegalStateException("the collector has not run in " + MOST_TRIES + " tries");
    }

    private static boolean isQueued(ReferenceQueue<Object> queue) {
        try {
            return queue.remove(WAIT_MILLIS) != null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for the collector", e);
        }
    }
}
