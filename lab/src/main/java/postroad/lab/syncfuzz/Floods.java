package postroad.lab.syncfuzz;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongFunction;
import postroad.sync.core.Entry;
import postroad.sync.core.Frame;
import postroad.sync.core.FrameCodec;
import postroad.sync.core.Kind;
import postroad.sync.core.LinkTarget;
import postroad.sync.core.Role;
import postroad.sync.core.SendWindow;
import postroad.sync.core.SessionId;
import postroad.sync.core.SessionOptions;
import postroad.sync.core.TreePath;
import postroad.sync.core.Window;
import postroad.sync.folder.NoMemory;
import postroad.sync.folder.Tree;
import postroad.sync.folder.TreeException;
import postroad.sync.peer.Gate;
import postroad.sync.peer.Meter;
import postroad.sync.peer.ReceiverHost;
import postroad.sync.peer.SessionEnd;
import postroad.sync.peer.SessionEvents;
import postroad.sync.peer.Target;
import postroad.sync.peer.Tuning;
import postroad.wire.Link;
import postroad.wire.LinkPair;
import postroad.wire.MemoryLinks;

/// Senders that announce without end, each against a receiver with whatever heap this program has: it must answer, or
/// end the session with a word, and live.
public final class Floods {
    private static final int PAGE = 1000;
    private static final long PATIENCE_SECONDS = 600;

    private final Path target;
    private final Link link;
    private final CompletableFuture<SessionEnd> end = new CompletableFuture<>();
    private final SendWindow entries = new SendWindow(Window.ENTRIES);
    private final Object writing = new Object();
    private boolean gone;

    private Floods(Path target) {
        this.target = target;
        LinkPair pair = MemoryLinks.pair(256 << 10);
        link = pair.a();
        ReceiverHost host = new ReceiverHost(
                Gate.OPEN,
                this::open,
                SessionOptions.DEFAULT,
                Tuning.DEFAULT.withSilence(Duration.ofSeconds(5)),
                new Ears());
        Thread.ofPlatform().daemon().name("flooded").start(() -> {
            try {
                host.take(pair.b());
            } catch (Throwable e) {
                end.completeExceptionally(e);
            }
        });
    }

    private Target open(SessionOptions options) throws TreeException {
        byte[] path = target.toString().getBytes(StandardCharsets.UTF_8);
        return Target.of(Tree.create(path), new NoMemory(), Optional.empty(), false, Optional.empty(), options);
    }

