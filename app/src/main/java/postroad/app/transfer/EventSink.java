package postroad.app.transfer;

import java.util.List;
import postroad.nostr.core.VerifiedEvent;
import postroad.nostr.store.WriteResult;

/// Where imported events go: a store, or a running node's one writer.
@FunctionalInterface
public interface EventSink {
    /// Writes a batch; returns when it is durable.
    WriteResult write(List<VerifiedEvent> batch) throws InterruptedException;
}
