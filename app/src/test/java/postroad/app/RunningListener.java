package postroad.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A verb that listens, in a thread of the test: `postroad receive`, or `postroad send --listen`.
final class RunningListener implements AutoCloseable {
    private static final Pattern WORD = Pattern.compile("--pair (pr1[a-z2-7]+)");

    private final Thread thread;
    private final CompletableFuture<Integer> status = new CompletableFuture<>();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final PipedInputStream in = new PipedInputStream(1 << 20);
    private final BufferedReader reader = new BufferedReader(new InputStreamReader(in, UTF_8));
    private final String fingerprint;
    private final String address;

    /// Starts one that listens on a free port and waits until it does.
    static RunningListener start(Path home, Path target, String... options) throws Exception {
        return new RunningListener("receive", home, target, options);
    }

    /// Starts a sender that listens on a free port and waits until it does.
    static RunningListener sender(Path home, Path source, String... options) throws Exception {
        return new RunningListener("send", home, source, options);
    }

    private RunningListener(String verb, Path home, Path target, String... options) throws Exception {
        List<String> words = new ArrayList<>(List.of(verb, target.toString(), "--listen", "127.0.0.1:0"));
        words.addAll(Arrays.asList(options));
        PrintStream out = new PrintStream(new PipedOutputStream(in), true, UTF_8);
        PrintStream talk = new PrintStream(err, true, UTF_8);
        Map<String, String> environment = Map.of("POSTROAD_HOME", home.toString());
        thread = Thread.ofPlatform().name(verb).start(() -> {
            int ended = Main.run(words, InputStream.nullInputStream(), out, talk, environment);
            // First: a pipe whose last writer is gone and that is still open cannot be read to its end.
            out.close();
            status.complete(ended);
        });
        String line = line();
        boolean isEncrypted = line.startsWith("fingerprint ");
        fingerprint = isEncrypted ? line.substring("fingerprint ".length()) : "";
        String second = isEncrypted ? line() : line;
        assertThat(second).startsWith("listening 127.0.0.1:");
        address = second.substring("listening ".length());
    }

    /// The next line of its standard output.
    String line() throws IOException {
        String line = reader.readLine();
        assertThat(line).as(err.toString(UTF_8)).isNotNull();
        return line;
    }

    String address() {
        return address;
    }

    String fingerprint() {
        return fingerprint;
    }

    String err() {
        return err.toString(UTF_8);
    }

    /// The pairing word that it showed last; it is shown right after the address.
    String word() throws InterruptedException {
        String last = "";
        while (last.isEmpty() && !status.isDone()) {
            Matcher found = WORD.matcher(err());
            while (found.find()) {
                last = found.group(1);
            }
            Thread.onSpinWait();
        }
        return last;
    }

    /// Waits until it ends by itself; returns its exit status.
    int await() {
        return status.orTimeout(60, TimeUnit.SECONDS).join();
    }

    /// Everything else that it prints until its end.
    List<String> rest() {
        try {
            return reader.readAllLines();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Tells it to stop; returns its exit status.
    int stop() {
        thread.interrupt();
        return await();
    }

    @Override
    public void close() {
        stop();
    }
}
