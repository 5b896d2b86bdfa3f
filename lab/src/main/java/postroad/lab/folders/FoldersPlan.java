package postroad.lab.folders;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import postroad.lab.sync.TreeShape;
import postroad.lab.sync.TreeState;

/// What `bench folders` is to run.
///
/// @param program the command that takes Postroad's verbs
/// @param wanlink the script that makes links between network namespaces; empty for the loopback
/// @param lines the links, each with its own table
/// @param peers other programs by their names
/// @param parallel connections of those programs that can have several
/// @param grounds where the trees lie
/// @param shape of the tree that is made
/// @param fixture a given tree; empty to make one
/// @param limit how long one program may take for one tree
public record FoldersPlan(
        List<String> program,
        Optional<Path> wanlink,
        List<Line> lines,
        List<String> peers,
        List<Integer> parallel,
        List<TreeState> scenes,
        List<Ground> grounds,
        int rounds,
        long seed,
        int files,
        TreeShape shape,
        Optional<Path> fixture,
        Duration limit) {}
