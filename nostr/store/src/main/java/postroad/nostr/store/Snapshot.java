package postroad.nostr.store;

import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import postroad.nostr.core.EventId;
import postroad.nostr.core.Query;

/// A consistent view of the store, held for about a millisecond, or for one count: an old one keeps
/// free pages from being used again.
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

    /// How many events match, exactly, and whatever limits the filters have: a count is of everything
    /// that matches, not of what a page would hold, so a filter with a limit of 0 counts too.
    ///
    /// @param maxExamined most index entries to look at
    /// @param mayGoOn asked about every millisecond whether to go on
    /// @return empty when there is more to look at than `maxExamined`, or it may not go on
    OptionalLong count(Query query, long now, long maxExamined, BooleanSupplier mayGoOn);

    /// Ends the view.
    @Override
    void close();
}
