package postroad.sync.peer;

import java.io.IOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
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
    private static final int MOST_GREETINGS = 64;

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

    private final Gate gate;
    private final Listener listener;
    private final BufferPool pool = new BufferPool(Protocol.BUFFER, 24);
    private final Set<Link> greeting = new HashSet<>();
    private Optional<Running> running = Optional.empty();
    private String claimedBy = "";
    private boolean closed;

    public SenderHost(Gate gate, Listener listener) {
        this.gate = gate;
        this.listener = listener;
    }

    /// Takes a link, on a thread of the caller's that this keeps until the link is turned away, joined, or its session
    /// over.
    public void take(Link link) throws InterruptedException {
        if (!admit(link)) {
            link.close();
            listener.turnedAway(link, "too many connections at once");
            return;
        }
        try {
            greet(link);
        } catch (IOException e) {
            listener.turnedAway(link, e.getMessage());
            link.close();
        } finally {
            greeted(link);
        }
    }

    private synchronized boolean admit(Link link) {
        return !closed && greeting.size() < MOST_GREETINGS && greeting.add(link);
    }

    private synchronized void greeted(Link link) {
        greeting.remove(link);
    }

    private void greet(Link link) throws IOException, InterruptedException {
        Greeting first = Greeting.read(link, pool);
        switch (first.first()) {
            case Frame.Hello hello -> hello(first, hello);
            case Frame.Join(SessionId session, int number) -> join(first, session, number);
            case Frame.Stop(StopCode code, String text) -> {
                link.close();
                listener.turnedAway(link, "the other side ends it: " + text);
            }
            default -> turnAway(link, StopCode.PROTOCOL, "the first frame is neither Hello nor Join");
        }
    }

    private void turnAway(Link link, StopCode code, String why) {
        Greeting.stop(link, code, why);
        listener.turnedAway(link, why);
    }

    private void hello(Greeting first, Frame.Hello hello) throws InterruptedException {
        Link link = first.link();
        Optional<String> mismatch = Protocol.mismatch(hello);
        if (mismatch.isPresent()) {
            turnAway(link, StopCode.VERSION, mismatch.get());
            return;
        }
        if (hello.role() != Role.RECEIVER) {
            turnAway(link, StopCode.ROLE, "this side sends too; one of the two has to receive");
            return;
        }
        Optional<String> refusal = gate.refusal(link.peerFingerprint(), hello.proof());
        if (refusal.isPresent()) {
            turnAway(link, hello.proof().length > 0 ? StopCode.WRONG_SECRET : StopCode.REFUSED, refusal.get());
            return;
        }
        Optional<String> busy = claim(link);
        if (busy.isPresent()) {
            turnAway(link, StopCode.BUSY, busy.get());
            return;
        }
        greeted(link);
        run(first, hello);
    }

    private void run(Greeting first, Frame.Hello hello) throws InterruptedException {
        Link link = first.link();
        SessionEnd end = new SessionEnd.Broken("it did not begin");
        try {
            SendSession session = listener.begins(link, hello.session());
            runs(new Running(session, link.peerFingerprint()));
            end = session.answer(link, first.frames(), hello);
        } finally {
            release();
            link.close();
            listener.ended(link, end);
        }
    }

    private synchronized Optional<String> claim(Link link) {
        if (closed) {
            return Optional.of("the sender is stopping");
        }
        if (!claimedBy.isEmpty()) {
            return Optional.of("another session is under way, with " + claimedBy + "; try again when it is over");
        }
        claimedBy = link.peer();
        return Optional.empty();
    }

    private synchronized void runs(Running session) {
        running = Optional.of(session);
    }

    private synchronized void release() {
        running = Optional.empty();
        claimedBy = "";
    }

    /// The receiver joins after it has read our Hello, so the session is there unless it is over.
    private void join(Greeting first, SessionId id, int number) {
        Link link = first.link();
        Optional<Running> session;
        synchronized (this) {
            session = running.filter(each -> each.session().id().equals(id));
        }
        if (session.isEmpty()) {
            turnAway(link, StopCode.OTHER, "there is no such session to join");
        } else if (!session.get().peer().equals(link.peerFingerprint())) {
            turnAway(link, StopCode.REFUSED, "the session is another peer's");
        } else {
            session.get().session().join(number, link, first.frames());
        }
    }

    /// Takes no more links; a running session goes on.
    public synchronized void close() {
        closed = true;
        greeting.forEach(Link::close);
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
