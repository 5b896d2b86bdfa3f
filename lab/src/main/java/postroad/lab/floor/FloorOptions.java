package postroad.lab.floor;

import java.nio.file.Path;
import java.util.List;

/// What a run is told.
///
/// @param corpora the folder in which corpora are kept between runs
/// @param peers URLs of running relays to measure beside ours; each gets the corpus
/// @param quick whether so little is measured that only its working is shown
public record FloorOptions(int events, long seed, Path corpora, List<String> peers, boolean quick) {
    private static final long MILLI = 1_000_000;

    /// Copies the list.
    public FloorOptions {
        peers = List.copyOf(peers);
    }

    /// How much is measured.
    ///
    /// @param samples of a cell in a round; of a long answer a quarter
    /// @param nagled of a cell of which each takes 40 ms
    /// @param warmUpNanos of all stages together, before they are timed
    /// @param cellWarmUpNanos of each cell on the wire, before the first round
    /// @param loadNanos how long eight connections, and the disturbed ones, ask in a round
    /// @param few events one by one in a round
    record Scale(
            int rounds,
            int samples,
            int nagled,
            long warmUpNanos,
            long cellWarmUpNanos,
            int loadRounds,
            long loadNanos,
            int few,
            int subscribers,
            int burst) {}

    Scale scale() {
        return quick
                ? new Scale(2, 20, 2, MILLI * 200, MILLI * 50, 2, MILLI * 150, 10, 40, 20)
                : new Scale(16, 200, 5, MILLI * 6_000, MILLI * 1_000, 4, MILLI * 1_000, 100, 1_000, 100);
    }
}
