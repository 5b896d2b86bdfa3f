package postroad.sync.peer;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import postroad.sync.core.Frame;
import postroad.sync.core.Role;
import postroad.sync.core.SessionId;
import postroad.sync.core.SessionOptions;
import postroad.sync.core.StopCode;
import postroad.sync.folder.TreeException;
import postroad.wire.Link;

/// One session as a receiver that dialed: the sender listens ([SenderHost]).
///
/// The first Hello is this side's, with the session's id and the proof of a pairing line; the sender's says how many
/// links it takes, and the further ones are dialed then. The thread that calls [#run] owns the session; [#stop] may
/// come from any.
public final class ReceiverDial {
    private final ReceiverHost.Targets targets;
    private final SessionOptions own;
    private final Tuning tuning;
    private final ReceiverHost.Listener listener;
    private final SessionId id = SessionIds.draw();
    private final BufferPool pool = new BufferPool(Protocol.BUFFER, 24);
    private final AtomicReference<Optional<String>> stopped = new AtomicReference<>(Optional.empty());
    private final AtomicReference<Optional<ReceiveSession>> running = new AtomicReference<>(Optional.empty());

    /// @param own what this side asks of the session
    /// @param listener is told of the beginning and the end
    public ReceiverDial(
            ReceiverHost.Targets targets, SessionOptions own, Tuning tuning, ReceiverHost.Listener listener) {
        this.targets = targets;
        this.own = own;
        this.tuning = tuning;
        this.listener = listener;
    }

    /// Runs the session over `first`, a link to a peer that was found to be the right one.
    ///
    /// @param proof that this side knows a pairing line's secret; empty without one
    /// @param dial opens further links
    /// @param failed is told why one of them did not come about
    public SessionEnd run(Link first, byte[] proof, Joining.Dial dial, Consumer<String> failed)
            throws InterruptedException {
        SessionEnd end = new SessionEnd.Broken("it did not begin");
        try {
            Greeting.write(
                    first,
                    new Frame.Hello(
                            Protocol.VERSION,
                            Protocol.LEAST_VERSION,
                            id,
                            Role.RECEIVER,
                            own.parallel(),
                            own,
                            Protocol.SOFTWARE,
                            proof));
            Greeting greeting = Greeting.read(first, pool);
            end = switch (greeting.first()) {
                case Frame.Hello hello -> session(greeting, hello, dial, failed);
                case Frame.Stop(StopCode code, String text) -> SessionEnd.stopped(code, text);
                default -> refuse(first, StopCode.PROTOCOL, "the first frame is neither Hello nor Stop");
            };
        } catch (IOException e) {
            end = SessionEnd.broken(e);
        } finally {
            first.close();
            listener.ended(first, end);
        }
        return end;
    }

    private SessionEnd session(Greeting greeting, Frame.Hello hello, Joining.Dial dial, Consumer<String> failed)
            throws InterruptedException {
        Link first = greeting.link();
        if (hello.role() != Role.SENDER) {
            return refuse(first, StopCode.ROLE, Greeter.sameRole(Role.RECEIVER));
        }
        if (!hello.session().equals(id)) {
            return refuse(first, StopCode.PROTOCOL, "the sender's Hello is for another session");
        }
        try {
            SessionOptions options = SessionOptions.merged(hello.options(), own);
            Target target = targets.open(options);
            ReceiverHost.Ears ears = listener.begins(first, options);
            ReceiveSession session = new ReceiveSession(
                    target, first.peerFingerprint(), hello, own, tuning, ears.events(), ears.meter(), pool);
            running.set(Optional.of(session));
            stopped.get().ifPresent(why -> session.stop(StopCode.INTERRUPTED, why));
            if (!options.dryRun()) {
                Joining.open(
                        id,
                        options.parallel(),
                        dial,
                        (number, link) -> {
                            boolean _ = session.join(number, link, new FrameReader(link, pool));
                        },
                        failed);
            }
            return session.run(first, greeting.frames(), false);
        } catch (TreeException e) {
            return refuse(first, StopCode.TARGET, e.getMessage());
        }
    }

    private static SessionEnd refuse(Link link, StopCode code, String why) {
        Greeting.stop(link, code, why);
        return SessionEnd.stopped(code, why);
    }

    /// Has the session end soon, and says why to the sender.
    public void stop(String why) {
        stopped.set(Optional.of(why));
        running.get().ifPresent(session -> session.stop(StopCode.INTERRUPTED, why));
    }
}
