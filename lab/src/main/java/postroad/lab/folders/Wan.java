package postroad.lab.folders;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The two ends and what is between them: two network namespaces that `wanlink` joins, or the loopback.
///
/// A link is this run's own, by its name, and gone when closed.
final class Wan implements AutoCloseable {
    private static final int PATIENCE_SECONDS = 60;
    private static final int MOST_LATE_MICROS = 500;
    private static final Pattern LATE = Pattern.compile("..\\.late_mean_us ([0-9.]+)");
    private static final Pattern DROPPED = Pattern.compile("..\\.(?:overflow|device)_drops ([1-9][0-9]*)");

    /// The kernel's own bounds for a socket's buffers: least, at first, most, in bytes.
    private static final List<String> SYSTEM_BUFFERS =
            List.of("net.ipv4.tcp_rmem=4096 131072 6291456", "net.ipv4.tcp_wmem=4096 16384 4194304");

    private final Optional<Path> script;
    private final String name = "pr" + ProcessHandle.current().pid();

    private Wan(Optional<Path> script) {
        this.script = script;
    }

    /// The loopback.
    static Wan loopback() {
        return new Wan(Optional.empty());
    }

    /// Makes the link.
    static Wan up(Path script, Line line) throws IOException, InterruptedException {
        Wan wan = new Wan(Optional.of(script));
        try {
            wan.wanlink(List.of(
                    "up",
                    "--rtt-ms",
                    Integer.toString(line.rttMillis()),
                    "--rate-mbit",
                    Integer.toString(line.megabits()),
                    "--loss",
                    Double.toString(line.lossPercent()),
                    "--cc",
                    line.congestion()));
            if (line.systemBuffers()) {
                wan.useSystemBuffers();
            }
            return wan;
        } catch (IOException | InterruptedException | RuntimeException e) {
            wan.close();
            throw e;
        }
    }

    private void useSystemBuffers() throws IOException, InterruptedException {
        for (String end : List.of("a", "b")) {
            for (String setting : SYSTEM_BUFFERS) {
                wanlink(List.of("exec", end, "--", "sysctl", "-q", "-w", setting));
            }
        }
    }

    /// A command that runs on the sender's end.
    List<String> atSender(List<String> command) {
        return at("a", command);
    }

    /// A command that runs on the receiver's end.
    List<String> atReceiver(List<String> command) {
        return at("b", command);
    }

    /// Where the receiver's end is reached from the sender's.
    String receiver() {
        return script.isPresent() ? "10.77.0.2" : "127.0.0.1";
    }

    /// Why what was measured on the link so far may not be the link's own time; empty when it did
    /// its work on time.
    Optional<String> complaint() throws IOException, InterruptedException {
        if (script.isEmpty()) {
            return Optional.empty();
        }
        String status = wanlink(List.of("status", "--raw"));
        for (String line : status.lines().toList()) {
            Matcher late = LATE.matcher(line);
            if (late.matches() && Double.parseDouble(late.group(1)) > MOST_LATE_MICROS) {
                return Optional.of("the link was late by " + late.group(1) + " us in the mean");
            }
            Matcher dropped = DROPPED.matcher(line);
            if (dropped.matches()) {
                return Optional.of("the link lost " + dropped.group(1) + " packets that nobody asked it to");
            }
        }
        return Optional.empty();
    }

    private List<String> at(String end, List<String> command) {
        if (script.isEmpty()) {
            return command;
        }
        List<String> all = new ArrayList<>(prefix(script.get()));
        all.addAll(List.of("exec", end, "--"));
        all.addAll(command);
        return all;
    }

    private List<String> prefix(Path path) {
        return List.of("bash", path.toString(), "--name", name);
    }

    private String wanlink(List<String> words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(prefix(script.orElseThrow()));
        command.addAll(words);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), UTF_8);
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
            process.destroyForcibly();
            throw new IOException("wanlink " + String.join(" ", words) + " failed: " + said.strip());
        }
        return said;
    }

    @Override
    public void close() {
        if (script.isEmpty()) {
            return;
        }
        try {
            wanlink(List.of("down"));
        } catch (IOException e) {
            // It may never have come up; what is wrong with it was said then.
            return;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
