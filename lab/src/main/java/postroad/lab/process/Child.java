package postroad.lab.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// A process started here, with its output read line by line so that it never blocks on it. Closing ends it
/// the hard way.
public final class Child implements AutoCloseable {
    private static final int KEPT_LINES = 200;

    private final Process process;
    private final BlockingQueue<Optional<String>> out = new LinkedBlockingQueue<>();
    private final Deque<String> talk = new ArrayDeque<>();
    private final Thread outReader;
    private final Thread talkReader;
    private final Thread hook;

    private Child(Process process) {
        this.process = process;
        // It never outlives this JVM, however that ends.
        this.hook = new Thread(process::destroyForcibly);
        Runtime.getRuntime().addShutdownHook(hook);
        // A read of a pipe holds a virtual thread's carrier: two children that say nothing would hold all there are.
        this.outReader = Thread.ofPlatform().daemon().start(this::readOut);
        this.talkReader = Thread.ofPlatform().daemon().start(this::readTalk);
    }

    /// Starts it.
    public static Child start(ProcessBuilder builder) throws IOException {
        return new Child(builder.start());
    }

    /// The process's number.
    public long pid() {
        return process.pid();
    }

    /// The processor time it has used so far.
    public Duration processorTime() {
        return process.toHandle().info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /// Whether it still runs.
    public boolean isAlive() {
        return process.isAlive();
    }

    /// Waits for the next line of standard output that begins with `prefix`; returns the rest of that line.
    ///
    /// @throws IOException when the process ends, or the time is up, without such a line; with what it said
    public String awaitLine(String prefix, Duration time) throws IOException, InterruptedException {
        long end = System.nanoTime() + time.toNanos();
        while (true) {
            Optional<String> line = out.poll(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
            if (line == null) {
                throw new IOException("no line \"" + prefix + "…\" within " + time.toSeconds() + " s: " + talk());
            }
            if (line.isEmpty()) {
                out.add(line);
                throw new IOException("ended without a line \"" + prefix + "…\": " + talk());
            }
            if (line.get().startsWith(prefix)) {
                return line.get().substring(prefix.length());
            }
        }
    }

    /// Asks it to end (SIGTERM).
    public void terminate() {
        process.destroy();
    }

    /// Ends it at once (SIGKILL) and waits until it is gone.
    public void kill() {
        process.destroyForcibly();
        awaitGone();
    }

    /// Waits for its end; returns its exit status.
    public int await(Duration time) throws IOException, InterruptedException {
        if (!process.waitFor(time.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new IOException("still runs after " + time.toSeconds() + " s: " + talk());
        }
        releaseHook();
        outReader.join();
        talkReader.join();
        return process.exitValue();
    }

    /// The last lines it wrote to standard error.
    public String talk() {
        synchronized (talk) {
            return String.join("\n", talk);
        }
    }

    @Override
    public void close() {
        kill();
    }

    private void releaseHook() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The JVM is ending: the hook has run or will run, which does no harm.
        }
    }

    private void awaitGone() {
        boolean interrupted = false;
        while (true) {
            try {
                process.waitFor();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        releaseHook();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void readOut() {
        try {
            readLines(process.getInputStream(), line -> out.add(Optional.of(line)));
        } finally {
            out.add(Optional.empty());
        }
    }

    private void readTalk() {
        readLines(process.getErrorStream(), line -> {
            synchronized (talk) {
                if (talk.size() == KEPT_LINES) {
                    talk.removeFirst();
                }
                talk.addLast(line);
            }
        });
    }

    private static void readLines(InputStream stream, Consumer<String> sink) {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(stream, UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                sink.accept(line);
            }
        } catch (IOException e) {
            // The pipe of a killed process may break in the middle of a line: that is its end, and said as such.
            sink.accept("(output ended: " + e.getMessage() + ")");
        }
    }
}
