package postroad.app.transfer;

import postroad.nostr.core.EventLimits;

/// How lines are imported.
///
/// @param verify whether signatures are checked; false takes the operator's word for them
/// @param futureSeconds how far `created_at` may lie ahead; 0 for no bound
/// @param event bounds of one event
/// @param maxLineBytes longest line looked at
/// @param verifiers threads that parse and verify
/// @param batch most events of one write
public record ImportOptions(
        boolean verify, long futureSeconds, EventLimits event, int maxLineBytes, int verifiers, int batch) {
    /// What a store can hold, checked on all cores.
    public static ImportOptions of(boolean verify, long futureSeconds) {
        int cores = Runtime.getRuntime().availableProcessors();
        return new ImportOptions(verify, futureSeconds, EventLimits.HARD, 32 << 20, cores, 2000);
    }
}
