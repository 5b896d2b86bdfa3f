package postroad.sync.peer;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import postroad.sync.core.Frame;
import postroad.sync.core.ProtocolException;
import postroad.sync.core.StopCode;

/// The turn of events of one session: feeds a machine from an inbox until there is an end, looks after
/// the links a few times a second, and holds the threads that work for the session. Owned by the
/// session's thread; events come from any.
///
/// @param <E> the side's events
final class SessionLoop<E> {
    private static final long CHECK_NANOS = 200_000_000;

    private final String side;
    private final String peer;
    private final Outgoing outgoing;
    private final BiFunction<Integer, IOException, E> linkEnded;
    private final Function<Throwable, E> broken;
    private final Inbox<E> inbox = new Inbox<>();
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicBoolean closing = new AtomicBoolean();
    private SessionEnd end;
    private long checked = System.nanoTime();

    /// @param side what this side does, for the names of threads
    /// @param peer what the other side is, for people
    /// @param linkEnded the event that a link is no more
    /// @param broken the event that something of ours broke
    SessionLoop(
            String side,
            String peer,
            Outgoing outgoing,
            BiFunction<Integer, IOException, E> linkEnded,
            Function<Throwable, E> broken) {
        this.side = side;
        this.peer = peer;
        this.outgoing = outgoing;
        this.linkEnded = linkEnded;
        this.broken = broken;
    }

    /// Something happened. From any thread.
    void add(E event) {
        inbox.add(event);
    }

    /// A link's thread came to its end. From any thread; of no interest once the session closes.
    void linkEnded(int link, Throwable cause) {
        if (!isClosing()) {
            inbox.add(cause instanceof IOException exception ? linkEnded.apply(link, exception) : broken.apply(cause));
        }
    }

    /// Whether the session is being closed, so that what still comes is of no interest. From any thread.
    boolean isClosing() {
        return closing.get();
    }

    /// The session is over.
    void end(SessionEnd how) {
        end = how;
    }

    /// Runs `machine` until the session is over; gives how it ended.
    SessionEnd run(Consumer<E> machine, SessionLinks links) throws InterruptedException {
        while (end == null) {
            step(machine, links);
        }
        return end;
    }

    private void step(Consumer<E> machine, SessionLinks links) throws InterruptedException {
        E event = inbox.poll();
        try {
            if (event != null) {
                machine.accept(event);
            }
        } catch (ProtocolException e) {
            outgoing.urgent(0, new Frame.Stop(e.code(), e.getMessage()));
            end = SessionEnd.stopped(e.code(), blame(e));
        } catch (RuntimeException e) {
            outgoing.urgent(0, new Frame.Stop(StopCode.INTERNAL, "a fault of this side"));
            end = SessionEnd.fault(e);
        }
        long now = System.nanoTime();
        if (end == null && now - checked > CHECK_NANOS) {
            checked = now;
            links.check(now).ifPresent(text -> end = new SessionEnd.Broken(text));
        }
    }

    private String blame(ProtocolException e) {
        return e.code() == StopCode.LIMIT ? e.getMessage() : "the " + peer + " broke the protocol: " + e.getMessage();
    }

    /// From here on nothing that comes is of interest. Gives how the session ended, or null when its thread was
    /// interrupted before.
    SessionEnd close() {
        closing.set(true);
        return end;
    }

    /// Has a thread of its own do `task` for the session.
    void start(String does, Runnable task) {
        Thread thread = Thread.ofPlatform().daemon().name(side + "-" + does).unstarted(task);
        threads.add(thread);
        thread.start();
    }

    /// Waits for all that [#start] began.
    void join() throws InterruptedException {
        for (Thread each : threads) {
            each.join();
        }
    }
}
