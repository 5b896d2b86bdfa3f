package postroad.lab.folders;

import postroad.lab.sync.TreeState;

/// What is measured once in every round.
///
/// @param program how the contender is called
record Row(Ground ground, Line line, String program, TreeState scene) {
    /// What all scenes of one program on one ground and line have in common.
    Series series() {
        return new Series(ground, line, program);
    }

    record Series(Ground ground, Line line, String program) {}
}
