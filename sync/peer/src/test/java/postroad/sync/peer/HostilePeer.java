package postroad.sync.peer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import postroad.common.Bytes32;
import postroad.common.Sha256;
import postroad.sync.core.ChunkClass;
import postroad.sync.core.Entry;
import postroad.sync.core.FileEnd;
import postroad.sync.core.FileVersion;
import postroad.sync.core.Frame;
import postroad.sync.core.FrameCodec;
import postroad.sync.core.Kind;
import postroad.sync.core.LinkTarget;
import postroad.sync.core.Recipe;
import postroad.sync.core.Role;
import postroad.sync.core.RootClaim;
import postroad.sync.core.Segment;
import postroad.sync.core.SessionId;
import postroad.sync.core.SessionOptions;
import postroad.sync.core.TreePath;
import postroad.sync.folder.NoMemory;
import postroad.sync.folder.Tree;
import postroad.sync.folder.Walker;
import postroad.wire.Link;
import postroad.wire.LinkPair;
import postroad.wire.MemoryLinks;

/// One end of a link that says what it likes to a session at the other end.
final class HostilePeer implements AutoCloseable {
    private static final int BOUND = 64 << 10;

    private final Link link;
    private final FrameReader frames;
    private final CompletableFuture<SessionEnd> end = new CompletableFuture<>();
    private final CountDownLatch gone = new CountDownLatch(1);
    private final Sessions.Told told = new Sessions.Told();

    private HostilePeer(LinkPair pair) {
        link = pair.a();
        frames = new FrameReader(link, new BufferPool(Protocol.BUFFER, 4));
    }

    /// Talks to a receiver that writes to `target`.
    static HostilePeer toReceiver(Path target, SessionOptions options) {
        LinkPair pair = MemoryLinks.pair(BOUND);
        HostilePeer peer = new HostilePeer(pair);
        ReceiverHost host = new ReceiverHost(
                Gate.OPEN,
                agreed -> Target.of(
                        Tree.create(Sessions.bytes(target)),
                        new NoMemory(),
                        Optional.empty(),
                        false,
                        Optional.empty(),
                        agreed),
                options,
                Tuning.DEFAULT.withSilence(Duration.ofSeconds(20)),
                peer.new Ears());
        peer.start(() -> host.take(pair.b()));
        return peer;
    }

    /// Talks to a sender of the tree at `source`.
    static HostilePeer toSender(Path source, SessionOptions options) {
        LinkPair pair = MemoryLinks.pair(BOUND);
        HostilePeer peer = new HostilePeer(pair);
        peer.start(() -> {
            try (Tree tree = Tree.open(Sessions.bytes(source))) {
                SendSession session = new SendSession(
                        tree,
                        new Walker(tree, options.patterns()::excludes)::next,
                        new NoMemory(),
                        options,
                        Tuning.DEFAULT.withSilence(Duration.ofSeconds(20)),
                        peer.told,
                        new Meter(),
                        SessionIds.draw());
                peer.end.complete(session.run(pair.b(), new byte[0]));
            }
        });
        return peer;
    }

    private interface Running {
        void run() throws Exception;
    }

    private void start(Running session) {
        Thread.ofPlatform().daemon().name("hostile-victim").start(() -> {
            try {
                session.run();
            } catch (Throwable e) {
                end.completeExceptionally(e);
            } finally {
                gone.countDown();
            }
        });
    }

    private final class Ears implements ReceiverHost.Listener {
        @Override
        public ReceiverHost.Ears begins(Link from, SessionOptions options) {
            return new ReceiverHost.Ears(told, new Meter());
        }

        @Override
        public void ended(Link from, SessionEnd how) {
            end.complete(how);
        }

        @Override
        public void turnedAway(Link from, String why) {
            end.complete(new SessionEnd.Broken(why));
        }
    }

    HostilePeer hello(Role role) {
        return say(new Frame.Hello(
                1, 1, new SessionId(1, 2), role, 1, SessionOptions.DEFAULT.withParallel(1), "hostile", new byte[0]));
    }

    HostilePeer say(Frame... all) {
        for (Frame each : all) {
            raw(FrameCodec.encode(each));
        }
        return this;
    }

    HostilePeer raw(byte... bytes) {
        try {
            link.write(ByteBuffer.wrap(bytes));
        } catch (IOException e) {
            // It had enough of us.
        }
        return this;
    }

    /// Reads until a frame of interest comes; empty when nothing more does.
    Optional<Frame> readTo(Predicate<Frame> interest) {
        try {
            for (Optional<Frame> frame = frames.next(); frame.isPresent(); frame = frames.next()) {
                if (interest.test(frame.get())) {
                    return frame;
                }
            }
        } catch (IOException e) {
            return Optional.empty();
        }
        return Optional.empty();
    }

    /// How the other side says that it ended, once everything that it still says was read.
    SessionEnd end() throws InterruptedException, ExecutionException, TimeoutException {
        List<Frame> rest = new ArrayList<>();
        boolean any = readTo(frame -> !rest.add(frame)).isPresent();
        link.close();
        SessionEnd how = end.get(60, TimeUnit.SECONDS);
        if (any || !gone.await(60, TimeUnit.SECONDS)) {
            throw new AssertionError("the session's thread stays");
        }
        return how;
    }

    Sessions.Told told() {
        return told;
    }

    @Override
    public void close() {
        link.close();
    }

    static Entry file(String path, long size) {
        return new Entry(TreePath.of(path), Kind.FILE, size, 1, 0, 0644, LinkTarget.NONE);
    }

    static Entry folder(String path) {
        return new Entry(TreePath.of(path), Kind.FOLDER, 0, 1, 0, 0755, LinkTarget.NONE);
    }

    static Entry link(String path, String target) {
        return new Entry(TreePath.of(path), Kind.LINK, 0, 1, 0, 0777, LinkTarget.of(Sessions.bytes(target)));
    }

    /// A whole file in one chunk.
    static Frame content(long id, byte[] data) {
        Recipe.Builder recipe = new Recipe.Builder(ChunkClass.SMALL);
        recipe.add(data.length, Sha256.of(data), 0);
        FileEnd end = new FileEnd(
                Optional.of(new FileVersion(data.length, 1, 0, 0644)),
                RootClaim.Head.of(recipe.build().root()));
        return content(id, 0, data, Optional.of(end));
    }

    static Frame content(long id, long offset, byte[] data, Optional<FileEnd> end) {
        Segment segment = new Segment(id, 0, ChunkClass.SMALL, offset, new int[] {data.length}, end);
        return new Frame.Content(List.of(segment), false, data.length, data, 0, data.length);
    }

    /// The end of a file that is in one segment as a whole and is as its entry said; with a wrong root.
    static FileEnd wrongEnd() {
        return new FileEnd(Optional.empty(), RootClaim.Head.of(Bytes32.of(new byte[Bytes32.LENGTH], 0)));
    }
}
