package postroad.app;

import java.net.InetSocketAddress;
import java.util.Optional;
import org.apache.commons.cli.Options;
import postroad.sync.core.SessionOptions;
import postroad.sync.folder.NoMemory;
import postroad.wire.Links;
import postroad.wire.TcpListener;

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

                Serves one session after another, one at a time, until SIGTERM or Ctrl-C (status 0). With --once it
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
        SyncSettings settings = SyncSettings.of(arguments, SessionOptions.MAX_PARALLEL);
        arguments.requireWords(1, 2, "PATH");
        if (arguments.words().size() > 1) {
            throw new UsageException("receive PATH HOST:PORT does not work yet");
        }
        byte[] path = ByteWords.bytes(arguments.words().getFirst());
        Optional<byte[]> backup = arguments.value("backup-dir").map(ByteWords::bytes);
        try (SyncProgress progress = new SyncProgress(console, name(), settings.quiet());
                ReceivePlace place = ReceivePlace.of(path, new NoMemory(), backup);
                StopSignal stop = StopSignal.listen()) {
            var home = arguments.home(console);
            HomeFolder.prepare(home);
            Trust trust = Trust.of(home.folder(), settings, progress::say);
            int status = listen(arguments.has("once"), settings, trust, place, console, progress, stop);
            stop.succeeded();
            return status;
        }
    }

    private static int listen(
            boolean once,
            SyncSettings settings,
            Trust trust,
            ReceivePlace place,
            Console console,
            SyncProgress progress,
            StopSignal stop)
            throws Exception {
        InetSocketAddress address = settings.listen()
                .map(Endpoint::address)
                .orElseGet(() -> new Endpoint(Endpoint.EVERYWHERE, Endpoint.USUAL_PORT).address());
        try (TcpListener listener = Links.listen(address, trust.identity(), settings.links(), progress::say)) {
            // What the first handshake of a process costs is paid before anybody waits for it.
            trust.identity().ifPresent(Links::rehearse);
            Receiving receiving = new Receiving(settings, trust, place, once, listener, console, progress);
            stop.whenTold(receiving::stop);
            Greetings.print(listener, trust, once, console, progress);
            return receiving.serve();
        } catch (java.io.IOException e) {
            throw new Failure(Listening.inWords(String.valueOf(e.getMessage())), e);
        }
    }
}
