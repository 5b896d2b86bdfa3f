package postroad.app;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import postroad.sync.core.SessionOptions;
import postroad.sync.core.StopCode;
import postroad.sync.folder.ChunkMemory;
import postroad.sync.folder.NoMemory;
import postroad.sync.peer.Joining;
import postroad.sync.peer.Meter;
import postroad.sync.peer.SendSession;
import postroad.sync.peer.SessionEnd;
import postroad.sync.peer.SessionIds;
import postroad.wire.Link;
import postroad.wire.LinkFacts;
import postroad.wire.Links;

/// One `send`: a session, and further ones while the connection keeps breaking and there is progress.
///
/// Runs on the thread that calls [#to]; [#stop] may come from any.
final class Sending {
    private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

    private final SendSource source;
    private final SyncSettings settings;
    private final SessionOptions options;
    private final Trust trust;
    private final SyncProgress progress;
    private final SyncTeller teller;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final ChunkMemory memory = new NoMemory();

    private SendSession running;
    private LinkFacts facts = LinkFacts.NONE;
    private String fingerprint = "";
    private long wireSent;
    private long wireReceived;
    private long unacknowledged;
    private int attempts;

    Sending(SendSource source, SyncSettings settings, Trust trust, Console console, SyncProgress progress) {
        this.source = source;
        this.settings = settings;
        this.options = source.adapted(settings.session());
        this.trust = trust;
        this.progress = progress;
        this.teller = new SyncTeller(progress, settings.json() ? console.err() : console.out(), settings.itemize());
    }

    /// Ends what runs, and says so to the receiver.
    void stop() {
        stopped.countDown();
        SendSession session;
        synchronized (this) {
            session = running;
        }
        if (session != null) {
            session.stop(StopCode.INTERRUPTED, "the sender was stopped; what has arrived is kept for the next time");
        }
    }

    /// Sends to the receiver that listens at `peer`.
    ///
    /// @throws Failure if there is no session at all
    SyncReport to(Endpoint peer) throws IOException, InterruptedException {
        long begun = System.nanoTime();
        long giveUp = begun;
        Duration pause = FIRST_PAUSE;
        while (true) {
            Meter meter = new Meter();
            SessionEnd end = attempt(peer, meter);
            wireSent += meter.linkSent();
            wireReceived += meter.linkReceived();
            long now = System.nanoTime();
            if (meter.contentBytes() > 0 || meter.settledFiles() > 0 || attempts == 1 && meter.entries() > 0) {
                giveUp = now + settings.retry().toNanos();
                pause = FIRST_PAUSE;
            }
            if (!mayPass(end) || now >= giveUp || stopped.getCount() == 0) {
                return report(end, peer.toString(), (now - begun) / 1e9, resent(end));
            }
            unacknowledged += Math.max(0, meter.contentBytes() - meter.settledBytes());
            progress.pause();
            progress.say(text(end) + "; trying again for " + Amounts.duration((giveUp - now) / 1_000_000_000));
            if (stopped.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
                return report(end, peer.toString(), (now - begun) / 1e9, 0);
            }
            pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
            teller.forgetFailures();
        }
    }

    /// Whether another try may help: the connection broke, or the receiver has not noticed yet that the last one did.
    private boolean mayPass(SessionEnd end) {
        return switch (end) {
            case SessionEnd.Broken broken -> true;
            case SessionEnd.Stopped(StopCode code, String text) ->
                attempts > 1 && code == StopCode.BUSY || code == StopCode.TIMEOUT;
            case SessionEnd.Done done -> false;
            case SessionEnd.Fault fault -> false;
        };
    }

    private static String text(SessionEnd end) {
        return switch (end) {
            case SessionEnd.Broken(String text) -> "the connection broke: " + text;
            case SessionEnd.Stopped(StopCode code, String text) -> text;
            case SessionEnd.Done done -> "done";
            case SessionEnd.Fault(Throwable cause) -> String.valueOf(cause.getMessage());
        };
    }

    private SessionEnd attempt(Endpoint peer, Meter meter) throws IOException, InterruptedException {
        attempts++;
        progress.begin(meter, "connecting to " + peer);
        // The walk begins while the connection is being made.
        try (AheadNames names = new AheadNames(source.names(options))) {
            Link first;
            try {
                first = dial(peer);
            } catch (IOException e) {
                if (attempts == 1) {
                    throw e;
                }
                return SessionEnd.broken(e);
            }
            try (first) {
                trust.check(first);
                return session(peer, first, names, meter);
            }
        }
    }

    private Link dial(Endpoint peer) throws IOException {
        return Links.dial(peer.host(), peer.port(), trust.identity(), settings.links());
    }

    private SessionEnd session(Endpoint peer, Link first, AheadNames names, Meter meter) throws InterruptedException {
        SendSession session = new SendSession(
                source.tree(), names, memory, options, settings.tuning(), teller, meter, SessionIds.draw());
        synchronized (this) {
            running = session;
        }
        if (stopped.getCount() == 0) {
            stop();
        }
        if (!options.dryRun()) {
            Joining.open(session.id(), options.parallel(), () -> dial(peer), session::join, progress::say);
        }
        facts = first.facts();
        fingerprint = first.peerFingerprint().map(Object::toString).orElse("");
        return session.run(first, trust.proof());
    }

    /// What went over connections that broke, and was neither acknowledged then nor found at the receiver later.
    private long resent(SessionEnd end) {
        return end instanceof SessionEnd.Done(var summary) ? Math.max(0, unacknowledged - summary.reused()) : 0;
    }

    private SyncReport report(SessionEnd end, String peer, double seconds, long resent) {
        SessionOptions held = teller.agreed().orElse(options);
        return new SyncReport(
                "send",
                end,
                held.dryRun(),
                peer,
                fingerprint.isEmpty() ? Optional.empty() : Optional.of(fingerprint),
                facts,
                held.parallel(),
                wireSent,
                wireReceived,
                resent,
                attempts,
                seconds,
                teller.problems(),
                teller.failed());
    }
}
