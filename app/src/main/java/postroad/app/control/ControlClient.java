package postroad.app.control;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import postroad.app.transfer.ExportSummary;
import postroad.app.transfer.ImportFailure;
import postroad.app.transfer.ImportSummary;
import postroad.app.transfer.Source;
import postroad.app.transfer.Sources;
import postroad.nostr.core.Filter;

/// The command line's side of the control socket: one connection, one command.
public final class ControlClient implements AutoCloseable {
    private static final int DATA_BYTES = 256 << 10;

    private final SocketChannel channel;
    private final DataInputStream in;
    private final DataOutputStream out;

    /// The last counts of an import. Written by the reading thread before it completes the answer.
    private volatile ImportSummary told;

    private ControlClient(SocketChannel channel) {
        this.channel = channel;
        this.in = new DataInputStream(new BufferedInputStream(Channels.newInputStream(channel), 64 << 10));
        this.out = new DataOutputStream(new BufferedOutputStream(Channels.newOutputStream(channel), 64 << 10));
    }

    /// Connects to the node that listens at `socket`; empty when none runs.
    public static Optional<ControlClient> connect(Path socket) throws IOException {
        return ControlSocket.connect(socket).map(ControlClient::new);
    }

    /// The node's figures.
    public Map<String, String> info() throws IOException {
        send(new Request("info", List.of()));
        return words(last());
    }

    /// Has the node copy its store into `directory`; returns the copy's sequence number.
    public long backup(Path directory) throws IOException {
        send(new Request("backup", List.of(new Request.Value("directory", directory.toString()))));
        return number(words(last()), "sequence");
    }

    /// Has the node export what any of the filters matches.
    public ExportSummary export(List<Filter> filters, OutputStream target, LongConsumer progress) throws IOException {
        List<Request.Value> values = new ArrayList<>();
        filters.forEach(filter -> values.add(new Request.Value("filter", filter.json())));
        send(new Request("export", values));
        long events = 0;
        while (true) {
            Frame frame = read();
            if (frame.type() != Frame.DATA) {
                Map<String, String> summary = words(checked(frame));
                return new ExportSummary(number(summary, "events"), number(summary, "sequence"));
            }
            target.write(frame.payload());
            events += newlines(frame.payload());
            progress.accept(events);
        }
    }

    /// Has the node import the sources.
    ///
    /// @param progress told the counts a few times a second, on another thread
    /// @throws ImportFailure when the node could not go on, with the last counts that it told
    public ImportSummary importAll(Sources sources, boolean verify, Consumer<ImportSummary> progress)
            throws IOException, InterruptedException {
        CompletableFuture<ImportSummary> answer = new CompletableFuture<>();
        send(new Request("import", List.of(new Request.Value("verify", Boolean.toString(verify)))));
        Thread reader = Thread.ofVirtual().name("control-reader").start(() -> readImport(answer, progress));
        try {
            sendAll(sources, answer);
            return answer.get();
        } catch (ExecutionException e) {
            throw failure(e.getCause());
        } finally {
            channel.close();
            reader.join();
        }
    }

    private IOException failure(Throwable cause) {
        String message = cause instanceof ControlException known
                ? known.getMessage()
                : "the node went away: " + cause.getMessage();
        return told == null ? new ControlException(message, cause) : new ImportFailure(message, told);
    }

    private void sendAll(Sources sources, CompletableFuture<ImportSummary> answer) throws IOException {
        Optional<Source> source = sources.next();
        while (source.isPresent() && !answer.isDone()) {
            sendOne(source.get(), answer);
            source = sources.next();
        }
        try {
            Frame.of(Frame.END, "").writeTo(out);
            out.flush();
        } catch (IOException e) {
            // The node has ended the import; its answer says why.
            return;
        }
    }

    /// Sends a source; stops early when the node has answered, whose answer then says why.
    private void sendOne(Source source, CompletableFuture<ImportSummary> answer) throws IOException {
        byte[] bytes = new byte[DATA_BYTES];
        boolean more = trySend(Frame.of(Frame.SOURCE, source.name()));
        while (more && !answer.isDone()) {
            int count = read(source, bytes);
            if (count < 0) {
                return;
            }
            more = trySend(new Frame(Frame.DATA, java.util.Arrays.copyOf(bytes, count)));
        }
    }

    private static int read(Source source, byte[] bytes) throws IOException {
        try {
            return source.in().read(bytes);
        } catch (IOException e) {
            throw new IOException(source.name() + ": " + e.getMessage(), e);
        }
    }

    private boolean trySend(Frame frame) {
        try {
            frame.writeTo(out);
            out.flush();
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private void readImport(CompletableFuture<ImportSummary> answer, Consumer<ImportSummary> progress) {
        try {
            Frame frame = read();
            while (frame.type() == Frame.PROGRESS) {
                told = summary(frame);
                progress.accept(told);
                frame = read();
            }
            answer.complete(summary(checked(frame)));
        } catch (Throwable e) {
            // Whatever it is: the sending thread waits for the answer.
            answer.completeExceptionally(e);
        }
    }

    private static ImportSummary summary(Frame frame) throws ControlException {
        return ImportSummary.ofLines(frame.lines())
                .orElseThrow(() -> new ControlException("the node's summary is unreadable; is it another version?"));
    }

    private void send(Request request) throws IOException {
        request.toFrame().writeTo(out);
        out.flush();
    }

    private Frame read() throws IOException {
        try {
            return Frame.read(in);
        } catch (EOFException e) {
            throw new ControlException("the node went away before it was done", e);
        }
    }

    private Frame last() throws IOException {
        return checked(read());
    }

    private static Frame checked(Frame frame) throws ControlException {
        return switch (frame.type()) {
            case Frame.SUMMARY -> frame;
            case Frame.ERROR -> throw new ControlException(frame.text());
            default -> throw new ControlException("the node answered with a frame of type " + frame.type());
        };
    }

    private static Map<String, String> words(Frame frame) throws ControlException {
        Map<String, String> words = new LinkedHashMap<>();
        for (String line : frame.lines()) {
            int tab = line.indexOf('\t');
            if (tab < 0) {
                throw new ControlException("the node's answer is unreadable: " + line);
            }
            words.put(line.substring(0, tab), line.substring(tab + 1));
        }
        return words;
    }

    private static long number(Map<String, String> words, String name) throws ControlException {
        try {
            return Long.parseLong(words.getOrDefault(name, ""));
        } catch (NumberFormatException e) {
            throw new ControlException("the node's answer has no " + name, e);
        }
    }

    private static long newlines(byte[] bytes) {
        long count = 0;
        for (byte one : bytes) {
            count += one == '\n' ? 1 : 0;
        }
        return count;
    }

    /// Ends the connection.
    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // Nothing is left to be said on it.
            return;
        }
    }
}
