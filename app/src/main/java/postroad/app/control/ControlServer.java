package postroad.app.control;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import postroad.app.transfer.ExportSummary;
import postroad.app.transfer.Exporter;
import postroad.app.transfer.ImportFailure;
import postroad.app.transfer.ImportOptions;
import postroad.app.transfer.ImportSummary;
import postroad.app.transfer.Importer;
import postroad.nostr.core.Filter;
import postroad.nostr.core.FilterParser;
import postroad.nostr.store.StoreException;

/// A node's side of the control socket: one thread accepts, and each command has a thread of its own.
///
/// At most [#MAX_COMMANDS] run at a time; more wait to be accepted.
public final class ControlServer implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(ControlServer.class.getName());

    private static final int MAX_COMMANDS = 8;

    /// How long a client may take to say what it wants.
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Path socket;
    private final ServerSocketChannel listener;
    private final NodeAccess node;
    private final Semaphore room = new Semaphore(MAX_COMMANDS);
    private final Map<Thread, SocketChannel> commands = new ConcurrentHashMap<>();
    private final Thread acceptor;

    private ControlServer(Path socket, ServerSocketChannel listener, NodeAccess node) {
        this.socket = socket;
        this.listener = listener;
        this.node = node;
        this.acceptor = Thread.ofPlatform().daemon().name("control").unstarted(this::acceptAll);
    }

    /// Serves commands at `socket`.
    public static ControlServer start(Path socket, NodeAccess node) throws IOException {
        ControlServer server = new ControlServer(socket, ControlSocket.bind(socket), node);
        server.acceptor.start();
        return server;
    }

    private void acceptAll() {
        try {
            while (true) {
                room.acquire();
                SocketChannel channel = listener.accept();
                begin(channel);
            }
        } catch (ClosedChannelException e) {
            // The node stops.
            return;
        } catch (IOException e) {
            LOG.log(Level.ERROR, "the control socket fails; this node takes no more commands", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Gives the command its thread. A machine that has none to give costs this command, not those after it.
    private void begin(SocketChannel channel) throws IOException {
        Thread thread = Thread.ofPlatform().daemon().name("control-command").unstarted(() -> serve(channel));
        commands.put(thread, channel);
        try {
            thread.start();
        } catch (OutOfMemoryError e) {
            LOG.log(Level.ERROR, "there is no thread for a command", e);
            commands.remove(thread);
            room.release();
            channel.close();
        }
    }

    private void serve(SocketChannel channel) {
        try (channel;
                var in = new DataInputStream(new BufferedInputStream(Channels.newInputStream(channel), 64 << 10));
                var out = new DataOutputStream(new BufferedOutputStream(Channels.newOutputStream(channel), 64 << 10))) {
            Frame last = answer(channel, in, out);
            last.writeTo(out);
            out.flush();
        } catch (IOException e) {
            // The client went away; it is the one to tell its user.
            return;
        } finally {
            commands.remove(Thread.currentThread());
            room.release();
        }
    }

    private Frame answer(SocketChannel channel, DataInputStream in, DataOutputStream out) throws IOException {
        try {
            Request request = asked(channel, in);
            return switch (request.verb()) {
                case "info" -> info();
                case "backup" -> backup(request);
                case "export" -> exported(request, out);
                case "import" -> imported(request, in, out);
                default -> Frame.of(Frame.ERROR, "the node knows no command " + request.verb());
            };
        } catch (EOFException e) {
            return Frame.of(Frame.ERROR, "the command ended before it was whole");
        } catch (IOException | UncheckedIOException | StoreException | InvalidPathException e) {
            return Frame.of(Frame.ERROR, node.inWords(e));
        } catch (InterruptedException e) {
            return Frame.of(Frame.ERROR, "the node is stopping");
        } catch (RuntimeException | Error e) {
            if (!listener.isOpen()) {
                return Frame.of(Frame.ERROR, "the node is stopping");
            }
            LOG.log(Level.ERROR, "a command failed where it must not", e);
            return Frame.of(Frame.ERROR, "the node failed, and its log says more: " + e);
        }
    }

    /// The command. Who connects and says nothing is cut off, so that others have its place.
    private static Request asked(SocketChannel channel, DataInputStream in) throws IOException {
        CountDownLatch said = new CountDownLatch(1);
        Thread.ofVirtual().name("control-patience").start(() -> cutUnless(said, channel));
        try {
            return Request.of(Frame.read(in));
        } finally {
            said.countDown();
        }
    }

    private static void cutUnless(CountDownLatch said, SocketChannel channel) {
        try {
            if (!said.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                channel.close();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "a silent connection was gone already", e);
        }
    }

    private Frame info() {
        List<String> lines = new ArrayList<>();
        node.figures().forEach((name, value) -> lines.add(name + "\t" + value));
        return Frame.of(Frame.SUMMARY, lines);
    }

    private Frame backup(Request request) throws ControlException {
        long sequence = node.store().backup(Path.of(request.one("directory")));
        return Frame.of(Frame.SUMMARY, "sequence\t" + sequence);
    }

    private Frame exported(Request request, DataOutputStream out) throws IOException {
        FilterParser parser = new FilterParser(1_000_000);
        List<Filter> filters = new ArrayList<>();
        for (String json : request.all("filter")) {
            switch (parser.parse(json)) {
                case FilterParser.Result.Parsed(Filter filter) -> filters.add(filter);
                case FilterParser.Result.Refused(String reason) -> throw new ControlException(reason);
            }
        }
        OutputStream frames = new DataFrames(out);
        long now = System.currentTimeMillis() / 1000;
        ExportSummary summary = Exporter.run(node.store(), filters, now, frames, count -> {});
        return Frame.of(Frame.SUMMARY, List.of("events\t" + summary.events(), "sequence\t" + summary.sequence()));
    }

    private Frame imported(Request request, DataInputStream in, DataOutputStream out)
            throws IOException, InterruptedException {
        boolean verify = Boolean.parseBoolean(request.one("verify"));
        if (!verify) {
            LOG.log(
                    Level.WARNING,
                    "AN IMPORT WITHOUT CHECKING SIGNATURES (--no-verify) begins: whatever its lines say will be served"
                            + " as genuine");
        }
        try {
            ImportSummary summary = Importer.run(
                    new ReceivedSources(in),
                    node.sink(),
                    ImportOptions.of(verify, node.futureSeconds()),
                    soFar -> progress(out, soFar));
            return Frame.of(Frame.SUMMARY, summary.toLines());
        } catch (ImportFailure e) {
            progress(out, e.soFar());
            throw e;
        }
    }

    private static void progress(DataOutputStream out, ImportSummary soFar) {
        try {
            Frame.of(Frame.PROGRESS, soFar.toLines()).writeTo(out);
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Takes no more commands, ends those under way, and removes the socket.
    @Override
    public void close() {
        try {
            listener.close();
            Files.deleteIfExists(socket);
        } catch (IOException e) {
            LOG.log(Level.WARNING, "the control socket was not removed", e);
        }
        acceptor.interrupt();
        Set<Thread> running = Set.copyOf(commands.keySet());
        running.forEach(Thread::interrupt);
        running.forEach(ControlServer::join);
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Wraps bytes into data frames.
    private static final class DataFrames extends OutputStream {
        private final DataOutputStream out;

        DataFrames(DataOutputStream out) {
            this.out = out;
        }

        @Override
        public void write(int one) throws IOException {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            for (int at = 0; at < length; at += Frame.MAX_PAYLOAD) {
                Frame.write(out, Frame.DATA, bytes, from + at, Math.min(Frame.MAX_PAYLOAD, length - at));
            }
        }
    }
}
