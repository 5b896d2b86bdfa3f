package postroad.nostr.store;

import java.util.OptionalLong;
import postroad.nostr.core.EventId;
import postroad.nostr.core.Query;

/// A consistent view of the store, held for about a millisecond: an old one keeps free pages from being used again.
public interface Snapshot extends AutoCloseable {
    /// The sequence number of the last write that this snapshot sees; [EventStore#sequence] may be ahead by numbers
    /// that only ephemeral events took.
    long sequence();

    /// Whether the event is stored.
    boolean contains(EventId id);

    /// Continues `scan` until it is done, the budget is used up, or the sink asks to pause.
    ///
    /// Before going on, a scan that began in an earlier snapshot hands over the matching replaceable and
    /// addressable events written since: each may have replaced a version that the scan had still to find.
    /// They count towards the limits; when a filter's limit is used up already, they are handed over all the same,
    /// because the live side leaves them out (see [Scan#replacedUpTo]).
    ///
    /// @param now the time in seconds, for expirations
    /// @return whether the scan is done
    boolean run(Scan scan, long now, Budget budget, RowSink sink);

    /// Hands over the stored events with `after < sequence <= until`, in the order of their sequence.
    ///
    /// @return the last sequence number looked at: `until`, or less when the sink asked to pause
    long replay(long after, long until, RowSink sink);

    /// How many events match, exactly; empty when more than `maxExamined` index entries would have to be looked at.
    OptionalLong count(Query query, long now, long maxExamined);

    /// Ends the view.
    @Override
    void close();
}
