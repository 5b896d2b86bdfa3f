package postroad.app;

import java.time.Duration;
import postroad.sync.core.StopCode;
import postroad.sync.peer.Meter;
import postroad.sync.peer.SessionEnd;

/// For how long a side that dials tries again after its connection broke: until so much time has passed without any
/// progress, with pauses that grow. Owned by one thread.
final class Patience {
    private static final long FIRST_PAUSE_MILLIS = 500;
    private static final long LONGEST_PAUSE_MILLIS = 10_000;

    private final Duration limit;
    private SessionEnd last;
    private int attempts;
    private long until = System.nanoTime();
    private long pause = FIRST_PAUSE_MILLIS;

    Patience(Duration limit) {
        this.limit = limit;
    }

    /// How many attempts have ended.
    int attempts() {
        return attempts;
    }

    /// An attempt is over.
    ///
    /// @param begun whether there ever was a session: else there is nothing to go on with
    /// @param meter what was done in it
    void ended(SessionEnd end, boolean begun, Meter meter) {
        attempts++;
        last = end;
        boolean progressed = meter.contentBytes() > 0 || meter.settledFiles() > 0;
        if (progressed || attempts == 1 && begun) {
            until = System.nanoTime() + limit.toNanos();
            pause = FIRST_PAUSE_MILLIS;
        } else {
            pause = Math.min(LONGEST_PAUSE_MILLIS, 2 * pause);
        }
    }

    /// Whether another attempt is worth it: the connection broke, or the other side had not noticed yet that the one
    /// before did.
    boolean lasts() {
        return mayPass() && System.nanoTime() < until;
    }

    private boolean mayPass() {
        return switch (last) {
            case SessionEnd.Broken broken -> true;
            case SessionEnd.Stopped(StopCode code, String text) ->
                attempts > 1 && code == StopCode.BUSY || code == StopCode.TIMEOUT;
            case SessionEnd.Done done -> false;
            case SessionEnd.Fault fault -> false;
        };
    }

    /// What to say before the pause.
    String words() {
        long left = Math.max(1, (until - System.nanoTime()) / 1_000_000_000);
        String what = switch (last) {
            case SessionEnd.Broken(String text) -> "the connection broke: " + text;
            case SessionEnd.Stopped(StopCode code, String text) -> text;
            case SessionEnd.Done done -> "done";
            case SessionEnd.Fault(Throwable cause) -> String.valueOf(cause.getMessage());
        };
        return what + "; trying again for " + Amounts.duration(left);
    }

    long pauseMillis() {
        return pause;
    }
}
