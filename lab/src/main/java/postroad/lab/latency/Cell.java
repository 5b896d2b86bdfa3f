package postroad.lab.latency;

import java.util.Optional;
import postroad.lab.sync.TreeState;

/// One kind of session that is measured again in every round.
///
/// @param inFlight files under way at a time; empty for the default
/// @param rttMillis 0 for a wire that takes no time
record Cell(TreeState state, Optional<Integer> inFlight, int parallel, int rttMillis) {
    Cell atRtt(int millis) {
        return new Cell(state, inFlight, parallel, millis);
    }

    /// Of which group of rows it is: those that differ in K and round trip only.
    String group() {
        return state.word() + ", in flight "
                + inFlight.map(count -> count == 1 ? "1 (lock-step)" : count.toString())
                        .orElse("default");
    }
}
