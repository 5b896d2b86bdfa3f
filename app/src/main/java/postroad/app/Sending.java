package postroad.app;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import postroad.sync.core.SessionId;
import postroad.sync.core.SessionOptions;
import postroad.sync.core.StopCode;
import postroad.sync.folder.ChunkMemory;
import postroad.sync.peer.Joining;
import postroad.sync.peer.Meter;
import postroad.sync.peer.SendSession;
import postroad.sync.peer.SenderHost;
import postroad.sync.peer.SentParts;
import postroad.sync.peer.SessionEnd;
import postroad.sync.peer.SessionIds;
import postroad.wire.Link;
import postroad.wire.LinkFacts;
import postroad.wire.Links;
import postroad.wire.TcpListener;

/// One `send`: a session, and further ones while the connection keeps breaking; with a receiver that
/// listens, or with one that connects here.
///
/// Runs on the thread that calls [#to] or [#listen]; [#stop] may come from any.
final class Sending implements SenderHost.Listener {
    private static final String STOPPED = "the sender was stopped; what has arrived is kept for the next time";

    private final SendSource source;
    private final SyncSettings settings;
    private final SessionOptions options;
    private final Trust trust;
    private final SyncProgress progress;
    private final SyncTeller teller;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final ChunkMemory memory;
    private final long begun = System.nanoTime();
    private final SentParts parts = new SentParts();

    private Optional<SendSession> running = Optional.empty();
    private Optional<AheadNames> names = Optional.empty();
    private Runnable whenOver = () -> {};
    private Meter meter = new Meter();
    private SessionEnd last = new SessionEnd.Broken("nobody came");
    private LinkFacts facts = LinkFacts.NONE;
    private Optional<String> fingerprint = Optional.empty();
    private String peer = "";
    private long wireSent;
    private long wireReceived;
    private int attempts;

    /// @param memory of the source's hashed files; closed by the caller
    Sending(
            SendSource source,
            ChunkMemory memory,
            SyncSettings settings,
            Trust trust,
            Console console,
            SyncProgress progress) {
        this.source = source;
        this.memory = memory;
        this.settings = settings;
        this.options = source.adapted(settings.session());
        this.trust = trust;
        this.progress = progress;
        this.teller = new SyncTeller(progress, settings.json() ? console.err() : console.out(), settings.itemize());
    }

    /// Ends what runs, and says so to the receiver.
    void stop() {
        stopped.countDown();
        Optional<SendSession> session;
        Runnable over;
        synchronized (this) {
            session = running;
            over = whenOver;
        }
        session.ifPresent(each -> each.stop(StopCode.INTERRUPTED, STOPPED));
        over.run();
    }

    private boolean isStopped() {
        return stopped.getCount() == 0;
    }

    /// Sends to the receiver that listens at `receiver`.
    ///
    /// @throws Failure if there is no session at all
    SyncReport to(Endpoint receiver) throws IOException, InterruptedException {
        peer = receiver.toString();
        Patience patience = new Patience(settings.retry());
        while (true) {
            begin("connecting to " + receiver);
            try {
                over(attempt(receiver, patience));
            } finally {
                closeNames();
            }
            patience.ended(last, teller.agreed().isPresent(), meter);
            if (isStopped() || !patience.lasts()) {
                return report();
            }
            progress.say(patience.words());
            if (stopped.await(patience.pauseMillis(), TimeUnit.MILLISECONDS)) {
                return report();
            }
            teller.forgetFailures();
        }
    }

    /// The walk begins while the connection is being made.
    private synchronized void begin(String waits) {
        attempts++;
        meter = new Meter(parts);
        progress.begin(meter, waits);
        names = Optional.of(new AheadNames(source.names(options)));
    }

    private synchronized void over(SessionEnd end) {
        progress.pause();
        closeNames();
        running = Optional.empty();
        last = end;
        wireSent += meter.linkSent();
        wireReceived += meter.linkReceived();
    }

    /// The tree may be closed when nobody walks it any more.
    private synchronized void closeNames() {
        names.ifPresent(AheadNames::close);
        names = Optional.empty();
    }

    private SessionEnd attempt(Endpoint receiver, Patience patience) throws IOException, InterruptedException {
        Link first;
        try {
            first = dial(receiver);
        } catch (IOException e) {
            if (patience.attempts() == 0 && !isStopped()) {
                throw e;
            }
            return SessionEnd.broken(e);
        }
        try (first) {
            trust.check(first);
            SendSession session = session(first, SessionIds.draw());
            if (!options.dryRun()) {
                Joining.open(session.id(), options.parallel(), () -> dial(receiver), session::join, progress::say);
            }
            return session.run(first, trust.proof());
        }
    }

    private Link dial(Endpoint receiver) throws IOException {
        return Links.dial(receiver.host(), receiver.port(), trust.identity(), settings.links());
    }

    private synchronized SendSession session(Link first, SessionId id) {
        SendSession session = new SendSession(
                source.tree(), names.orElseThrow(), memory, options, settings.tuning(), teller, meter, id);
        running = Optional.of(session);
        facts = first.facts();
        settings.otherCongestion(facts).ifPresent(progress::say);
        fingerprint = first.peerFingerprint().map(Object::toString);
        if (isStopped()) {
            session.stop(StopCode.INTERRUPTED, STOPPED);
        }
        return session;
    }

    /// Waits for a receiver to connect, and sends to it; one that breaks off may come back.
    SyncReport listen(TcpListener listener) throws InterruptedException {
        SenderHost host = new SenderHost(trust, this);
        synchronized (this) {
            whenOver = listener::close;
        }
        if (isStopped()) {
            listener.close();
        }
        Doorman doorman = new Doorman(listener, host::take);
        doorman.serve();
        host.close();
        doorman.await();
        return report();
    }

    @Override
    public SendSession begins(Link link, SessionId id) {
        teller.forgetFailures();
        begin("");
        synchronized (this) {
            peer = link.peer();
        }
        progress.say("a session with " + link.peer());
        return session(link, id);
    }

    @Override
    public void ended(Link link, SessionEnd end) {
        over(end);
        if (end instanceof SessionEnd.Broken(String text) && !isStopped()) {
            progress.say("the connection broke: " + text + "; waiting for the receiver to come back; Ctrl-C ends it");
            return;
        }
        Runnable over;
        synchronized (this) {
            over = whenOver;
        }
        over.run();
    }

    @Override
    public void turnedAway(Link link, String why) {
        progress.stray("turned away " + link.peer() + ": " + why);
    }

    private synchronized SyncReport report() {
        SessionOptions held = teller.agreed().orElse(options);
        boolean unfinished = isStopped() && !(last instanceof SessionEnd.Done);
        return new SyncReport(
                "send",
                unfinished ? SessionEnd.stopped(StopCode.INTERRUPTED, STOPPED) : last,
                unfinished,
                held.dryRun(),
                peer,
                fingerprint,
                facts,
                held.parallel(),
                wireSent,
                wireReceived,
                parts.again(),
                attempts,
                (System.nanoTime() - begun) / 1e9,
                teller.problems(),
                teller.failed());
    }
}
