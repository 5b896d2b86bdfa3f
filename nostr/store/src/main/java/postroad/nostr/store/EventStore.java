package postroad.nostr.store;

import java.nio.file.Path;
import java.util.List;
import postroad.nostr.core.Query;
import postroad.nostr.core.VerifiedEvent;

/// Keeps events by the rules of NIP-01, 09, 40 and 62. Every implementation passes the same suite.
///
/// [#write], [#removeExpired] and [#close] belong to one thread at a time, the writer; the rest may be called from any.
public interface EventStore extends AutoCloseable {
    /// Stores a batch as one transaction with one sync; returns after it is durable.
    ///
    /// Events take effect in the order given. Each accepted event gets the next sequence number, ephemeral
    /// ones too, though nothing is kept of them. When the transaction as a whole fails, nothing of the batch is
    /// stored and every outcome is [WriteOutcome.Failed]; a full disk ends so and passes when there is room again.
    ///
    /// @param now the time in seconds, for expirations
    WriteResult write(List<VerifiedEvent> batch, long now);

    /// Removes up to `max` events whose expiration is at or before `now` (seconds); returns how many were removed.
    int removeExpired(long now, int max);

    /// A reader for one thread; close it before the store.
    StoreReader reader();

    /// Plans a query. Filters without a limit are answered whole: clamp limits before.
    Scan plan(Query query);

    /// The last sequence number published by a write; 0 for an empty store.
    long sequence();

    /// Figures for the operator.
    StoreInfo info();

    /// Copies the store as of one moment into `directory`, which must be absent or empty, while it goes on serving.
    ///
    /// @return the sequence number that the copy holds
    /// @throws StoreException if the directory is in use, or the copy failed; a failed copy leaves nothing behind
    long backup(Path directory);

    /// Ends reads and writes, waits for those under way, and closes the files.
    @Override
    void close();
}
