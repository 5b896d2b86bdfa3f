package postroad.sync.peer;

import java.util.function.Consumer;
import postroad.sync.core.Entry;
import postroad.sync.core.FailureCode;
import postroad.sync.core.FileVersion;
import postroad.sync.folder.StagedFile;
import postroad.sync.folder.TreeException;

/// Where a file goes when nothing of it is missing any more: to the committer, or to its failure.
final class Settlement {
    private final Incoming.Stager stager;
    private final Committer committer;
    private final Consumer<ReceiverEvent> inbox;

    Settlement(Incoming.Stager stager, Committer committer, Consumer<ReceiverEvent> inbox) {
        this.stager = stager;
        this.committer = committer;
        this.inbox = inbox;
    }

    /// A piece was settled.
    void settled(Incoming file, Incoming.Verdict verdict) {
        switch (verdict) {
            case Incoming.Verdict.Open() -> {}
            case Incoming.Verdict.Complete complete -> seal(file, complete);
            case Incoming.Verdict.Wrong() ->
                failed(file, FailureCode.CONTENT, "what arrived is not what was sent: its hash differs");
        }
    }

    /// Gives the file its size, times and mode while others still work; the barrier comes in the group.
    private void seal(Incoming file, Incoming.Verdict.Complete complete) {
        FileVersion version = complete.version();
        StagedFile staged = complete.file();
        try {
            if (version.size() != file.entry().size()) {
                // Room was made for the size that was announced.
                staged.file().truncate(version.size());
            }
            staged.seal(version.seconds(), version.nanos(), version.mode());
            committer.add(new Committer.Item.Content(file, complete));
        } catch (TreeException e) {
            stager.discard(staged);
            failed(file, Failures.whenWriting(e.reason()), e.why());
        }
    }

    /// The file's content is here already, in its place.
    void unchanged(Incoming file, Incoming.Described described) {
        if (file.closeUnchanged(described.attempt())) {
            FileVersion version = described.version();
            Entry entry = file.entry();
            committer.add(new Committer.Item.Apply(
                    file.id(),
                    new Entry(
                            entry.path(),
                            entry.kind(),
                            version.size(),
                            version.seconds(),
                            version.nanos(),
                            version.mode(),
                            entry.target()),
                    file.changes()));
        }
    }

    /// Nothing will come of the file.
    void failed(Incoming file, FailureCode code, String text) {
        file.drop();
        inbox.accept(
                new ReceiverEvent.EntryFailed(file.id(), file.entry().path().toString(), code, text));
    }
}
