package postroad.sync.folder;

/// What became of one name.
public sealed interface Result {
    /// It is as it was asked for.
    ///
    /// @param replaced whether something had the name before
    /// @param removed how many names went for it: a folder in a file's place and all in it, or what was deleted
    record Done(boolean replaced, long removed) implements Result {}

    /// It is as it was before.
    ///
    /// @param why in plain words, without the name
    record Refused(Reason reason, String why) implements Result {}
}
