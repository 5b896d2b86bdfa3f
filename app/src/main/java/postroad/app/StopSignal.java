package postroad.app;

import java.util.concurrent.CountDownLatch;

/// Tells a verb that runs until it is stopped that SIGTERM or SIGINT came, and has the process end with its status.
///
/// A Java process that a signal ends has the signal's status, whatever the program says. So the shutdown hook waits for
/// the verb and then halts with the status that it ended with, 1 when it did not say any. Interrupting the verb's
/// thread stops it too.
final class StopSignal implements AutoCloseable {
    private final CountDownLatch told = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread hook = new Thread(this::shutdown, "stop-signal");
    private volatile int status = Verb.FAILED;
    private volatile Runnable whenTold = () -> {};

    private StopSignal() {}

    static StopSignal listen() {
        StopSignal signal = new StopSignal();
        Runtime.getRuntime().addShutdownHook(signal.hook);
        return signal;
    }

    /// Has this done when the verb is to stop, on a thread of its own.
    void whenTold(Runnable action) {
        whenTold = action;
    }

    /// Waits until the verb is to stop.
    void await() {
        try {
            told.await();
        } catch (InterruptedException e) {
            // The way to stop a verb that runs in a thread; what follows must not be interrupted again.
            return;
        }
    }

    /// Says that the verb has stopped as it should.
    void succeeded() {
        ended(Verb.DONE);
    }

    /// Says that the verb has come to its end, with this exit status.
    void ended(int with) {
        status = with;
    }

    private void shutdown() {
        told.countDown();
        whenTold.run();
        try {
            ended.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().halt(status);
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The process is ending by a signal: the hook is running and waits for this.
            ended.countDown();
        }
    }
}
