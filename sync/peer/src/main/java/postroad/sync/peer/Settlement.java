package postroad.sync.peer;

import java.util.function.Consumer;
import postroad.sync.core.Entry;
import postroad.sync.core.FailureCode;
import postroad.sync.core.FileEnd;

/// Where a file goes when nothing of it is missing any more: to the committer, or to its failure.
final class Settlement {
    private final Committer committer;
    private final Consumer<ReceiverEvent> inbox;

    Settlement(Committer committer, Consumer<ReceiverEvent> inbox) {
        this.committer = committer;
        this.inbox = inbox;
    }

    /// A piece was settled.
    void settled(Incoming file, Incoming.Verdict verdict) {
        switch (verdict) {
            case Incoming.Verdict.Open() -> {}
            case Incoming.Verdict.Complete complete -> committer.add(new Committer.Item.Content(file, complete));
            case Incoming.Verdict.Wrong() ->
                failed(file, FailureCode.CONTENT, "what arrived is not what was sent: its hash differs");
        }
    }

    /// The file's content is here already, in its place.
    void unchanged(Incoming file, Incoming.Described described) {
        if (file.closeUnchanged(described.attempt())) {
            FileEnd end = described.end();
            Entry entry = file.entry();
            committer.add(new Committer.Item.Apply(
                    file.id(),
                    new Entry(
                            entry.path(),
                            entry.kind(),
                            end.size(),
                            end.seconds(),
                            end.nanos(),
                            end.mode(),
                            entry.target()),
                    file.changes()));
        }
    }

    /// Nothing will come of the file.
    void failed(Incoming file, FailureCode code, String text) {
        file.drop();
        inbox.accept(new ReceiverEvent.EntryFailed(
                file.id(), file.entry().path().toString(), code, text));
    }
}
