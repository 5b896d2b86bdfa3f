package postroad.sync.peer;

import java.util.Optional;
import postroad.sync.core.Frame;
import postroad.sync.core.Role;
import postroad.sync.core.SessionId;
import postroad.sync.core.StopCode;
import postroad.wire.Fingerprint;
import postroad.wire.Link;

/// Takes the links that come to a listening sender, for receivers that dial ([ReceiverDial]): greets them, turns away
/// who may not come in, joins further links to the session, and runs one at a time. Thread-safe.
///
/// Nothing of the tree is told before the receiver's Hello was found good. A stray, silent or hostile link ends nothing
/// but itself.
public final class SenderHost {
    /// Makes sessions and is told of them.
    public interface Listener {
        /// A peer that may come in begins a session with this id.
        SendSession begins(Link link, SessionId id);

        /// The session is over.
        void ended(Link link, SessionEnd end);

        /// A link was turned away or was no peer's.
        void turnedAway(Link link, String why);
    }

    private record Running(SendSession session, Optional<Fingerprint> peer) {}

    private final Listener listener;
    private final Greeter greeter;
    private final Seat seat = new Seat("sender");
    private Optional<Running> running = Optional.empty();

    public SenderHost(Gate gate, Listener listener) {
        this.listener = listener;
        greeter = new Greeter(gate, Role.SENDER, new Door(), new BufferPool(Protocol.BUFFER, 24));
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
            Optional<String> busy = seat.claim(greeting.link());
            if (busy.isPresent()) {
                greeter.turnAway(greeting.link(), StopCode.BUSY, busy.get());
            } else {
                run(greeting, hello);
            }
        }

        @Override
        public void join(Greeting greeting, SessionId session, int number) {
            SenderHost.this.join(greeting, session, number);
        }

        @Override
        public void turnedAway(Link link, String why) {
            listener.turnedAway(link, why);
        }
    }

    private void run(Greeting first, Frame.Hello hello) throws InterruptedException {
        Link link = first.link();
        SessionEnd end = new SessionEnd.Broken("it did not begin");
        try {
            SendSession session = listener.begins(link, hello.session());
            runs(new Running(session, link.peerFingerprint()));
            end = session.answer(link, first.frames(), hello);
        } finally {
            link.close();
            try {
                // Told before the seat is free: nobody hears of the next session first.
                listener.ended(link, end);
            } finally {
                release();
            }
        }
    }

    private synchronized void runs(Running session) {
        running = Optional.of(session);
        seat.sits(session.session());
    }

    private synchronized void release() {
        running = Optional.empty();
        seat.leave();
    }

    /// The receiver joins after it has read our Hello, so the session is there unless it is over.
    private void join(Greeting first, SessionId id, int number) {
        Link link = first.link();
        Optional<Running> session;
        synchronized (this) {
            session = running.filter(each -> each.session().id().equals(id));
        }
        if (session.isEmpty()) {
            greeter.turnAway(link, StopCode.OTHER, "there is no such session to join");
        } else if (!session.get().peer().equals(link.peerFingerprint())) {
            greeter.turnAway(link, StopCode.REFUSED, "the session is another peer's");
        } else {
            session.get().session().join(number, link, first.frames());
        }
    }

    /// Takes no more links; a running session goes on.
    public void close() {
        greeter.close();
        seat.close();
    }

    /// Ends the running session too.
    public void abort(String why) {
        close();
        Optional<Running> session;
        synchronized (this) {
            session = running;
        }
        session.ifPresent(each -> each.session().stop(StopCode.INTERRUPTED, why));
    }
}
