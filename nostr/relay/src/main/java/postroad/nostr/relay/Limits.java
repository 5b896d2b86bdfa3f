package postroad.nostr.relay;

import postroad.nostr.core.EventLimits;

/// What the relay bounds. Sizes in bytes, times in seconds, the rest are counts. All but the pause of the
/// outbox are stated in the NIP-11 document, and each refusal names the limit. What is bounded and cannot be set is
/// listed in `docs/operations.md`.
///
/// @param messageBytes longest WebSocket message, after inflating
/// @param event bounds of one event
/// @param filters most filters in one REQ or COUNT
/// @param filterValues most values over all lists of one filter
/// @param subscriptions most open subscriptions of a connection
/// @param subscriptionIdLength longest subscription id, in characters
/// @param defaultLimit rows per filter without a `limit`
/// @param maxLimit most rows per filter
/// @param scanEntries most index entries one REQ or COUNT may look at
/// @param outboxBytes what may wait for a slow reader before it is cut
/// @param outboxPauseBytes what may wait before its scans pause
/// @param ingestBytes events in flight of one connection before its socket is read no further
/// @param connections most open connections
/// @param connectionsPerAddress most open connections of one address (IPv6: one /64)
/// @param futureSeconds how far `created_at` may lie ahead; 0 for no bound
/// @param pastSeconds how far `created_at` may lie back; 0 for no bound
/// @param eventsPerSecond most EVENTs a second of one address, averaged; 0 for no bound
/// @param requestsPerSecond most REQs and COUNTs a second of one connection, averaged; 0 for no bound
public record Limits(
        int messageBytes,
        EventLimits event,
        int filters,
        int filterValues,
        int subscriptions,
        int subscriptionIdLength,
        int defaultLimit,
        int maxLimit,
        long scanEntries,
        int outboxBytes,
        int outboxPauseBytes,
        int ingestBytes,
        int connections,
        int connectionsPerAddress,
        long futureSeconds,
        long pastSeconds,
        int eventsPerSecond,
        int requestsPerSecond) {
    /// What stands around an event in the message that publishes it: `["EVENT",` and `]`.
    public static final int ENVELOPE_BYTES = 10;

    /// What an event without tags has beside its content, and a little more.
    public static final int AROUND_CONTENT_BYTES = 352;

    /// Refuses what cannot be enforced.
    public Limits {
        // What is stated must be possible: the largest event fits into a message, the longest content into an event.
        requireAtLeast("message", messageBytes, event.maxBytes() + (long) ENVELOPE_BYTES);
        requireAtLeast("event", event.maxBytes(), event.maxContentBytes() + (long) AROUND_CONTENT_BYTES);
        requireAtLeast("filters", filters, 1);
        requireAtLeast("filter values", filterValues, 1);
        requireAtLeast("subscriptions", subscriptions, 1);
        requireAtLeast("subscription id", subscriptionIdLength, 1);
        requireAtLeast("maximum limit", maxLimit, 1);
        requireAtLeast("default limit", defaultLimit, 1);
        requireAtLeast("scan entries", scanEntries, 1);
        requireAtLeast("outbox pause", outboxPauseBytes, 1);
        requireAtLeast("outbox", outboxBytes, outboxPauseBytes);
        requireAtLeast("ingest", ingestBytes, 1);
        requireAtLeast("connections", connections, 1);
        requireAtLeast("connections per address", connectionsPerAddress, 1);
        requireAtLeast("future", futureSeconds, 0);
        requireAtLeast("past", pastSeconds, 0);
        requireAtLeast("events per second", eventsPerSecond, 0);
        requireAtLeast("requests per second", requestsPerSecond, 0);
        if (defaultLimit > maxLimit) {
            throw new IllegalArgumentException(
                    "the default limit, " + defaultLimit + ", is above the maximum limit, " + maxLimit);
        }
    }

    private static void requireAtLeast(String what, long value, long least) {
        if (value < least) {
            throw new IllegalArgumentException(
                    "the limit of " + what + " is " + value + ", but must be at least " + least);
        }
    }

    /// What a relay of one's own wants: a follow list of 12,000 fits into one event. Message, event and content are
    /// twice as large each as what they hold, so that what a client escapes or spaces without need fits too.
    public static final Limits DEFAULT = new Limits(
            4 << 20,
            new EventLimits(2 << 20, 20_000, 64 << 10, 1 << 20),
            20,
            5_000,
            64,
            64,
            500,
            5_000,
            5_000_000,
            16 << 20,
            1 << 20,
            8 << 20,
            20_000,
            200,
            900,
            0,
            0,
            0);
}
