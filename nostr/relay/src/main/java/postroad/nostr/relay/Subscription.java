package postroad.nostr.relay;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import postroad.nostr.core.Filter;
import postroad.nostr.core.Query;
import postroad.nostr.core.RelayMessages;
import postroad.nostr.core.TagCondition;
import postroad.nostr.core.TagValue;
import postroad.nostr.core.Viewer;

/// One open subscription: its filters, how far the live side has come, and its stored part while that runs.
///
/// The sequence number decides what is whose: the stored part gives what is at or below its watermark, the
/// live side what is above. While the stored part runs, the live side gives nothing; only ephemeral events,
/// of which nothing is stored, wait here, a bounded number of them. Owned by the connection's loop.
final class Subscription {
    /// What a subscription takes on the heap, and each value of its filters with its place in the live index, as
    /// measured; text of values comes on top.
    private static final int BYTES = 1 << 10;

    private static final int BYTES_PER_VALUE = 320;

    private static final int MOST_HELD = 256;
    private static final int MOST_HELD_BYTES = 256 << 10;

    private final Requests requests;
    private final String id;
    private final byte[] prefix;
    private final List<Filter> filters;
    private final int values;
    private final long bytes;
    private Query query;
    private Optional<LiveIndex.Places<Subscription>> places = Optional.empty();
    private Optional<StoredPart> storedPart = Optional.empty();
    private long liveAfter = Long.MAX_VALUE;
    private long lookedAt = -1;
    private boolean ended;

    private final ArrayDeque<LiveEvent> held = new ArrayDeque<>(0);
    private int heldBytes;

    Subscription(Requests requests, String id, List<Filter> filters, Viewer viewer) {
        this.requests = requests;
        this.id = id;
        this.prefix = RelayMessages.eventPrefix(id);
        this.filters = filters;
        this.values = QueryPolicy.values(filters);
        this.bytes = bytes(filters);
        this.query = new Query(filters, viewer);
    }

    /// Whose it is.
    Requests requests() {
        return requests;
    }

    String id() {
        return id;
    }

    /// What stands before an event's JSON.
    byte[] prefix() {
        return prefix;
    }

    List<Filter> filters() {
        return filters;
    }

    Query query() {
        return query;
    }

    /// How many values the filters' lists have.
    int values() {
        return values;
    }

    /// What it takes on the heap, nearly.
    long bytes() {
        return bytes;
    }

    /// What it takes on the heap to be asked for `filters`, nearly.
    static long bytes(List<Filter> filters) {
        return BYTES + (long) BYTES_PER_VALUE * QueryPolicy.values(filters) + textBytes(filters);
    }

    private static long textBytes(List<Filter> filters) {
        long bytes = 0;
        for (Filter filter : filters) {
            for (TagCondition tag : filter.tags()) {
                for (TagValue value : tag.values()) {
                    bytes += value.length();
                }
            }
        }
        return bytes;
    }

    /// Registers with the live index, before the first look into the store.
    void register(LiveIndex<Subscription> index) {
        places = Optional.of(index.add(this, filters));
    }

    /// The keys of the connection have changed.
    void seenBy(Viewer viewer) {
        query = new Query(filters, viewer);
    }

    /// Goes on with a stored part that exceeds the loop's budget.
    void continueWith(StoredPart part) {
        storedPart = Optional.of(part);
    }

    /// The stored part is done; live events above `sequence` are the next.
    void goLive(long sequence) {
        storedPart = Optional.empty();
        liveAfter = sequence;
        while (!held.isEmpty()) {
            try (LiveEvent event = held.removeFirst()) {
                requests.sendLive(this, event);
            }
        }
        heldBytes = 0;
    }

    /// Gives a live event to the client, if it is for it and was not given by the stored part.
    void offer(LiveEvent event, long now) {
        // Several filters may have found the same event.
        if (lookedAt == event.sequence()) {
            return;
        }
        lookedAt = event.sequence();
        boolean isLive = event.isEphemeral() || event.sequence() > liveAfter;
        if (!isLive || !query.matches(event.packed(), 0, now)) {
            return;
        }
        if (storedPart.isPresent()) {
            hold(event);
        } else {
            requests.sendLive(this, event);
        }
    }

    /// Ends the subscription.
    void end(LiveIndex<Subscription> index) {
        ended = true;
        places.ifPresent(index::remove);
        places = Optional.empty();
        storedPart.ifPresent(StoredPart::cancel);
        storedPart = Optional.empty();
        held.clear();
    }

    boolean hasEnded() {
        return ended;
    }

    private void hold(LiveEvent event) {
        // Its own copy: the batch's shared bytes are given up when the batch is through.
        held.addLast(new LiveEvent(
                event.event(), event.sequence(), true, requests.loop().tails()));
        heldBytes += event.packedLength();
        while (held.size() > MOST_HELD || heldBytes > MOST_HELD_BYTES) {
            heldBytes -= held.removeFirst().packedLength();
            requests.ephemeralDropped();
        }
    }
}
