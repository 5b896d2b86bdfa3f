package postroad.lab.latency;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import postroad.lab.sync.TreeShape;
import postroad.lab.sync.TreeState;
import postroad.wire.SimulatedLinks;

/// What `bench latency` is to run.
///
/// @param model how the wire delays bytes
/// @param tls whether TLS goes over the wire
/// @param rttMillis round trips, without the 0 that each round runs besides
/// @param inFlight for each group of rows: files under way at a time, empty for the default
/// @param fixture a given tree; empty to make one
/// @param shape of the tree that is made
/// @param bound bytes that each direction of a link holds
public record LatencyPlan(
        SimulatedLinks.Model model,
        boolean tls,
        List<Integer> parallel,
        List<Integer> rttMillis,
        List<Optional<Integer>> inFlight,
        List<TreeState> states,
        int rounds,
        long seed,
        int files,
        TreeShape shape,
        Optional<Path> fixture,
        Optional<Path> outDir,
        int bound,
        long bitsPerSecond,
        int jitterMillis) {}
