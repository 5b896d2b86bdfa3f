package postroad.lab.folders;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import postroad.lab.process.Child;
import postroad.lab.process.SearchPath;

/// `rsync -a --delete --fsync` over ssh: what is encrypted, and on the disk at its end, as this program's is. The ssh
/// server is a process of this run's own, with keys of its own.
final class RsyncOverSsh implements Contender {
    private static final Duration START = Duration.ofSeconds(30);

    /// Where a server of root's locks in what is not trusted yet.
    private static final Path SEPARATION = Path.of("/run/sshd");

    private final Path folder;

    /// @param folder for keys and configuration
    RsyncOverSsh(Path folder) {
        this.folder = folder;
    }

    @Override
    public String name() {
        return "rsync-ssh --fsync";
    }

    @Override
    public boolean isOurs() {
        return false;
    }

    @Override
    public Optional<String> missing() throws IOException {
        if (!SearchPath.has("rsync") || !SearchPath.has("ssh")) {
            return Optional.of("rsync or ssh is not installed (packages rsync, openssh-client)");
        }
        if (SearchPath.find("sshd").isEmpty()) {
            return Optional.of("there is no sshd (package openssh-server; its folder has to be in $PATH)");
        }
        return FoldersTrial.isRoot() && !Files.isDirectory(SEPARATION)
                ? Optional.of("sshd has no folder " + SEPARATION + ", which its service makes: mkdir " + SEPARATION)
                : Optional.empty();
    }

    @Override
    public Optional<String> ownNames() {
        return Optional.empty();
    }

    @Override
    public Duration bring(Path source, Path target, Wan wan, Duration limit) throws IOException, InterruptedException {
        Files.createDirectories(target);
        int port = Programs.freePort(wan);
        Path configuration = configuration(port, wan);
        // It insists on its whole name, since it starts itself again for each connection.
        List<String> server =
                List.of(SearchPath.find("sshd").orElseThrow().toString(), "-D", "-e", "-f", configuration.toString());
        try (Child receiver = Programs.start(wan.atReceiver(server), Map.of())) {
            Programs.awaitListening(wan, port, receiver);
            String ssh = "ssh -F none -p " + port + " -i " + key("client") + " -o BatchMode=yes"
                    + " -o StrictHostKeyChecking=no -o LogLevel=ERROR -o UserKnownHostsFile=" + folder.resolve("known");
            String to = System.getProperty("user.name") + "@" + wan.receiver() + ":" + target + "/";
            List<String> send = List.of("rsync", "-a", "--delete", "--fsync", "-e", ssh, source + "/", to);
            long begun = System.nanoTime();
            try (Child sender = Programs.start(wan.atSender(send), Map.of())) {
                Programs.awaitSuccess(sender, "rsync over ssh", limit);
                return Duration.ofNanos(System.nanoTime() - begun);
            }
        }
    }

    private Path configuration(int port, Wan wan) throws IOException, InterruptedException {
        Path server = key("server");
        Path client = key("client");
        Path configuration = folder.resolve("sshd_config");
        Files.writeString(
                configuration,
                String.join(
                        "\n",
                        "ListenAddress " + wan.receiver() + ":" + port,
                        "HostKey " + server,
                        "AuthorizedKeysFile " + client + ".pub",
                        "PidFile none",
                        "StrictModes no",
                        "UsePAM no",
                        "UseDNS no",
                        "PermitRootLogin prohibit-password",
                        "PasswordAuthentication no",
                        "LogLevel ERROR",
                        ""));
        return configuration;
    }

    /// The key of this side, which is made when there is none.
    private Path key(String side) throws IOException, InterruptedException {
        Path key = folder.resolve(side);
        if (!Files.exists(key)) {
            Files.createDirectories(
                    folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            List<String> make = List.of("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key.toString());
            try (Child child = Programs.start(make, Map.of())) {
                Programs.awaitSuccess(child, "ssh-keygen", START);
            }
        }
        return key;
    }
}
