package postroad.lab.folders;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import postroad.lab.process.Child;

/// What starting other programs takes.
final class Programs {
    private static final Duration START = Duration.ofSeconds(30);

    /// The port of receivers in a namespace of their own.
    private static final int PORT = 7448;

    private static final String LISTENS = "0A";

    private Programs() {}

    /// Starts a program with nothing on its standard input.
    static Child start(List<String> command, Map<String, String> environment) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectInput(new File("/dev/null"));
        builder.environment().putAll(environment);
        return Child.start(builder);
    }

    /// A port that is free on the receiver's end.
    static int freePort(Wan wan) throws IOException {
        if (!wan.receiver().startsWith("127.")) {
            return PORT;
        }
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    /// Waits until something listens on `port` of the receiver's end, without connecting.
    static void awaitListening(Wan wan, int port, Child receiver) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(wan.atReceiver(List.of("cat", "/proc/net/tcp", "/proc/net/tcp6")));
        String local = String.format(":%04X", port);
        long end = System.nanoTime() + START.toNanos();
        while (System.nanoTime() < end && receiver.isAlive()) {
            Process process = new ProcessBuilder(command)
                    .redirectInput(new File("/dev/null"))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String sockets = new String(process.getInputStream().readAllBytes(), UTF_8);
            process.waitFor();
            if (sockets.lines().anyMatch(line -> isListening(line, local))) {
                return;
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
        throw new IOException("the receiver does not listen: " + receiver.talk());
    }

    /// A line of /proc/net/tcp: number, local address, remote address, state.
    private static boolean isListening(String line, String local) {
        String[] words = line.strip().split(" +", -1);
        return words.length > 3 && words[1].endsWith(local) && words[3].equals(LISTENS);
    }

    /// Waits for a sender's end.
    ///
    /// @throws IOException when that is no good one
    static void awaitSuccess(Child child, String what, Duration limit) throws IOException, InterruptedException {
        int status = child.await(limit);
        if (status != 0) {
            throw new IOException(what + " ended with " + status + ": " + child.talk());
        }
    }
}
