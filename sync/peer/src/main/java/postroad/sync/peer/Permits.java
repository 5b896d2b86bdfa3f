package postroad.sync.peer;

import java.util.ArrayDeque;
import java.util.BitSet;
import postroad.sync.core.WantedFile;

/// How many files may be open at a time (`--in-flight`). Thread-safe.
///
/// In lock-step each link carries one file, so a permit is a link; otherwise it is any of a number.
final class Permits {
    private final boolean lockStep;
    private final ArrayDeque<Integer> links = new ArrayDeque<>();
    private final BitSet gone = new BitSet();
    private int free;
    private boolean ended;

    /// @param inFlight how many files; 1 is lock-step
    Permits(int inFlight) {
        this.lockStep = inFlight == 1;
        this.free = lockStep ? 0 : inFlight;
    }

    /// A link stands; in lock-step it may carry a file.
    synchronized void linkStands(int link) {
        if (lockStep) {
            links.addLast(link);
            notifyAll();
        }
    }

    /// Whether one can be had at once.
    synchronized boolean isFree() {
        return lockStep ? !links.isEmpty() : free > 0;
    }

    /// Waits for a permit; gives the link that the file must come over, or [WantedFile#ANY_LINK].
    synchronized int take() throws InterruptedException {
        while (!isFree() && !ended) {
            wait();
        }
        if (ended) {
            return WantedFile.ANY_LINK;
        }
        if (lockStep) {
            return links.removeFirst();
        }
        free--;
        return WantedFile.ANY_LINK;
    }

    /// A link is gone; it carries no more files.
    synchronized void linkGone(int link) {
        links.remove(Integer.valueOf(link));
        gone.set(link);
    }

    /// Gives back what [#take] gave.
    synchronized void give(int link) {
        if (lockStep && gone.get(link)) {
            return;
        }
        if (lockStep) {
            links.addLast(link);
        } else {
            free++;
        }
        notifyAll();
    }

    /// Nobody waits any more.
    synchronized void end() {
        ended = true;
        notifyAll();
    }
}
