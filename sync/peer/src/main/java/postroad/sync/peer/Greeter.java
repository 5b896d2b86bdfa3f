package postroad.sync.peer;

import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import postroad.sync.core.Frame;
import postroad.sync.core.Role;
import postroad.sync.core.SessionId;
import postroad.sync.core.StopCode;
import postroad.wire.Link;

/// Stands at a host's door: reads the first frame of each link that comes, turns away who may not come in, and hands on
/// the others. Thread-safe.
///
/// A stray, silent or hostile link ends nothing but itself.
final class Greeter {
    /// Links that are being greeted at a time; for one more the oldest is closed, so that silent strangers keep nobody
    /// out.
    private static final int MOST = 64;

    /// Whose door it is.
    interface Host {
        /// A peer that may come in says Hello.
        void hello(Greeting greeting, Frame.Hello hello) throws InterruptedException;

        /// A further link would join a session.
        void join(Greeting greeting, SessionId session, int number) throws InterruptedException;

        /// A link was turned away or was no peer's.
        void turnedAway(Link link, String why);
    }

    private final Gate gate;
    private final Role role;
    private final Host host;
    private final BufferPool pool;
    private final Set<Link> greeting = new LinkedHashSet<>();
    private boolean closed;

    /// @param role the host's own; its peers must have the other
    /// @param pool where buffers come from that a session goes on with
    Greeter(Gate gate, Role role, Host host, BufferPool pool) {
        this.gate = gate;
        this.role = role;
        this.host = host;
        this.pool = pool;
    }

    /// Takes a link, on a thread of the caller's that this keeps until the host is done with it.
    void take(Link link) throws InterruptedException {
        if (!admit(link)) {
            link.close();
            host.turnedAway(link, "it came while the " + name() + " was stopping");
            return;
        }
        try {
            greet(link);
        } catch (IOException e) {
            host.turnedAway(link, e.getMessage());
            link.close();
        } finally {
            greeted(link);
        }
    }

    private String name() {
        return role == Role.SENDER ? "sender" : "receiver";
    }

    private synchronized boolean admit(Link link) {
        if (closed) {
            return false;
        }
        if (greeting.size() >= MOST) {
            Link oldest = greeting.iterator().next();
            greeting.remove(oldest);
            oldest.close();
        }
        return greeting.add(link);
    }

    private synchronized void greeted(Link link) {
        greeting.remove(link);
    }

    private void greet(Link link) throws IOException, InterruptedException {
        Greeting first = Greeting.read(link, pool);
        switch (first.first()) {
            case Frame.Hello hello -> hello(first, hello);
            case Frame.Join(SessionId session, int number) -> host.join(first, session, number);
            case Frame.Stop(StopCode code, String text) -> {
                link.close();
                host.turnedAway(link, "the other side ends it: " + text);
            }
            default -> turnAway(link, StopCode.PROTOCOL, "the first frame is neither Hello nor Join");
        }
    }

    private void hello(Greeting first, Frame.Hello hello) throws InterruptedException {
        Link link = first.link();
        if (hello.role() == role) {
            turnAway(link, StopCode.ROLE, sameRole(role));
            return;
        }
        Optional<Gate.Refused> refusal = gate.refusal(link.peerFingerprint(), hello.proof());
        if (refusal.isPresent()) {
            StopCode code = hello.proof().length > 0 ? StopCode.WRONG_SECRET : StopCode.REFUSED;
            Greeting.stop(link, code, refusal.get().there());
            host.turnedAway(link, refusal.get().here());
            return;
        }
        greeted(link);
        host.hello(first, hello);
    }

    /// What a side says to a peer that has its own role.
    static String sameRole(Role role) {
        return role == Role.SENDER
                ? "this side sends too; one of the two has to receive"
                : "this side receives too; one of the two has to send";
    }

    /// Says why a link may not come in, there and here.
    void turnAway(Link link, StopCode code, String why) {
        Greeting.stop(link, code, why);
        host.turnedAway(link, why);
    }

    /// Takes no more links, and lets go of those whose first frame has not come.
    synchronized void close() {
        closed = true;
        greeting.forEach(Link::close);
    }
}
