package postroad.sync.peer;

import java.util.List;
import postroad.sync.core.ChunkRange;
import postroad.sync.core.Deletion;
import postroad.sync.core.FailureCode;
import postroad.sync.core.Frame;
import postroad.sync.core.Outcome;
import postroad.sync.core.StopCode;
import postroad.sync.core.WantedFile;

/// What happens to a receiver.
sealed interface ReceiverEvent {
    /// A frame came over a link.
    record Received(int link, Frame frame, int length) implements ReceiverEvent {}

    /// A link is no more.
    record LinkEnded(int link, Exception cause) implements ReceiverEvent {}

    /// Entries were compared: these files are needed.
    record Wanted(List<WantedFile> files) implements ReceiverEvent {}

    /// A page of entries was compared; its room is free again.
    record PageCompared(int length) implements ReceiverEvent {}

    /// All entries were compared.
    ///
    /// @param upToDate how many needed nothing
    record Compared(long upToDate) implements ReceiverEvent {}

    /// Some of a file's chunks are nowhere here.
    record ChunksMissing(long id, int attempt, List<ChunkRange> ranges) implements ReceiverEvent {}

    /// These are in place and safe; wanted files among them are closed.
    record Committed(List<Outcome> outcomes) implements ReceiverEvent {}

    /// One entry failed here.
    record EntryFailed(long id, String path, FailureCode code, String text) implements ReceiverEvent {}

    /// The last step is done: folders have their times, deletions are over, everything is safe.
    record Finished(List<Outcome> outcomes, List<Deletion> deleted, boolean deletesSkipped) implements ReceiverEvent {}

    /// Something a person should know.
    record Note(String text) implements ReceiverEvent {}

    /// The target as a whole cannot be used.
    record TargetFailed(String text) implements ReceiverEvent {}

    /// Something of ours broke, or the peer broke the protocol in what was put aside for a worker.
    record Broken(Throwable cause) implements ReceiverEvent {}

    /// Somebody here wants the session to end.
    record StopAsked(StopCode code, String text) implements ReceiverEvent {}
}
