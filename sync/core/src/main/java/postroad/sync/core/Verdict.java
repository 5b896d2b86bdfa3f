package postroad.sync.core;

/// What an entry of the sender asks of the receiver. `changes` are bits of [Outcome]: what is known to
/// change.
public sealed interface Verdict {
    /// Nothing.
    record UpToDate() implements Verdict {}

    /// Its time or mode or both are set; the content stays.
    record Metadata(int changes) implements Verdict {}

    /// A folder or link is made from the entry alone.
    record Make(int changes) implements Verdict {}

    /// A file's whole content is needed.
    record Whole(int changes) implements Verdict {}

    /// A file's recipe is needed: parts of it may be here. When all are, its content may not change at
    /// all.
    record WantRecipe(int changes) implements Verdict {}

    /// Something is in its way that may not be removed.
    ///
    /// @param text for people
    record KindConflict(String text) implements Verdict {}
}
