package postroad.lab.folders;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import postroad.lab.process.Child;

/// This program: `receive --once` and `send`, encrypted, the identities pinned, with the line's
/// congestion control.
final class Postroad implements Contender {
    private static final Duration START = Duration.ofSeconds(60);

    private final List<String> program;
    private final Path homes;
    private final int parallel;
    private final boolean isOnly;

    /// @param isOnly whether no other number of connections is measured
    Postroad(List<String> program, Path homes, int parallel, boolean isOnly) {
        this.program = program;
        this.homes = homes;
        this.parallel = parallel;
        this.isOnly = isOnly;
    }

    @Override
    public String name() {
        return isOnly ? "postroad" : "postroad K=" + parallel;
    }

    @Override
    public boolean isOurs() {
        return true;
    }

    @Override
    public Optional<String> missing() {
        return Optional.empty();
    }

    @Override
    public Optional<String> ownNames() {
        return Optional.empty();
    }

    @Override
    public Duration bring(Path source, Path target, Wan wan, Duration limit) throws IOException, InterruptedException {
        List<String> receive = words(
                "receive", target.toString(), "--once", "--listen", wan.receiver() + ":0", "--home", home("receiver"));
        receive.add("--delete");
        try (Child receiver = Programs.start(wan.atReceiver(receive), Map.of())) {
            String address = receiver.awaitLine("listening ", START).strip();
            List<String> send = words("send", source.toString(), address, "--home", home("sender"));
            send.addAll(List.of("--delete", "--parallel", Integer.toString(parallel)));
            long begun = System.nanoTime();
            try (Child sender = Programs.start(wan.atSender(send), Map.of())) {
                Programs.awaitSuccess(sender, "send", limit);
                Programs.awaitSuccess(receiver, "receive", limit);
                return Duration.ofNanos(System.nanoTime() - begun);
            }
        }
    }

    private List<String> words(String... words) {
        List<String> all = new ArrayList<>(program);
        all.addAll(List.of(words));
        all.addAll(List.of("--trust-first", "--congestion", "system", "--quiet"));
        return all;
    }

    private String home(String side) {
        return homes.resolve(side).toString();
    }
}
