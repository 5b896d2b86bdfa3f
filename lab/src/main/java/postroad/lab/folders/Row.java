package postroad.lab.folders;

/// What is measured once in every round.
///
/// @param program how the contender is called
record Row(Ground ground, Line line, String program, Scene scene) {}
