package postroad.nostr.relay;

import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import postroad.nostr.core.KindClass;
import postroad.nostr.core.PackedEvent;
import postroad.nostr.core.Prefix;
import postroad.nostr.core.Query;
import postroad.nostr.store.Scan;
import postroad.nostr.store.Snapshot;
import postroad.nostr.store.StoreException;
import postroad.nostr.store.StoreReader;

/// The stored part of a subscription that did not fit into the loop's budget.
///
/// It goes back and forth: a worker reads a slice into a buffer, the loop sends the buffer and decides how
/// to go on. First come the rows of the scan; then, after EOSE, what was written since the scan's first
/// snapshot, read again by its sequence numbers until the gap is so small that the loop closes it itself.
/// Owned by the worker during a turn, by the loop otherwise.
final class StoredPart implements Workers.Job {
    /// The answer when the store fails.
    static final String UNREADABLE = Prefix.ERROR.with("the store cannot be read");

    private static final System.Logger LOG = System.getLogger(StoredPart.class.getName());

    private static final int REPLAY_BYTES = 64 << 10;
    private static final int REPLAY_EVENTS = 2_000;
    private static final int LAST_EVENTS = 100;

    private final Subscription subscription;
    private final Scan scan;
    private final Query query;
    private final long maxExamined;
    private final FrameBuffer frames;

    private boolean rowsDone;
    private long replayed;
    private Optional<String> failure = Optional.empty();
    private boolean eoseSent;
    private int looked;
    private volatile boolean cancelled;

    StoredPart(Subscription subscription, Scan scan, long maxExamined, FrameBuffer frames) {
        this.subscription = subscription;
        this.scan = scan;
        this.query = subscription.query();
        this.maxExamined = maxExamined;
        this.frames = frames;
    }

    Subscription subscription() {
        return subscription;
    }

    /// Nobody waits for the rest.
    void cancel() {
        cancelled = true;
    }

    boolean isCancelled() {
        return cancelled;
    }

    @Override
    public void turn(StoreReader reader, Deflating deflating) {
        if (!cancelled) {
            try (Snapshot snapshot = reader.open()) {
                if (rowsDone) {
                    replay(snapshot, deflating);
                } else {
                    rowsDone = runSlice(snapshot, deflating);
                }
            } catch (OutOfMemoryError e) {
                // Direct memory, which others hold; the heap's own end would have ended the process.
                frames.discard();
                failure = Optional.of(Prefix.ERROR.with("no memory is left for the answer; try again later"));
            } catch (RuntimeException | Error e) {
                note(e);
                failure = Optional.of(UNREADABLE);
            }
        }
        Requests requests = subscription.requests();
        if (!requests.loop().execute(() -> requests.turnDone(this))) {
            frames.discard();
        }
    }

    /// A store that is closed or broken has said so already; anything else is a bug, which costs one request.
    static void note(Throwable failure) {
        if (!(failure instanceof StoreException)) {
            LOG.log(Level.ERROR, "a read of the store failed", failure);
        }
    }

    private boolean runSlice(Snapshot snapshot, Deflating deflating) {
        byte[] prefix = subscription.prefix();
        long now = subscription.requests().now();
        boolean done = snapshot.run(scan, now, subscription.requests().slice(), (base, at, length, sequence) -> {
            frames.event(prefix, base, at, length, deflating);
            return !cancelled;
        });
        replayed = scan.watermark();
        return done;
    }

    private void replay(Snapshot snapshot, Deflating deflating) {
        looked = 0;
        long now = subscription.requests().now();
        replayed = snapshot.replay(replayed, snapshot.sequence(), (base, at, length, sequence) -> {
            if (isMissing(base, at, sequence, now)) {
                frames.event(subscription.prefix(), base, at, length, deflating);
            }
            return ++looked < REPLAY_EVENTS && frames.bytes() < REPLAY_BYTES && !cancelled;
        });
    }

    /// On the loop: closes the gap up to `snapshot`, if it is small; whether it did.
    boolean closeGap(Snapshot snapshot, Outbox outbox) {
        looked = 0;
        long now = subscription.requests().now();
        Query current = subscription.query();
        long until = snapshot.sequence();
        long before = outbox.bytes();
        replayed = snapshot.replay(replayed, until, (base, at, length, sequence) -> {
            if (!isHandedOver(base, at, sequence) && current.matches(base, at, now)) {
                outbox.event(subscription.prefix(), base, at, length);
            }
            return ++looked < LAST_EVENTS && outbox.bytes() < before + REPLAY_BYTES;
        });
        return replayed >= until;
    }

    private boolean isMissing(MemorySegment base, long at, long sequence, long now) {
        return !isHandedOver(base, at, sequence) && query.matches(base, at, now);
    }

    /// Whether the scan gave the event as a replacement of one it might have missed.
    private boolean isHandedOver(MemorySegment base, long at, long sequence) {
        return sequence <= scan.replacedUpTo()
                && KindClass.of(PackedEvent.kind(base, at)).supersedes();
    }

    /// What the last turn built.
    FrameBuffer frames() {
        return frames;
    }

    Scan scan() {
        return scan;
    }

    /// Whether all rows were read; what follows is the replay.
    boolean rowsAreDone() {
        return rowsDone;
    }

    /// Whether this is the first time that is asked, so that one EOSE is sent.
    boolean takeEose() {
        boolean first = !eoseSent;
        eoseSent = true;
        return first;
    }

    /// Up to which sequence number everything was given.
    long replayed() {
        return replayed;
    }

    /// Whether the store failed, or the scan went too far; the text of the CLOSED.
    Optional<String> failure() {
        return failure.isPresent() ? failure : tooMuch(scan, maxExamined);
    }

    /// The refusal of a scan that looked at more index entries than it may.
    static Optional<String> tooMuch(Scan scan, long maxExamined) {
        return scan.examined() <= maxExamined
                ? Optional.empty()
                : Optional.of(Prefix.BLOCKED.with(
                        "the request looks at more than " + maxExamined + " index entries; narrow its filters"));
    }
}
