package postroad.lab.folders;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import postroad.lab.process.Child;
import postroad.lab.process.SearchPath;

/// `rsync -a --delete` to a daemon of its own, not encrypted.
final class Rsync implements Contender {
    private final Path folder;

    /// @param folder for the daemon's configuration
    Rsync(Path folder) {
        this.folder = folder;
    }

    @Override
    public String name() {
        return "rsync";
    }

    @Override
    public boolean isOurs() {
        return false;
    }

    @Override
    public Optional<String> missing() {
        return SearchPath.has("rsync") ? Optional.empty() : Optional.of("rsync is not installed (package rsync)");
    }

    @Override
    public Optional<String> ownNames() {
        return Optional.empty();
    }

    @Override
    public Duration bring(Path source, Path target, Wan wan, Duration limit) throws IOException, InterruptedException {
        Files.createDirectories(target);
        int port = Programs.freePort(wan);
        Path configuration = folder.resolve("rsyncd.conf");
        Files.writeString(
                configuration,
                "use chroot = no\nreverse lookup = no\n[tree]\npath = " + target + "\nread only = no\n" + owner());
        List<String> daemon = List.of(
                "rsync",
                "--daemon",
                "--no-detach",
                "--config=" + configuration,
                "--address=" + wan.receiver(),
                "--port=" + port);
        try (Child receiver = Programs.start(wan.atReceiver(daemon), Map.of())) {
            Programs.awaitListening(wan, port, receiver);
            List<String> send = List.of(
                    "rsync", "-a", "--delete", source + "/", "rsync://" + wan.receiver() + ":" + port + "/tree/");
            long begun = System.nanoTime();
            try (Child sender = Programs.start(wan.atSender(send), Map.of())) {
                Programs.awaitSuccess(sender, "rsync", limit);
                return Duration.ofNanos(System.nanoTime() - begun);
            }
        }
    }

    /// A daemon of root's gives up its rights unless it is told not to.
    private static String owner() throws IOException {
        return FoldersTrial.isRoot() ? "uid = root\ngid = root\n" : "";
    }
}
