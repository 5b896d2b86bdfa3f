package postroad.app;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import postroad.sync.core.SessionOptions;
import postroad.sync.peer.Meter;
import postroad.sync.peer.ReceiverHost;
import postroad.sync.peer.SessionEnd;
import postroad.wire.Link;
import postroad.wire.LinkFacts;
import postroad.wire.TcpListener;

/// One `receive` that listens: takes what comes, one session at a time, and reports each.
///
/// Runs on the thread that calls [#serve]; [#stop] may come from any, and every connection has a thread of its own.
final class Receiving implements ReceiverHost.Listener {
    private final SyncSettings settings;
    private final boolean once;
    private final TcpListener listener;
    private final Console console;
    private final SyncProgress progress;
    private final ReceiverHost host;
    private final Set<Thread> takers = new HashSet<>();

    private Session running;
    private int status = Verb.DONE;
    private boolean stopped;

    /// The session that runs.
    private record Session(SyncTeller teller, Meter meter, SessionOptions options, long begun) {}

    Receiving(
            SyncSettings settings,
            Trust trust,
            ReceivePlace place,
            boolean once,
            TcpListener listener,
            Console console,
            SyncProgress progress) {
        this.settings = settings;
        this.once = once;
        this.listener = listener;
        this.console = console;
        this.progress = progress;
        host = new ReceiverHost(trust, place::open, settings.session(), settings.tuning(), this);
    }

    /// Serves until it is stopped, or with `--once` until a session came to its end; returns the exit status.
    int serve() throws InterruptedException {
        try {
            for (Optional<Link> link = listener.accept(); link.isPresent(); link = listener.accept()) {
                take(link.get());
            }
        } catch (InterruptedException e) {
            // The way to stop a verb that runs in a thread; what follows must not be interrupted again.
            stop();
        }
        Set<Thread> left;
        synchronized (this) {
            left = Set.copyOf(takers);
        }
        host.close();
        for (Thread each : left) {
            each.join();
        }
        return status;
    }

    private void take(Link link) {
        Thread thread = Thread.ofPlatform()
                .daemon()
                .name("receive-" + link.peer())
                .unstarted(() -> {
                    try {
                        host.take(link);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    } finally {
                        forget(Thread.currentThread());
                    }
                });
        synchronized (this) {
            takers.add(thread);
        }
        thread.start();
    }

    private synchronized void forget(Thread thread) {
        takers.remove(thread);
    }

    /// Ends the session that runs, after telling the sender, and serves no more.
    void stop() {
        synchronized (this) {
            stopped = true;
        }
        host.abort("the receiver was stopped; what has arrived is kept for the next time");
        listener.close();
    }

    @Override
    public ReceiverHost.Ears begins(Link link, SessionOptions options) {
        SyncTeller teller =
                new SyncTeller(progress, settings.json() ? console.err() : console.out(), settings.itemize());
        Meter meter = new Meter();
        synchronized (this) {
            running = new Session(teller, meter, options, System.nanoTime());
        }
        if (!settings.quiet()) {
            progress.say("a session from " + link.peer() + (options.dryRun() ? ", a dry run" : ""));
        }
        progress.begin(meter, "");
        return new ReceiverHost.Ears(teller, meter);
    }

    @Override
    public void ended(Link link, SessionEnd end) {
        progress.pause();
        Session session;
        boolean isStopped;
        synchronized (this) {
            session = running;
            running = null;
            isStopped = stopped;
        }
        SyncReport report = report(link, end, session);
        progress.around(() -> report.tell(console, settings));
        if (once && !isStopped && end instanceof SessionEnd.Broken) {
            progress.say("waiting for the sender to come back; Ctrl-C ends it");
        } else if (once && !isStopped) {
            status = report.status();
            listener.close();
        }
    }

    private SyncReport report(Link link, SessionEnd end, Session session) {
        SyncTeller teller = session == null ? new SyncTeller(progress, console.out(), false) : session.teller();
        Meter meter = session == null ? new Meter() : session.meter();
        return new SyncReport(
                "receive",
                end,
                session != null && session.options().dryRun(),
                link.peer(),
                link.peerFingerprint().map(Object::toString),
                end instanceof SessionEnd.Done ? link.facts() : LinkFacts.NONE,
                session == null ? 1 : session.options().parallel(),
                meter.linkSent(),
                meter.linkReceived(),
                0,
                1,
                session == null ? 0 : (System.nanoTime() - session.begun()) / 1e9,
                teller.problems(),
                teller.failed());
    }

    @Override
    public void turnedAway(Link link, String why) {
        progress.say("turned away " + link.peer() + ": " + why);
    }
}
