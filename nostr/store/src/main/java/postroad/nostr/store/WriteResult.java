package postroad.nostr.store;

import java.util.List;

/// What became of a batch: one outcome for each event, in its order, and the sequence number after it.
public record WriteResult(List<WriteOutcome> outcomes, long sequence) {
    /// Copies the list.
    public WriteResult {
        outcomes = List.copyOf(outcomes);
    }
}
