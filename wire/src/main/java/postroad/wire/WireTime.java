package postroad.wire;

import java.util.concurrent.locks.Condition;

/// The clock of a simulated wire, and the only thing in it that waits for time to pass.
interface WireTime {
    /// The system's.
    WireTime SYSTEM = new WireTime() {
        @Override
        public long nanos() {
            return System.nanoTime();
        }

        @Override
        @SuppressWarnings("WaitNotInLoop") // the pipe asks again whether its time has come
        public void await(Condition changed, long nanos) throws InterruptedException {
            long _ = changed.awaitNanos(nanos);
        }
    };

    long nanos();

    /// Waits so long, or until `changed` is signalled.
    void await(Condition changed, long nanos) throws InterruptedException;
}
