package postroad.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.commons.cli.Options;
import postroad.sync.core.TreePath;
import postroad.sync.folder.ChunkIndex;
import postroad.sync.folder.ChunkMemory;
import postroad.sync.folder.LazyMemory;

/// `postroad send`: brings a folder or a file to a receiver.
final class SendVerb implements Verb {
    private static final int USUAL_PARALLEL = 4;
    private static final long LARGEST_LIST = 64L << 20;

    @Override
    public String name() {
        return "send";
    }

    @Override
    public String words() {
        return "PATH [HOST:PORT]";
    }

    @Override
    public String description() {
        return """
                Brings the contents of the folder PATH, or the file PATH, to the postroad receive at HOST:PORT. Only
                what differs travels, encrypted; a connection that breaks is made again and goes on from what has
                arrived. Nothing is deleted there unless both sides say --delete.

                The first time, paste the line that the receiver shows: its word (--pair) has both sides trust each
                other from then on. With --listen instead of HOST:PORT this side waits for the receiver to connect.

                Exit status 3 when some names could not be brought over: each is told with its reason, everything
                else is done, and nothing is deleted; 4 when SIGTERM or Ctrl-C came first. What is printed at the
                end, and what the letters of --itemize mean, is in docs/operations.md.
                """;
    }

    @Override
    public String example() {
        return """
                postroad send photos 192.0.2.7:7448 --dry-run --itemize
                postroad send photos 192.0.2.7:7448 --exclude '*.tmp' --delete
                """;
    }

    @Override
    public Options options() {
        return SyncSettings.options()
                .addOption(Verb.value(
                        "files-from", "FILE", "send only the names in this list, one a line; - is standard input"))
                .addOption(Verb.flag("from0", "the names of --files-from end with a NUL"));
    }

    @Override
    public int run(Arguments arguments, Console console) throws Exception {
        SyncSettings given = SyncSettings.of(arguments, USUAL_PARALLEL);
        boolean listens = given.listen().isPresent();
        arguments.requireWords(1, 2, "PATH");
        arguments.requireWords(listens ? 1 : 2, listens ? 1 : 2, "HOST:PORT (or --listen ADDR:PORT)");
        if (arguments.has("files-from") && given.session().delete()) {
            throw new UsageException("--files-from sends some names only, so nothing may be deleted for being missing:"
                    + " leave out --delete");
        }
        if (arguments.has("from0") && !arguments.has("files-from")) {
            throw new UsageException("--from0 is for the names of --files-from");
        }
        List<String> words = arguments.words();
        Optional<Endpoint> peer = listens ? Optional.empty() : Optional.of(Endpoint.parse(words.get(1), "HOST:PORT"));
        byte[] path = arguments.path();
        try (SyncProgress progress = new SyncProgress(console, name(), given.quiet());
                SendSource source = SendSource.open(path, listed(arguments, console));
                StopSignal stop = StopSignal.listen()) {
            var home = arguments.home(console);
            HomeFolder.prepare(home);
            SyncSettings settings =
                    source.isFile() ? given : new OwnHome(home).leftOut(given, source.tree(), progress::say);
            Trust trust = Trust.of(home.folder(), settings, progress::say);
            try (ChunkMemory memory =
                    new LazyMemory(() -> ChunkIndex.open(home.folder(), source.tree(), progress::say))) {
                Sending sending = new Sending(source, memory, settings, trust, console, progress);
                stop.whenTold(sending::stop);
                SyncReport report = peer.isPresent()
                        ? sending.to(peer.get())
                        : Greetings.listen(settings, trust, Greetings.Side.SENDER, console, progress, sending::listen);
                report.tell(console, settings);
                stop.ended(report.status());
                return report.status();
            }
        }
    }

    private static Optional<List<TreePath>> listed(Arguments arguments, Console console) throws IOException {
        Optional<String> name = arguments.value("files-from");
        if (name.isEmpty()) {
            return Optional.empty();
        }
        byte[] content;
        try (var in = name.get().equals("-") ? console.in() : Files.newInputStream(Path.of(name.get()))) {
            content = in.readNBytes(Math.toIntExact(LARGEST_LIST));
            if (in.read() >= 0) {
                throw new Failure("the list of --files-from has more than " + Amounts.bytes(LARGEST_LIST));
            }
        }
        return Optional.of(ListedNames.parse(content, arguments.has("from0")));
    }
}
