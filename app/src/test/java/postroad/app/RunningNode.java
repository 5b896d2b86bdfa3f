package postroad.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/// `postroad up` in a thread of the test.
final class RunningNode implements AutoCloseable {
    private final Thread thread;
    private final CompletableFuture<Integer> status = new CompletableFuture<>();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final String url;

    /// Starts a node on a free port and waits until it serves.
    static RunningNode start(Path home, String... options) throws Exception {
        return new RunningNode(home, options);
    }

    private RunningNode(Path home, String... options) throws Exception {
        List<String> words = new ArrayList<>(List.of("up", "--listen", "127.0.0.1:0"));
        words.addAll(Arrays.asList(options));
        PipedInputStream in = new PipedInputStream(64 << 10);
        PrintStream out = new PrintStream(new PipedOutputStream(in), true, UTF_8);
        thread = Thread.ofPlatform().name("up").start(() -> {
            status.complete(Main.run(
                    words,
                    InputStream.nullInputStream(),
                    out,
                    new PrintStream(err, true, UTF_8),
                    Map.of("POSTROAD_HOME", home.toString())));
            out.close();
        });
        BufferedReader reader = new BufferedReader(new InputStreamReader(in, UTF_8));
        String line = reader.readLine();
        assertThat(line).as(err.toString(UTF_8)).startsWith("relay ws://127.0.0.1:");
        url = line.substring("relay ".length());
    }

    String url() {
        return url;
    }

    String err() {
        return err.toString(UTF_8);
    }

    /// Tells it to stop; returns its exit status.
    int stop() {
        thread.interrupt();
        return status.orTimeout(30, TimeUnit.SECONDS).join();
    }

    @Override
    public void close() {
        stop();
    }
}
