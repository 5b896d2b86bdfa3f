package postroad.sync.peer;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import postroad.sync.core.ChunkRange;
import postroad.sync.core.Deletion;
import postroad.sync.core.Entry;
import postroad.sync.core.FailureCode;
import postroad.sync.core.Frame;
import postroad.sync.core.Outcome;
import postroad.sync.core.ProtocolException;
import postroad.sync.core.StopCode;
import postroad.sync.core.WantedFile;
import postroad.sync.core.Window;

/// The receiver's side of a session as a machine, from the sender's Hello on: events in, effects out; no thread, file,
/// socket or clock of its own. Owned by the session's thread.
///
/// A file is open from the moment it is wanted until it is committed or has failed on either side. The session is over
/// when the sender's tree is compared to its end, no file is open, and the last step is done.
final class ReceiverMachine {
    /// Outcomes in one frame.
    private static final int PART = 4096;

    /// What the machine makes happen.
    interface Effects {
        /// Sends a frame behind all answers before it.
        void answer(Frame frame);

        /// Sends a frame before all others.
        void urgent(Frame frame);

        /// A frame was dealt with.
        void consumed(Window window, int bytes);

        /// Has a page of entries compared.
        void compare(EntryQueue.Item page);

        /// Has the end of the entries compared.
        void compareEnd(int length);

        /// Has chunks of a recipe looked for.
        void describe(Frame.RecipePart part, int length);

        /// The sender gave a file up.
        void giveUp(long id);

        /// A file is open no longer; another one may be.
        void closed(long id);

        /// A link other than the first is gone.
        void linkGone(int link);

        /// Has the last step done; `deletes` says whether deletions may be.
        void finish(boolean deletes);

        /// The session is over; what waits to be sent is sent first.
        void end(SessionEnd end);
    }

    private final Effects effects;
    private final SessionEvents events;
    private final Meter meter;
    private final EntryNames names;
    private final Set<Long> open = new HashSet<>();
    private long entries;
    private boolean entriesEnded;
    private boolean complete;
    private boolean compared;
    private boolean finishing;
    private boolean summarised;
    private Frame.Summary summary;
    private long upToDate;
    private long done;
    private long failed;
    private boolean ended;

    /// What the receiver still knows of an entry by its id, for telling.
    interface EntryNames {
        /// The entry, when it was compared and is not closed yet.
        Optional<Entry> of(long id);
    }

    ReceiverMachine(Effects effects, SessionEvents events, Meter meter, EntryNames names) {
        this.effects = effects;
        this.events = events;
        this.meter = meter;
        this.names = names;
    }

    /// Takes the next event.
    ///
    /// @throws ProtocolException if the peer broke the protocol
    void take(ReceiverEvent event) {
        if (ended) {
            return;
        }
        switch (event) {
            case ReceiverEvent.Received(int link, Frame frame, int length) -> received(link, frame, length);
            case ReceiverEvent.LinkEnded(int link, Exception cause) -> linkEnded(link, cause);
            case ReceiverEvent.Wanted(List<WantedFile> files) -> wanted(files);
            case ReceiverEvent.PageCompared(int length) -> effects.consumed(Window.ENTRIES, length);
            case ReceiverEvent.Compared(long same) -> {
                upToDate = same;
                compared = true;
                meter.phase(Meter.Phase.SENDING);
                finishIfReady();
            }
            case ReceiverEvent.ChunksMissing(long id, int attempt, List<ChunkRange> ranges) -> {
                if (open.contains(id)) {
                    effects.answer(new Frame.Missing(id, attempt, ranges));
                }
            }
            case ReceiverEvent.Committed(List<Outcome> outcomes) -> committed(outcomes);
            case ReceiverEvent.EntryFailed(long id, String path, FailureCode code, String text) ->
                failedHere(id, path, code, text);
            case ReceiverEvent.Finished(List<Outcome> outcomes, List<Deletion> deleted, boolean skipped) ->
                finished(outcomes, deleted, skipped);
            case ReceiverEvent.Note(String text) -> events.note(text);
            case ReceiverEvent.TargetFailed(String text) -> {
                effects.urgent(new Frame.Stop(StopCode.TARGET, text));
                end(SessionEnd.stopped(StopCode.TARGET, text));
            }
            case ReceiverEvent.Broken(Throwable cause) -> broken(cause);
            case ReceiverEvent.StopAsked(StopCode code, String text) -> {
                effects.urgent(new Frame.Stop(code, text));
                end(SessionEnd.stopped(code, text));
            }
        }
    }

    /// Without the first link there is no session, unless everything was said; what any other carried comes again.
    private void linkEnded(int link, Exception cause) {
        if (link == 0) {
            end(summarised ? SessionEnd.done(summary) : SessionEnd.broken(cause));
        } else {
            effects.linkGone(link);
        }
    }

    private void broken(Throwable cause) {
        if (cause instanceof ProtocolException e) {
            throw e;
        }
        effects.urgent(new Frame.Stop(StopCode.INTERNAL, "the receiver has a fault of its own"));
        end(SessionEnd.fault(cause));
    }

