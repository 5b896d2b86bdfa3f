package postroad.lab.sync;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import postroad.sync.core.FailureCode;
import postroad.sync.core.Frame;
import postroad.sync.core.Kind;
import postroad.sync.core.SessionOptions;
import postroad.sync.core.TreePath;
import postroad.sync.folder.NoMemory;
import postroad.sync.folder.Tree;
import postroad.sync.folder.Walker;
import postroad.sync.peer.Gate;
import postroad.sync.peer.Joining;
import postroad.sync.peer.Meter;
import postroad.sync.peer.ReceiverHost;
import postroad.sync.peer.SendSession;
import postroad.sync.peer.SessionEnd;
import postroad.sync.peer.SessionEvents;
import postroad.sync.peer.SessionIds;
import postroad.sync.peer.Target;
import postroad.sync.peer.Tuning;
import postroad.wire.Link;

/// One session in this process, sender and receiver, over links of any kind.
public final class TrialSession {
    private final SessionOptions sender;
    private final SessionOptions receiver;
    private final LongSupplier time;

    /// What a session came to.
    ///
    /// @param sent bytes that the sender wrote to its links
    /// @param received bytes that it read from them
    /// @param begun the clock when the first link was dialed
    /// @param senderEnded the clock when the sender had nothing left to do
    /// @param receiverEnded the same for the receiver
    public record Result(
            Frame.Summary summary, long sent, long received, long begun, long senderEnded, long receiverEnded) {
        /// From the first dial until both sides had ended.
        public long took() {
            return Math.max(senderEnded, receiverEnded) - begun;
        }
    }

    /// @param time the clock that results are of
    public TrialSession(SessionOptions sender, SessionOptions receiver, LongSupplier time) {
        this.sender = sender;
        this.receiver = receiver;
        this.time = time;
    }

    /// Brings the tree at `from` to `to`.
    ///
    /// @throws IllegalStateException if either side ends in another way than well
    public Result run(Path from, Path to, Dialing dialing) throws IOException, InterruptedException {
        Over over = new Over();
        ReceiverHost host = new ReceiverHost(
                Gate.OPEN,
                options -> Target.of(
                        Tree.create(bytes(to)), new NoMemory(), Optional.empty(), false, Optional.empty(), options),
                receiver,
                Tuning.DEFAULT,
                over);
        Meter meter = new Meter();
        try (Tree tree = Tree.open(bytes(from))) {
            SendSession session = new SendSession(
                    tree,
                    new Walker(tree, sender.patterns()::excludes)::next,
                    new NoMemory(),
                    sender,
                    Tuning.DEFAULT,
                    new Quiet(),
                    meter,
                    SessionIds.draw());
            long begun = time.getAsLong();
            Joining.open(
                    session.id(), sender.parallel(), () -> dialing.open(taker(host)), session::join, ignored -> {});
            SessionEnd end = session.run(dialing.open(taker(host)), new byte[0]);
            long senderEnded = time.getAsLong();
            SessionEnd other = over.end.get();
            host.close();
            if (!(end instanceof SessionEnd.Done(Frame.Summary summary)) || !(other instanceof SessionEnd.Done)) {
                throw new IllegalStateException("the sender ended with " + end + ", the receiver with " + other);
            }
            return new Result(summary, meter.linkSent(), meter.linkReceived(), begun, senderEnded, over.at);
        } catch (ExecutionException e) {
            throw new IllegalStateException("the receiver", e);
        }
    }

    private static Consumer<Link> taker(ReceiverHost host) {
        return link -> {
            try {
                host.take(link);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        };
    }

    private static byte[] bytes(Path path) {
        return path.toString().getBytes(UTF_8);
    }

    private final class Over implements ReceiverHost.Listener {
        final CompletableFuture<SessionEnd> end = new CompletableFuture<>();
        volatile long at;

        @Override
        public ReceiverHost.Ears begins(Link link, SessionOptions options) {
            return new ReceiverHost.Ears(new Quiet(), new Meter());
        }

        @Override
        public void ended(Link link, SessionEnd how) {
            at = time.getAsLong();
            end.complete(how);
        }

        @Override
        public void turnedAway(Link link, String why) {}
    }

    private static final class Quiet implements SessionEvents {
        @Override
        public void changed(TreePath path, Kind kind, int changes) {}

        @Override
        public void deleted(TreePath path, Kind kind) {}

        @Override
        public void failed(String path, FailureCode code, String text) {}

        @Override
        public void note(String text) {}
    }
}
