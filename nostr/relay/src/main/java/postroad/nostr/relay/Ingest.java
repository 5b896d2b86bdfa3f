package postroad.nostr.relay;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import postroad.nostr.core.VerifiedEvent;
import postroad.nostr.store.WriteResult;

/// The operator's way to write events into a running relay, past its policies but through its one writer,
/// so that live subscriptions see them.
public interface Ingest {
    /// Queues a batch behind what is already there; it is written as it is, in one transaction.
    ///
    /// The result comes when the batch is durable and handed to the live subscriptions; whoever waits for
    /// it bounds what is in flight. Ends with an [IllegalStateException] when the relay has stopped.
    CompletableFuture<WriteResult> submit(List<VerifiedEvent> events);
}
