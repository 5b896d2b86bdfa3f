package postroad.sync.peer;

import java.time.Duration;
import java.util.Optional;
import postroad.wire.Fingerprint;
import postroad.wire.Link;

/// The one seat at a host: a session has it until it is over. Thread-safe.
///
/// A peer that comes while its own session has the seat may have lost the connection before this side noticed. That
/// session is asked for a sign of life then; when none comes, it makes way. Only a certificate shows that it is the
/// same
/// peer: an address proves nothing, so on links without one whoever comes second is told to wait.
final class Seat {
    /// A session that has the seat.
    interface Sitter {
        /// Whether its peer says anything within so much time; it is asked to.
        boolean answers(Duration within) throws InterruptedException;

        /// Has it end soon, as one whose connection broke.
        void makeWay(String why);
    }

    /// How long a peer has to show that it is there: a few round trips of the slowest links.
    private static final Duration SIGN = Duration.ofSeconds(5);
    /// How long a session may take to commit what is complete.
    private static final Duration LEAVING = Duration.ofSeconds(60);

    private final String side;
    private final Duration sign;
    private String taker = "";
    private Optional<Fingerprint> peer = Optional.empty();
    private Optional<Sitter> sitter = Optional.empty();
    private boolean asking;
    private boolean closed;

    /// @param side whose it is, for people
    Seat(String side) {
        this(side, SIGN);
    }

    Seat(String side, Duration sign) {
        this.side = side;
        this.sign = sign;
    }

    /// Takes the seat for the peer at the other end of `link`; gives why it cannot have it. Waits when its own earlier
    /// session has it, for one such peer at a time.
    Optional<String> claim(Link link) throws InterruptedException {
        Sitter earlier;
        synchronized (this) {
            if (closed || taker.isEmpty() || asking || sitter.isEmpty() || !isSamePeer(link)) {
                return take(link);
            }
            asking = true;
            earlier = sitter.get();
        }
        try {
            if (!earlier.answers(sign)) {
                earlier.makeWay("nothing came from it for " + sign.toSeconds() + " s, and the same peer began anew");
                awaitLeft(earlier);
            }
        } finally {
            synchronized (this) {
                asking = false;
            }
        }
        return take(link);
    }

    private boolean isSamePeer(Link link) {
        return peer.isPresent() && peer.equals(link.peerFingerprint());
    }

    private synchronized Optional<String> take(Link link) {
        if (closed) {
            return Optional.of("the " + side + " is stopping");
        }
        if (!taker.isEmpty()) {
            return Optional.of("another session is under way, with " + taker + "; try again when it is over");
        }
        taker = link.peer();
        peer = link.peerFingerprint();
        return Optional.empty();
    }

    private synchronized void awaitLeft(Sitter earlier) throws InterruptedException {
        long until = System.nanoTime() + LEAVING.toNanos();
        while (!closed && sitter.filter(earlier::equals).isPresent()) {
            long left = (until - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                return;
            }
            wait(left);
        }
    }

    /// Whoever took it has its session now.
    synchronized void sits(Sitter session) {
        sitter = Optional.of(session);
    }

    /// The session is over.
    synchronized void leave() {
        taker = "";
        peer = Optional.empty();
        sitter = Optional.empty();
        notifyAll();
    }

    /// Nobody takes it any more.
    synchronized void close() {
        closed = true;
        notifyAll();
    }
}
