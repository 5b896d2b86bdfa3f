package postroad.sync.peer;

import java.util.ArrayDeque;
import java.util.Optional;
import postroad.sync.core.Frame;
import postroad.sync.core.Role;
import postroad.sync.core.SessionId;
import postroad.sync.core.SessionOptions;
import postroad.sync.core.StopCode;
import postroad.sync.folder.TreeException;
import postroad.wire.Link;

/// Takes the links that come to a listening receiver: greets them, turns away who may not come in, joins further links
/// to their session, and runs one session at a time. Thread-safe.
///
/// A stray, silent or hostile link ends nothing but itself.
public final class ReceiverHost {
    private static final long JOIN_MILLIS = 10_000;

    /// Opens the tree that a session writes to.
    public interface Targets {
        /// @param options what holds for the session
        /// @throws TreeException if it cannot be used; told to the sender
        Target open(SessionOptions options) throws TreeException;
    }

    /// Is told of sessions.
    public interface Listener {
        /// A peer that may come in begins a session; gives who is told of it while it runs, and its meter.
        Ears begins(Link link, SessionOptions options);

        /// The session is over.
        void ended(Link link, SessionEnd end);

        /// A link was turned away or was no peer's.
        void turnedAway(Link link, String why);
    }

    /// Who listens to one session.
    public record Ears(SessionEvents events, Meter meter) {}

    private final Targets targets;
    private final SessionOptions own;
    private final Tuning tuning;
    private final Listener listener;
    private final BufferPool pool = new BufferPool(Protocol.BUFFER, 24);
    private final Greeter greeter;
    private final ArrayDeque<SessionId> over = new ArrayDeque<>();
    private final Seat seat = new Seat("receiver");
    private ReceiveSession running;
    private boolean closed;
    private Optional<String> aborted = Optional.empty();

    /// @param own what this side asks of every session
    public ReceiverHost(Gate gate, Targets targets, SessionOptions own, Tuning tuning, Listener listener) {
        this.greeter = new Greeter(gate, Role.RECEIVER, new Door(), pool);
        this.targets = targets;
        this.own = own;
        this.tuning = tuning;
        this.listener = listener;
    }

    /// Takes a link, on a thread of the caller's that this keeps until the link is turned away, joined, or its session
    /// over.
    public void take(Link link) throws InterruptedException {
        greeter.take(link);
    }

    /// What the greeter hands on.
    private final class Door implements Greeter.Host {
        @Override
        public void hello(Greeting greeting, Frame.Hello hello) throws InterruptedException {
            begin(greeting, hello);
        }

        @Override
        public void join(Greeting greeting, SessionId session, int number) throws InterruptedException {
            ReceiverHost.this.join(greeting, session, number);
        }

        @Override
        public void turnedAway(Link link, String why) {
            listener.turnedAway(link, why);
        }
    }

    private void begin(Greeting greeting, Frame.Hello hello) throws InterruptedException {
        Link link = greeting.link();
        SessionOptions options = SessionOptions.merged(hello.options(), own);
        Optional<String> busy = seat.claim(link);
        if (busy.isPresent()) {
            greeter.turnAway(link, StopCode.BUSY, busy.get());
            return;
        }
        SessionEnd end = new SessionEnd.Broken("it did not begin");
        try {
            Target target = targets.open(options);
            Ears ears = listener.begins(link, options);
            ReceiveSession session = new ReceiveSession(
                    target, link.peerFingerprint(), hello, own, tuning, ears.events(), ears.meter(), pool);
            runs(session);
            end = session.run(link, greeting.frames(), true);
        } catch (TreeException e) {
            String text = e.getMessage();
            Greeting.stop(link, StopCode.TARGET, text);
            end = SessionEnd.stopped(StopCode.TARGET, text);
        } finally {
            link.close();
            try {
                // Told before the seat is free: nobody hears of the next session first.
                listener.ended(link, end);
            } finally {
                release(hello.session());
            }
        }
    }

    private synchronized void runs(ReceiveSession session) {
        running = session;
        seat.sits(session);
        // Told to stop after the session was begun and before it ran.
        aborted.ifPresent(why -> session.stop(StopCode.INTERRUPTED, why));
        notifyAll();
    }

    private synchronized boolean isOver(SessionId id) {
        return over.contains(id);
    }

    private synchronized void release(SessionId id) {
        over.addLast(id);
        if (over.size() > 32) {
            over.removeFirst();
        }
        running = null;
        seat.leave();
        notifyAll();
    }

    private void join(Greeting greeting, SessionId id, int number) throws InterruptedException {
        Optional<ReceiveSession> session = await(id);
        if (session.isEmpty() && isOver(id)) {
            // Its session needed no more links.
            greeting.link().close();
            return;
        }
        if (session.isEmpty()) {
            greeter.turnAway(greeting.link(), StopCode.OTHER, "there is no such session to join");
            return;
        }
        if (!session.get().isFrom(greeting.link().peerFingerprint())) {
            greeter.turnAway(greeting.link(), StopCode.REFUSED, "the session is another peer's");
            return;
        }
        session.get().join(number, greeting.link(), greeting.frames());
    }

    /// A Join may overtake its session's Hello.
    private synchronized Optional<ReceiveSession> await(SessionId id) throws InterruptedException {
        long until = System.nanoTime() + JOIN_MILLIS * 1_000_000;
        while (running == null || !running.id().equals(id)) {
            long left = (until - System.nanoTime()) / 1_000_000;
            if (left <= 0 || closed || over.contains(id)) {
                return Optional.empty();
            }
            wait(left);
        }
        return Optional.of(running);
    }

    /// Takes no more links; a running session goes on. [#abort] ends it too.
    public void close() {
        greeter.close();
        seat.close();
        synchronized (this) {
            closed = true;
            notifyAll();
        }
    }

    /// Ends the running session too; what has arrived stays staged.
    public void abort(String why) {
        close();
        ReceiveSession session;
        synchronized (this) {
            aborted = Optional.of(why);
            session = running;
        }
        if (session != null) {
            session.stop(StopCode.INTERRUPTED, why);
        }
    }
}
