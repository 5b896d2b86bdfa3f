package postroad.lab.folders;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import postroad.lab.process.Child;
import postroad.lab.process.SearchPath;

/// ffsync over TLS, each end trusting the other's fingerprint.
final class Ffsync implements Contender {
    private static final Duration START = Duration.ofSeconds(30);
    private static final Pattern FINGERPRINT = Pattern.compile("(?:[0-9A-F]{2}:){31}[0-9A-F]{2}");

    private final Path homes;
    private final int parallel;

    Ffsync(Path homes, int parallel) {
        this.homes = homes;
        this.parallel = parallel;
    }

    @Override
    public String name() {
        return "ffsync K=" + parallel;
    }

    @Override
    public boolean isOurs() {
        return false;
    }

    @Override
    public Optional<String> missing() {
        return SearchPath.has("ffsync")
                ? Optional.empty()
                : Optional.of("ffsync is not in $PATH (cargo install ffsync)");
    }

    @Override
    public Optional<String> ownNames() {
        return Optional.of(".ffsync-index");
    }

    @Override
    public Duration bring(Path source, Path target, Wan wan, Duration limit) throws IOException, InterruptedException {
        Files.createDirectories(target);
        String sending = fingerprint("sender");
        String receiving = fingerprint("receiver");
        int port = Programs.freePort(wan);
        List<String> receive =
                List.of("ffsync", "receive", target.toString(), Integer.toString(port), "--trust", sending);
        try (Child receiver = Programs.start(wan.atReceiver(receive), home("receiver"))) {
            Programs.awaitListening(wan, port, receiver);
            List<String> send = new ArrayList<>(
                    List.of("ffsync", "send", source.toString(), wan.receiver() + ":" + port, "--trust", receiving));
            if (parallel > 1) {
                send.addAll(List.of("--parallel", Integer.toString(parallel)));
            }
            long begun = System.nanoTime();
            try (Child sender = Programs.start(wan.atSender(send), home("sender"))) {
                Programs.awaitSuccess(sender, "ffsync send", limit);
                Programs.awaitSuccess(receiver, "ffsync receive", limit);
                return Duration.ofNanos(System.nanoTime() - begun);
            }
        }
    }

    private Map<String, String> home(String side) {
        return Map.of("HOME", homes.resolve(side).toString());
    }

    /// The one of this side, which is made when there is none.
    private String fingerprint(String side) throws IOException, InterruptedException {
        Files.createDirectories(homes.resolve(side));
        try (Child child = Programs.start(List.of("ffsync", "fingerprints"), home(side))) {
            Programs.awaitSuccess(child, "ffsync fingerprints", START);
            Matcher line = FINGERPRINT.matcher(child.awaitLine("this peer: ", START));
            if (!line.find()) {
                throw new IOException("ffsync tells no fingerprint of its own");
            }
            return line.group();
        }
    }
}
