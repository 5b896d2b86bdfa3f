package postroad.sync.peer;

import postroad.sync.core.FailureCode;
import postroad.sync.core.FileEnd;
import postroad.sync.core.Frame;
import postroad.sync.core.Recipe;
import postroad.sync.core.StopCode;

/// What happens to a sender.
sealed interface SenderEvent {
    /// A frame came over a link.
    record Received(int link, Frame frame, int length) implements SenderEvent {}

    /// A link is no more.
    record LinkEnded(int link, Exception cause) implements SenderEvent {}

    /// The tree is walked.
    ///
    /// @param complete whether all of it could be read
    record ScanEnded(int entries, boolean complete) implements SenderEvent {}

    /// A name of the tree could not be read while it was walked.
    record ScanFault(String path, FailureCode code, String text) implements SenderEvent {}

    /// A name is of a kind that is never sent.
    record Skipped(String path, String why) implements SenderEvent {}

    /// A file is described.
    record Described(long id, int attempt, Recipe recipe, FileEnd end) implements SenderEvent {}

    /// A file cannot be sent; `again` when it changed under our hands and may be tried once more.
    record WorkFailed(long id, int attempt, FailureCode code, String text, boolean again) implements SenderEvent {}

    /// Something of ours broke; the session cannot go on.
    record Broken(Throwable cause) implements SenderEvent {}

    /// Somebody here wants the session to end.
    record StopAsked(StopCode code, String text) implements SenderEvent {}
}