    private final class Ears implements ReceiverHost.Listener {
        @Override
        public ReceiverHost.Ears begins(Link from, SessionOptions options) {
            return new ReceiverHost.Ears(SessionEvents.NONE, new Meter());
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

    /// Runs all of them; gives how each session ended.
    ///
    /// @param many names that each announces
    public static Map<String, String> run(Path folder, long many) throws IOException, InterruptedException {
        Map<String, String> ends = new LinkedHashMap<>();
        for (boolean reads : List.of(true, false)) {
            String how = reads ? "" : ", not read";
            ends.put("reserved names" + how, flood(folder, false, reads, many, i -> reserved(i)));
            ends.put("folders in a dry run" + how, flood(folder, true, reads, many, i -> folder(i)));
            ends.put("files in a dry run" + how, flood(folder, true, reads, many, i -> file(i)));
            ends.put("files" + how, flood(folder, false, reads, many, i -> file(i)));
            ends.put("long names" + how, flood(folder, true, reads, many / 100, i -> deep(i)));
        }
        return ends;
    }

    private static String flood(Path folder, boolean dryRun, boolean reads, long many, LongFunction<Entry> names)
            throws IOException, InterruptedException {
        Path target = Files.createTempDirectory(folder, "flood");
        Floods flood = new Floods(target);
        SessionEnd how = flood.run(SessionOptions.DEFAULT.withDryRun(dryRun).withParallel(1), reads, many, names);
        try {
            return switch (how) {
                case SessionEnd.Done(Frame.Summary summary) -> "done with " + summary.failed() + " failures";
                case SessionEnd.Stopped(var code, String text) -> code + ": " + text;
                case SessionEnd.Broken(String text) -> "broken: " + text;
                case SessionEnd.Fault(Throwable cause) ->
                    throw new IllegalStateException("a flood made a fault of the receiver's own", cause);
            };
        } finally {
            flood.link.close();
        }
    }

    private SessionEnd run(SessionOptions options, boolean reads, long many, LongFunction<Entry> names)
            throws InterruptedException {
        Thread.ofPlatform().daemon().name("flood-reader").start(() -> read(reads));
        try {
            write(new Frame.Hello(1, 1, new SessionId(1, 1), Role.SENDER, 1, options, "flood", new byte[0]));
            List<Entry> page = new ArrayList<>();
            int bytes = 0;
            for (long i = 0; i < many && !isGone(); i++) {
                page.add(names.apply(i));
                bytes += page.getLast().path().length();
                if (page.size() == PAGE || bytes > 400 << 10) {
                    entries(page);
                    page = new ArrayList<>();
                    bytes = 0;
                }
            }
            entries(page);
            write(new Frame.EntriesEnd(many, true));
        } catch (IOException e) {
            // It had enough.
            gone();
        }
        return await();
    }

    private SessionEnd await() throws InterruptedException {
        try {
            return end.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("a flooded session did not end in order", e);
        }
    }

    private void entries(List<Entry> page) throws IOException, InterruptedException {
        byte[] frame = FrameCodec.encode(new Frame.Entries(page));
        synchronized (this) {
            while (!entries.tryTake(frame.length) && !gone) {
                wait();
            }
        }
        write(frame);
    }

    private void write(Frame frame) throws IOException {
        write(FrameCodec.encode(frame));
    }

    private void write(byte[] frame) throws IOException {
        synchronized (writing) {
            link.write(ByteBuffer.wrap(frame));
        }
    }

    private synchronized boolean isGone() {
        return gone;
    }

    private synchronized void gone() {
        gone = true;
        notifyAll();
    }

    /// Reads what comes; gives credit for answers only when it means to take them.
    private void read(boolean takesAnswers) {
        try {
            ByteBuffer header = ByteBuffer.allocate(FrameCodec.HEADER);
            while (fill(header.clear())) {
                int type = Byte.toUnsignedInt(header.get(0));
                ByteBuffer payload = ByteBuffer.allocate(header.getInt(1));
                if (!fill(payload)) {
                    break;
                }
                Frame frame = FrameCodec.decode(type, payload.array(), 0, payload.capacity());
                if (frame instanceof Frame.Credit(Window window, long bytes) && window == Window.ENTRIES) {
                    granted(bytes);
                }
                if (takesAnswers && frame.countsAgainst().isPresent()) {
                    write(new Frame.Credit(Window.ANSWERS, FrameCodec.HEADER + payload.capacity()));
                }
                if (frame instanceof Frame.Summary) {
                    write(new Frame.Bye());
                    link.finish();
                }
            }
        } catch (IOException e) {
            // It is over.
        }
        gone();
    }

    private synchronized void granted(long bytes) {
        entries.grant(bytes);
        notifyAll();
    }

    private boolean fill(ByteBuffer buffer) throws IOException {
        while (buffer.hasRemaining()) {
            if (link.read(buffer) < 0) {
                return false;
            }
        }
        return true;
    }

    private static Entry reserved(long i) {
        return i == 0 ? entry(".postroad", Kind.FOLDER) : entry(".postroad/" + name(i), Kind.FILE);
    }

    private static Entry folder(long i) {
        return entry(name(i), Kind.FOLDER);
    }

    private static Entry file(long i) {
        return entry(name(i), Kind.FILE);
    }

    /// Folders in one another as deep as a path may be, then files with paths as long.
    private static Entry deep(long i) {
        int deepest = 120;
        if (i < deepest) {
            return entry(("x".repeat(250) + "/").repeat((int) i) + "x".repeat(250), Kind.FOLDER);
        }
        return entry(("x".repeat(250) + "/").repeat(deepest) + name(i), Kind.FILE);
    }

    private static String name(long i) {
        return "n" + (1_000_000_000L + i);
    }

    private static Entry entry(String path, Kind kind) {
        return new Entry(TreePath.of(path), kind, kind == Kind.FILE ? 7 : 0, 1, 0, 0755, LinkTarget.NONE);
    }
}