    private void received(int link, Frame frame, int length) {
        switch (frame) {
            case Frame.Entries page -> page(page.entries().size(), new EntryQueue.Item.Page(page, length));
            case Frame.PackedEntries page -> page(page.count(), new EntryQueue.Item.Packed(page, length));
            case Frame.EntriesEnd end -> {
                if (entriesEnded || end.count() != entries) {
                    throw new ProtocolException("the end tells of " + end.count() + " entries, there were " + entries);
                }
                entriesEnded = true;
                complete = end.complete();
                effects.compareEnd(length);
            }
            case Frame.RecipePart part -> effects.describe(part, length);
            case Frame.Failed there -> {
                failedThere(there);
                effects.consumed(Window.ANSWERS, length);
            }
            case Frame.Stop(StopCode code, String text) when link == 0 -> end(SessionEnd.stopped(code, text));
            case Frame.Stop stop -> {}
            case Frame.Bye bye -> {
                if (!summarised) {
                    throw new ProtocolException("a Bye before the summary");
                }
                end(SessionEnd.done(summary));
            }
            case Frame.Credit _, Frame.Blocked _, Frame.Ping _, Frame.Pong _, Frame.Unknown _ ->
                throw new IllegalStateException("the links deal with it");
            case Frame.Hello hello -> throw new ProtocolException("a second Hello");
            case Frame.Join join -> throw unexpected(frame);
            case Frame.Want want -> throw unexpected(frame);
            case Frame.Missing missing -> throw unexpected(frame);
            case Frame.Done outcomes -> throw unexpected(frame);
            case Frame.Deleted deleted -> throw unexpected(frame);
            case Frame.Summary text -> throw unexpected(frame);
            case Frame.Content content -> throw new IllegalStateException("content goes to the workers");
        }
    }

    private void page(int count, EntryQueue.Item page) {
        if (entriesEnded) {
            throw new ProtocolException("entries after their end");
        }
        entries += count;
        effects.compare(page);
    }

    private static ProtocolException unexpected(Frame frame) {
        return new ProtocolException(
                "a sender does not send " + frame.getClass().getSimpleName());
    }

    private void wanted(List<WantedFile> files) {
        // A sender that sends what nobody has asked for yet may have had it committed already.
        List<WantedFile> still =
                files.stream().filter(each -> names.of(each.id()).isPresent()).toList();
        for (WantedFile file : still) {
            open.add(file.id());
            meter.wantedFiles.increment();
            long size = names.of(file.id()).orElseThrow().size();
            meter.wantedBytes.add(size);
            meter.underWay().wanted(file.id(), size, file.recipe());
        }
        if (!still.isEmpty()) {
            effects.answer(new Frame.Want(still));
        }
    }

    private void committed(List<Outcome> all) {
        // The sender may have given one up when it was complete here: the first word counts.
        List<Outcome> outcomes =
                all.stream().filter(each -> names.of(each.id()).isPresent()).toList();
        for (int from = 0; from < outcomes.size(); from += PART) {
            List<Outcome> part = outcomes.subList(from, Math.min(outcomes.size(), from + PART));
            effects.answer(new Frame.Done(part));
            part.forEach(this::tellDone);
        }
        finishIfReady();
    }

    private void tellDone(Outcome outcome) {
        Entry entry = names.of(outcome.id()).orElseThrow();
        done++;
        events.changed(entry.path(), entry.kind(), outcome.changes());
        close(outcome.id());
    }

    private void failedHere(long id, String path, FailureCode code, String text) {
        if (id != Frame.Failed.NO_ID && names.of(id).isEmpty()) {
            return;
        }
        effects.answer(new Frame.Failed(id, path, code, text));
        fail(id, path, code, text);
    }

    private void failedThere(Frame.Failed there) {
        if (there.id() != Frame.Failed.NO_ID) {
            if (!open.contains(there.id())) {
                // Both sides may fail at the same time; the first word counts.
                return;
            }
            effects.giveUp(there.id());
        }
        String path = names.of(there.id()).map(each -> each.path().toString()).orElse(there.path());
        fail(there.id(), path, there.code(), there.text());
    }

    private void fail(long id, String path, FailureCode code, String text) {
        failed++;
        meter.failures.increment();
        events.failed(path, code, text);
        close(id);
        finishIfReady();
    }

    private void close(long id) {
        if (open.remove(id)) {
            meter.underWay().settled(id);
            meter.settledFiles.increment();
        }
        effects.closed(id);
    }

    private void finishIfReady() {
        if (compared && open.isEmpty() && !finishing) {
            finishing = true;
            meter.phase(Meter.Phase.COMMITTING);
            // A source that is empty is more likely one that is not mounted than one that was emptied.
            effects.finish(complete && failed == 0 && entries > 0);
        }
    }

    private void finished(List<Outcome> outcomes, List<Deletion> deleted, boolean skipped) {
        committed(outcomes);
        for (int from = 0; from < deleted.size(); from += PART) {
            List<Deletion> part = deleted.subList(from, Math.min(deleted.size(), from + PART));
            effects.answer(new Frame.Deleted(part));
            part.forEach(each -> events.deleted(each.path(), each.kind()));
        }
        summary = new Frame.Summary(
                done, meter.contentBytes.sum(), meter.reusedBytes.sum(), upToDate, deleted.size(), failed, skipped);
        summarised = true;
        meter.phase(Meter.Phase.ENDED);
        effects.answer(summary);
    }

    private void end(SessionEnd end) {
        if (!ended) {
            ended = true;
            effects.end(end);
        }
    }
}
