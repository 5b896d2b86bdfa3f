package postroad.lab.process;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// A whole node as a process of its own: `postroad up` on a home folder and a free port of the loopback.
public final class Node implements AutoCloseable {
    private static final Duration START = Duration.ofSeconds(60);
    private static final Duration STOP = Duration.ofSeconds(30);

    /// What the launcher gives a node's JVM.
    private static final List<String> OPTIONS = List.of(
            "-XX:+UseG1GC",
            "-Xms64m",
            "-Xmx256m",
            "-XX:MaxDirectMemorySize=128m",
            "-XX:ReservedCodeCacheSize=64m",
            "-XX:MaxMetaspaceSize=96m",
            "-XX:MaxGCPauseMillis=20",
            "-XX:G1PeriodicGCInterval=60000",
            "-XX:-UsePerfData");

    private final Child child;
    private final InetSocketAddress address;
    private final Duration startTime;

    private Node(Child child, InetSocketAddress address, Duration startTime) {
        this.child = child;
        this.address = address;
        this.startTime = startTime;
    }

    /// The program from this JVM's class path, with the launcher's memory options and this JVM's start-up
    /// cache.
    public static List<String> fromClassPath() {
        return Jvm.command(options(), "postroad.app.Main", List.of());
    }

    /// The JVM's options of a node: the launcher's memory options, and this JVM's start-up cache.
    public static List<String> options() {
        List<String> options = new ArrayList<>(OPTIONS);
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> argument.startsWith("-XX:AOTCache="))
                .forEach(options::add);
        return options;
    }

    /// Starts one and waits until it serves.
    ///
    /// @param program the command that takes Postroad's verbs
    /// @param arguments further arguments of `up`
    public static Node start(List<String> program, Path home, List<String> arguments)
            throws IOException, InterruptedException {
        long begun = System.nanoTime();
        Child child = launch(program, home, arguments);
        try {
            String url = child.awaitLine("relay ", START).strip();
            Duration startTime = Duration.ofNanos(System.nanoTime() - begun);
            URI uri = URI.create(url);
            return new Node(child, new InetSocketAddress(uri.getHost(), uri.getPort()), startTime);
        } catch (IOException | InterruptedException | RuntimeException e) {
            child.close();
            throw e;
        }
    }

    /// Starts one without waiting.
    public static Child launch(List<String> program, Path home, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(program);
        command.addAll(List.of("up", "--listen", "127.0.0.1:0"));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command).redirectInput(new File("/dev/null"));
        builder.environment().put("POSTROAD_HOME", home.toString());
        return Child.start(builder);
    }

    /// Where it serves.
    public InetSocketAddress address() {
        return address;
    }

    /// The same as a URL.
    public String url() {
        return "ws://" + address.getAddress().getHostAddress() + ":" + address.getPort();
    }

    /// From the start of the process to the line that says it serves.
    public Duration startTime() {
        return startTime;
    }

    /// Its process.
    public Child process() {
        return child;
    }

    /// Asks it to end, and waits; returns the exit status.
    public int stop() throws IOException, InterruptedException {
        child.terminate();
        return child.await(STOP);
    }

    /// Ends it the hard way.
    public void kill() {
        child.kill();
    }

    @Override
    public void close() {
        child.close();
    }
}
