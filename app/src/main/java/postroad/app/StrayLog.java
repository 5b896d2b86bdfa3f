package postroad.app;

import java.util.function.Consumer;
import java.util.function.LongSupplier;

/// Says why connections were turned away, but only so often: whoever knocks a thousand times a second is not to fill
/// the disk that the log is on. What is left out is counted, and told with the next that is said.
///
/// Thread-safe.
final class StrayLog {
    /// Lines that may be said at once.
    static final int BURST = 20;
    /// After which one more may be.
    static final long NANOS_EACH = 6_000_000_000L;

    private final Consumer<String> say;
    private final LongSupplier nanos;
    private long saidUntil;
    private long leftOut;

    /// @param nanos a clock that never goes back
    StrayLog(Consumer<String> say, LongSupplier nanos) {
        this.say = say;
        this.nanos = nanos;
        saidUntil = nanos.getAsLong() - BURST * NANOS_EACH;
    }

    /// Says it, or counts it.
    synchronized void say(String text) {
        long now = nanos.getAsLong();
        if (now - saidUntil > BURST * NANOS_EACH) {
            saidUntil = now - BURST * NANOS_EACH;
        }
        if (now - saidUntil < NANOS_EACH) {
            leftOut++;
            return;
        }
        saidUntil += NANOS_EACH;
        if (leftOut > 0) {
            say.accept(
                    Amounts.count(leftOut, "more connection was", "more connections were") + " turned away meanwhile");
            leftOut = 0;
        }
        say.accept(text);
    }
}
