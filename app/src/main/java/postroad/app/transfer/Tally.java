package postroad.app.transfer;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import postroad.nostr.store.WriteOutcome;

/// Counts what becomes of the lines. Owned by the importing thread.
final class Tally {
    /// Reasons kept apart; what comes beyond is counted under one.
    private static final int MAX_REASONS = 40;

    private static final String OTHER = "other reasons";

    private final Map<String, ImportSummary.Refused> refused = new LinkedHashMap<>();
    private long lines;
    private long stored;
    private long ephemeral;
    private long duplicate;
    private long replaced;
    private long deleted;
    private long vanished;
    private long expired;

    void lines(long count) {
        lines += count;
    }

    void refuse(String reason, String where) {
        String known = refused.containsKey(reason) || refused.size() < MAX_REASONS ? reason : OTHER;
        refused.merge(
                known,
                new ImportSummary.Refused(1, where),
                (old, one) -> new ImportSummary.Refused(old.count() + 1, old.first()));
    }

    /// Counts the outcomes of a batch.
    ///
    /// @throws ImportFailure when the store could not write
    void outcomes(List<WriteOutcome> outcomes) throws ImportFailure {
        String failure = "";
        for (WriteOutcome outcome : outcomes) {
            switch (outcome) {
                case WriteOutcome.Stored one -> stored++;
                case WriteOutcome.Ephemeral one -> ephemeral++;
                case WriteOutcome.Duplicate one -> duplicate++;
                case WriteOutcome.Superseded one -> replaced++;
                case WriteOutcome.Deleted one -> deleted++;
                case WriteOutcome.Vanished one -> vanished++;
                case WriteOutcome.Expired one -> expired++;
                case WriteOutcome.Failed(String reason) -> failure = reason;
            }
        }
        if (!failure.isEmpty()) {
            throw new ImportFailure("the store takes no more: " + failure, summary());
        }
    }

    ImportSummary summary() {
        return new ImportSummary(lines, stored, ephemeral, duplicate, replaced, deleted, vanished, expired, refused);
    }
}
