package postroad.app;

import java.util.Optional;
import org.apache.commons.cli.Options;
import postroad.app.config.Home;
import postroad.sync.core.SessionOptions;
import postroad.sync.folder.ChunkIndex;
import postroad.sync.folder.ChunkMemory;
import postroad.sync.folder.LazyMemory;
import postroad.sync.folder.Tree;

/// `postroad receive`: takes what senders bring into a folder.
final class ReceiveVerb implements Verb {
    @Override
    public String name() {
        return "receive";
    }

    @Override
    public String words() {
        return "PATH [HOST:PORT]";
    }

    @Override
    public String description() {
        return """
                Takes what postroad send brings: the contents of a folder into PATH, which is made when missing, a
                file into the folder PATH or as PATH. Prints "fingerprint FP" and "listening ADDR:PORT" on standard
                output once it does, and on standard error where it can be reached and a line to paste at the first
                sender: the word in it is good once, and has both sides trust each other. Others are refused, and
                told why.

                Serves one session after another, one at a time, until SIGTERM or Ctrl-C (status 0, or 4
                when that cut a session short). With --once it
                ends after the first session that a trusted sender brought to its end; one that breaks waits for the
                sender to come back. With HOST:PORT it connects to a sender that listens (send --listen) instead.
                """;
    }

    @Override
    public String example() {
        return """
                postroad receive photos
                postroad receive photos --listen 0.0.0.0:7448 --once --delete --max-delete 100
                """;
    }

    @Override
    public Options options() {
        return SyncSettings.options()
                .addOption(Verb.flag("once", "end after one session"))
                .addOption(Verb.value(
                        "backup-dir", "DIR", "move what is replaced or deleted there, on the same file system"));
    }

    @Override
    public int run(Arguments arguments, Console console) throws Exception {
        SyncSettings given = SyncSettings.of(arguments, SessionOptions.MAX_PARALLEL);
        arguments.requireWords(1, 2, "PATH");
        Optional<Endpoint> sender = arguments.words().size() > 1
                ? Optional.of(Endpoint.parse(arguments.words().get(1), "HOST:PORT"))
                : Optional.empty();
        if (sender.isPresent() && given.listen().isPresent()) {
            throw new UsageException("receive PATH connects to HOST:PORT or listens (--listen), not both");
        }
        if (sender.isEmpty() && given.pair().isPresent()) {
            throw new UsageException("the side that listens makes the pairing word; --pair is for the other one");
        }
        byte[] path = arguments.path();
        Optional<byte[]> backup = arguments.value("backup-dir").map(ByteWords::bytes);
        var home = arguments.home(console);
        try (SyncProgress progress = new SyncProgress(console, name(), given.quiet());
                ReceivePlace place = ReceivePlace.of(
                        path,
                        tree -> index(home, tree, progress),
                        backup,
                        given.session().dryRun());
                StopSignal stop = StopSignal.listen()) {
            HomeFolder.prepare(home);
            SyncSettings settings = place.without(new OwnHome(home), given, progress::say);
            Trust trust = Trust.of(home.folder(), settings, progress::say);
            boolean once = sender.isPresent() || arguments.has("once");
            Receiving receiving = new Receiving(settings, trust, place, once, console, progress);
            stop.whenTold(receiving::stop);
            Greetings.Side side = once ? Greetings.Side.RECEIVER_OF_ONE : Greetings.Side.RECEIVER;
            int status = sender.isPresent()
                    ? receiving.from(sender.get())
                    : Greetings.listen(settings, trust, side, console, progress, receiving::listen);
            stop.ended(status);
            return status;
        }
    }

    private static ChunkMemory index(Home home, Tree tree, SyncProgress progress) {
        return new LazyMemory(() -> ChunkIndex.open(home.folder(), tree, progress::say));
    }
}
