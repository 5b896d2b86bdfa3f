package postroad.app;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import postroad.sync.core.SessionOptions;
import postroad.sync.peer.Joining;
import postroad.sync.peer.Meter;
import postroad.sync.peer.ReceiverDial;
import postroad.sync.peer.ReceiverHost;
import postroad.sync.peer.SessionEnd;
import postroad.wire.Link;
import postroad.wire.LinkFacts;
import postroad.wire.Links;
import postroad.wire.TcpListener;

/// One `receive`: listens and takes what comes, one session at a time, or connects to a sender that
/// listens; reports each session.
///
/// Runs on the thread that calls [#listen] or [#from]; [#stop] may come from any.
final class Receiving implements ReceiverHost.Listener {
    private static final String STOPPED = "the receiver was stopped; what has arrived is kept for the next time";

    private final SyncSettings settings;
    private final Trust trust;
    private final ReceivePlace place;
    private final boolean once;
    private final Console console;
    private final SyncProgress progress;
    private final CountDownLatch stopped = new CountDownLatch(1);

    private Runnable whenStopped = () -> {};
    private Runnable whenOver = () -> {};
    private Optional<Session> running = Optional.empty();
    private Meter lastMeter = new Meter();
    private boolean listens;
    private boolean begun;
    private boolean cut;
    private boolean done;
    private int status = Verb.DONE;

    /// The session that runs.
    private record Session(SyncTeller teller, Meter meter, SessionOptions options, long begun) {}

    /// @param once whether one session is all
    Receiving(
            SyncSettings settings,
            Trust trust,
            ReceivePlace place,
            boolean once,
            Console console,
            SyncProgress progress) {
        this.settings = settings;
        this.trust = trust;
        this.place = place;
        this.once = once;
        this.console = console;
        this.progress = progress;
    }

    /// Serves until it is stopped, or with `--once` until a session came to its end; returns the exit status.
    int listen(TcpListener listener) throws InterruptedException {
        ReceiverHost host = new ReceiverHost(trust, place::open, settings.session(), settings.tuning(), this);
        synchronized (this) {
            listens = true;
            whenOver = listener::close;
        }
        onStop(() -> {
            host.abort(STOPPED);
            listener.close();
        });
        Doorman doorman = new Doorman(listener, host::take);
        try {
            doorman.serve();
        } catch (InterruptedException e) {
            // The way to stop a verb that runs in a thread; what follows must not be interrupted again.
            stop();
        }
        host.close();
        doorman.await();
        return isStopped() ? stoppedStatus() : status();
    }

    /// To be stopped is how a receiver ends that serves until then; not one that was in the middle of a session, or
    /// that
    /// waited for its only one.
    private synchronized int stoppedStatus() {
        return cut || once && !done ? Verb.INTERRUPTED : status;
    }

    /// Connects to a sender that listens, again while the connection keeps breaking and there is progress; returns the
    /// exit status.
    int from(Endpoint sender) throws IOException, InterruptedException {
        Patience patience = new Patience(settings.retry());
        while (true) {
            SessionEnd end = attempt(sender, patience);
            patience.ended(end, hasBegun(), lastMeter());
            if (isStopped() || !patience.lasts()) {
                return isStopped() ? stoppedStatus() : status();
            }
            progress.say(patience.words());
            boolean _ = stopped.await(patience.pauseMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private SessionEnd attempt(Endpoint sender, Patience patience) throws IOException, InterruptedException {
        Joining.Dial dial = () -> Links.dial(sender.host(), sender.port(), trust.identity(), settings.links());
        Link link;
        try {
            link = dial.open();
        } catch (IOException e) {
            if (patience.attempts() == 0 && !isStopped()) {
                throw e;
            }
            return SessionEnd.broken(e);
        }
        try (link) {
            trust.check(link);
            ReceiverDial session = new ReceiverDial(place::open, settings.session(), settings.tuning(), this);
            onStop(() -> session.stop(STOPPED));
            return session.run(link, trust.proof(), dial, progress::say);
        }
    }

    private synchronized void onStop(Runnable action) {
        whenStopped = action;
        if (isStopped()) {
            action.run();
        }
    }

    private boolean isStopped() {
        return stopped.getCount() == 0;
    }

    private synchronized int status() {
        return status;
    }

    private synchronized boolean hasBegun() {
        return begun;
    }

    private synchronized Meter lastMeter() {
        return lastMeter;
    }

    /// Ends the session that runs, after telling the sender, and serves no more.
    void stop() {
        Runnable action;
        synchronized (this) {
            stopped.countDown();
            action = whenStopped;
        }
        action.run();
    }

    @Override
    public ReceiverHost.Ears begins(Link link, SessionOptions options) {
        SyncTeller teller =
                new SyncTeller(progress, settings.json() ? console.err() : console.out(), settings.itemize());
        Meter meter = new Meter();
        synchronized (this) {
            running = Optional.of(new Session(teller, meter, options, System.nanoTime()));
            lastMeter = meter;
            begun = true;
        }
        if (!settings.quiet()) {
            progress.say("a session with " + link.peer() + (options.dryRun() ? ", a dry run" : ""));
        }
        settings.otherCongestion(link.facts()).ifPresent(progress::say);
        progress.begin(meter, "");
        return new ReceiverHost.Ears(teller, meter);
    }

    @Override
    public void ended(Link link, SessionEnd end) {
        progress.pause();
        SyncReport report;
        Runnable over;
        synchronized (this) {
            boolean unfinished = isStopped() && running.isPresent() && !(end instanceof SessionEnd.Done);
            report = report(link, end, unfinished, running);
            cut |= unfinished;
            done |= end instanceof SessionEnd.Done;
            status = once ? report.status() : Verb.DONE;
            running = Optional.empty();
            over = whenOver;
        }
        progress.around(() -> report.tell(console, settings));
        if (!once || isStopped()) {
            return;
        }
        boolean waits;
        synchronized (this) {
            waits = listens && end instanceof SessionEnd.Broken;
        }
        if (waits) {
            progress.say("waiting for the sender to come back; Ctrl-C ends it");
        } else {
            over.run();
        }
    }

    private SyncReport report(Link link, SessionEnd end, boolean unfinished, Optional<Session> session) {
        SyncTeller teller =
                session.map(Session::teller).orElseGet(() -> new SyncTeller(progress, console.out(), false));
        Meter meter = session.map(Session::meter).orElseGet(Meter::new);
        return new SyncReport(
                "receive",
                end,
                unfinished,
                session.map(each -> each.options().dryRun()).orElse(false),
                link.peer(),
                link.peerFingerprint().map(Object::toString),
                end instanceof SessionEnd.Done ? link.facts() : LinkFacts.NONE,
                session.map(each -> each.options().parallel()).orElse(1),
                meter.linkSent(),
                meter.linkReceived(),
                0,
                1,
                session.map(each -> (System.nanoTime() - each.begun()) / 1e9).orElse(0.0),
                teller.problems(),
                teller.failed());
    }

    @Override
    public void turnedAway(Link link, String why) {
        progress.stray("turned away " + link.peer() + ": " + why);
    }
}
