package postroad.sync.peer;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import postroad.sync.core.FailureCode;
import postroad.sync.core.Frame;
import postroad.sync.core.Kind;
import postroad.sync.core.SessionOptions;
import postroad.sync.core.TreePath;
import postroad.sync.folder.ChunkMemory;
import postroad.sync.folder.FileHandle;
import postroad.sync.folder.NoMemory;
import postroad.sync.folder.Tree;
import postroad.sync.folder.Walker;
import postroad.wire.Link;
import postroad.wire.LinkPair;
import postroad.wire.MemoryLinks;

/// Whole sessions inside one process, over links in memory.
final class Sessions {
    private static final int BOUND = 1 << 20;

    /// What both sides say of one session.
    record Result(
            SessionEnd sender, SessionEnd receiver, Told sent, Told received, Meter sendMeter, Meter receiveMeter) {
        /// The summary, of a session that came to its end on both sides.
        Frame.Summary summary() {
            if (!(sender instanceof SessionEnd.Done(var summary)) || !(receiver instanceof SessionEnd.Done)) {
                throw new AssertionError("the sender ended with " + sender + ", the receiver with " + receiver);
            }
            return summary;
        }
    }

    /// Everything a side tells.
    static final class Told implements SessionEvents {
        final List<String> lines = new ArrayList<>();

        @Override
        public synchronized void changed(TreePath path, Kind kind, int changes) {
            StringBuilder what = new StringBuilder();
            String letters = "NCTMLR";
            for (int bit = 0; bit < letters.length(); bit++) {
                what.append((changes & 1 << bit) != 0 ? letters.charAt(bit) : '.');
            }
            lines.add(what + " " + path + (kind == Kind.FOLDER ? "/" : ""));
        }

        @Override
        public synchronized void deleted(TreePath path, Kind kind) {
            lines.add("deleted " + path);
        }

        @Override
        public synchronized void failed(String path, FailureCode code, String text) {
            lines.add("failed " + path + ": " + code + ", " + text);
        }

        @Override
        public synchronized void note(String text) {
            lines.add("note " + text);
        }

        /// Lines that begin so.
        synchronized List<String> beginning(String start) {
            return lines.stream().filter(line -> line.startsWith(start)).toList();
        }
    }

    private SessionOptions sender = SessionOptions.DEFAULT;
    private SessionOptions receiver = SessionOptions.DEFAULT.withParallel(16);
    private ChunkMemory senderMemory = new NoMemory();
    private ChunkMemory receiverMemory = new NoMemory();
    private Target.Sharing sharing = FileHandle::share;
    private Meter sendMeter = new Meter();
    private BiFunction<Integer, Link, Link> coat = (number, link) -> link;

    Sessions sender(SessionOptions options) {
        sender = options;
        return this;
    }

    Sessions receiver(SessionOptions options) {
        receiver = options;
        return this;
    }

    Sessions memories(ChunkMemory ofSender, ChunkMemory ofReceiver) {
        senderMemory = ofSender;
        receiverMemory = ofReceiver;
        return this;
    }

    /// Has the receiver share blocks this way.
    Sessions sharingBy(Target.Sharing how) {
        sharing = how;
        return this;
    }

    /// Has the sender's side counted here.
    Sessions meter(Meter ofSender) {
        sendMeter = ofSender;
        return this;
    }

    /// Puts a coat on each of the sender's links, known by its number.
    Sessions links(BiFunction<Integer, Link, Link> wrap) {
        coat = wrap;
        return this;
    }

    /// Brings the tree at `from` to `to`.
    Result run(Path from, Path to) throws Exception {
        Told received = new Told();
        Meter receiveMeter = new Meter();
        CompletableFuture<SessionEnd> receiverEnd = new CompletableFuture<>();
        CountDownLatch over = new CountDownLatch(1);
        ReceiverHost host = new ReceiverHost(
                Gate.OPEN,
                options -> Target.of(
                                Tree.create(bytes(to)),
                                receiverMemory,
                                Optional.empty(),
                                false,
                                Optional.empty(),
                                options)
                        .sharingBy(sharing),
                receiver,
                Tuning.DEFAULT,
                new ReceiverHost.Listener() {
                    @Override
                    public ReceiverHost.Ears begins(Link link, SessionOptions options) {
                        return new ReceiverHost.Ears(received, receiveMeter);
                    }

                    @Override
                    public void ended(Link link, SessionEnd end) {
                        receiverEnd.complete(end);
                        over.countDown();
                    }

                    @Override
                    public void turnedAway(Link link, String why) {
                        if (!receiverEnd.isDone()) {
                            // A further link that comes when the session is over has nobody to tell.
                            received.note("turned away: " + why);
                        }
                        if (sender.parallel() == 1) {
                            // The only link: there will be no session.
                            receiverEnd.complete(new SessionEnd.Broken(why));
                            over.countDown();
                        }
                    }
                });
        Told sent = new Told();
        try (Tree tree = Tree.open(bytes(from))) {
            SendSession session = new SendSession(
                    tree,
                    new Walker(tree, sender.patterns()::excludes)::next,
                    senderMemory,
                    sender,
                    Tuning.DEFAULT,
                    sent,
                    sendMeter,
                    SessionIds.draw());
            Link first = coat.apply(0, dial(host));
            AtomicInteger next = new AtomicInteger(1);
            Joining.open(
                    session.id(),
                    sender.parallel(),
                    () -> coat.apply(next.getAndIncrement(), dial(host)),
                    session::join,
                    text -> sent.note(text));
            SessionEnd end = session.run(first, new byte[0]);
            if (!over.await(60, TimeUnit.SECONDS)) {
                throw new AssertionError("the sender ended with " + end + ", the receiver not within a minute");
            }
            host.close();
            return new Result(end, receiverEnd.get(), sent, received, sendMeter, receiveMeter);
        }
    }

    private static Link dial(ReceiverHost host) {
        LinkPair pair = MemoryLinks.pair(BOUND);
        Thread.ofPlatform().daemon().start(() -> {
            try {
                host.take(pair.b());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        return pair.a();
    }

    static byte[] bytes(Object text) {
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }
}
