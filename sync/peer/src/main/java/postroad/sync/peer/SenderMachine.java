package postroad.sync.peer;

import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import postroad.sync.core.ChunkRange;
import postroad.sync.core.Deletion;
import postroad.sync.core.Entry;
import postroad.sync.core.FailureCode;
import postroad.sync.core.FileEnd;
import postroad.sync.core.Frame;
import postroad.sync.core.Kind;
import postroad.sync.core.Outcome;
import postroad.sync.core.ProtocolException;
import postroad.sync.core.Recipe;
import postroad.sync.core.Role;
import postroad.sync.core.Segment;
import postroad.sync.core.SessionOptions;
import postroad.sync.core.StopCode;
import postroad.sync.core.WantedFile;
import postroad.sync.core.Window;

/// The sender's side of a session as a machine: events in, effects out; no thread, file, socket or clock of its own.
/// Owned by the session's thread.
///
/// A file is open from the moment the receiver wants it until it is done or has failed on either side.
final class SenderMachine {
    /// A file is tried so often before it counts as changing for ever.
    private static final int ATTEMPTS = 2;
    /// Chunks of a recipe in one frame: some 300 kB.
    private static final int PART = 16_384;

    /// What the machine makes happen.
    interface Effects {
        /// Sends a frame behind all answers before it.
        void answer(Frame frame);

        /// Sends a frame before all others.
        void urgent(Frame frame);

        /// Sends the end of the entries behind all of them.
        void entriesEnd(Frame.EntriesEnd end);

        /// An answer was dealt with.
        void consumed(Window window, int bytes);

        /// Both sides' options are known.
        void agreed(SessionOptions options);

        /// Has a worker do it.
        void work(Job job);

        /// Nothing of the file will be needed again.
        void forget(long id);

        /// The link is gone; gives the files of which it carried content that is not acknowledged.
        Set<Long> lostWith(int link);

        /// The session is over; what waits to be sent is sent first.
        void end(SessionEnd end);
    }

    private static final class Open {
        final WantedFile wanted;
        int changes;
        int attempt;
        Recipe recipe;
        int asked;

        Open(WantedFile wanted) {
            this.wanted = wanted;
        }
    }

    private final EntryTable table;
    private final SessionOptions own;
    private final Effects effects;
    private final SessionEvents events;
    private final Meter meter;
    private final Map<Long, Open> open = new HashMap<>();
    private SessionOptions options;
    private final BitSet settled = new BitSet();
    private boolean scanned;
    private boolean ended;

    SenderMachine(EntryTable table, SessionOptions own, Effects effects, SessionEvents events, Meter meter) {
        this.table = table;
        this.own = own;
        this.effects = effects;
        this.events = events;
        this.meter = meter;
    }

    /// Takes the next event.
    ///
    /// @throws ProtocolException if the peer broke the protocol
    void take(SenderEvent event) {
        if (ended) {
            return;
        }
        switch (event) {
            case SenderEvent.Received(int link, Frame frame, int length) -> received(link, frame, length);
            case SenderEvent.LinkEnded(int link, Exception cause) -> linkEnded(link, cause);
            case SenderEvent.ScanEnded(int entries, boolean complete) -> {
                scanned = true;
                phase();
                effects.entriesEnd(new Frame.EntriesEnd(entries, complete));
            }
            case SenderEvent.ScanFault(String path, FailureCode code, String text) ->
                fail(new Frame.Failed(Frame.Failed.NO_ID, path, code, text));
            case SenderEvent.Skipped(String path, String why) -> events.note("skipped " + path + ": " + why);
            case SenderEvent.Described described -> described(described);
            case SenderEvent.WorkFailed failed -> workFailed(failed);
            case SenderEvent.Broken(Throwable cause) -> broken(cause);
            case SenderEvent.StopAsked(StopCode code, String text) -> {
                effects.urgent(new Frame.Stop(code, text));
                end(SessionEnd.stopped(code, text));
            }
        }
    }

    private void broken(Throwable cause) {
        if (cause instanceof ProtocolException e) {
            throw e;
        }
        effects.urgent(new Frame.Stop(StopCode.INTERNAL, "the sender has a fault of its own"));
        end(SessionEnd.fault(cause));
    }

    /// Without the first link there is no session; any other only carried content, which is sent again.
    private void linkEnded(int link, Exception cause) {
        if (link == 0) {
            end(SessionEnd.broken(cause));
            return;
        }
        for (Long id : effects.lostWith(link)) {
            Open file = open.get(id);
            if (file != null) {
                file.attempt++;
                file.recipe = null;
                begin(file);
            }
        }
    }

    private void received(int link, Frame frame, int length) {
        if (options == null && !(frame instanceof Frame.Hello) && !(frame instanceof Frame.Stop)) {
            throw new ProtocolException("the receiver's first frame is no Hello");
        }
        switch (frame) {
            case Frame.Hello hello -> hello(link, hello);
            case Frame.Stop(StopCode code, String text) -> stopped(link, code, text);
            case Frame.Want(List<WantedFile> files) -> files.forEach(this::wanted);
            case Frame.Missing(long id, int attempt, List<ChunkRange> ranges) -> missing(id, attempt, ranges);
            case Frame.Failed failed -> failedThere(failed);
            case Frame.Done(List<Outcome> outcomes) -> outcomes.forEach(this::done);
            case Frame.Deleted(List<Deletion> deletions) ->
                deletions.forEach(each -> events.deleted(each.path(), each.kind()));
            case Frame.Summary summary -> {
                if (!scanned || !open.isEmpty()) {
                    throw new ProtocolException("a summary while " + open.size() + " files are open");
                }
                meter.phase(Meter.Phase.ENDED);
                effects.answer(new Frame.Bye());
                end(SessionEnd.done(summary));
            }
            case Frame.Credit _, Frame.Blocked _, Frame.Ping _, Frame.Pong _, Frame.Unknown _ ->
                throw new IllegalStateException("the links deal with it");
            case Frame.Join join -> throw unexpected(frame);
            case Frame.Entries entries -> throw unexpected(frame);
            case Frame.PackedEntries entries -> throw unexpected(frame);
            case Frame.EntriesEnd entriesEnd -> throw unexpected(frame);
            case Frame.Content content -> throw unexpected(frame);
            case Frame.RecipePart part -> throw unexpected(frame);
            case Frame.Bye bye -> throw unexpected(frame);
        }
        frame.countsAgainst().ifPresent(window -> effects.consumed(window, length));
    }

    /// On a further link it only says that there is no place for that link.
    private void stopped(int link, StopCode code, String text) {
        if (link == 0) {
            end(SessionEnd.stopped(code, text));
        } else {
            events.note("a further connection was turned away: " + text);
        }
    }

    private static ProtocolException unexpected(Frame frame) {
        return new ProtocolException(
                "a receiver does not send " + frame.getClass().getSimpleName());
    }

    private void hello(int link, Frame.Hello hello) {
        if (options != null || link != 0) {
            throw new ProtocolException("a second Hello");
        }
        if (hello.role() != Role.RECEIVER) {
            effects.urgent(new Frame.Stop(StopCode.ROLE, "this side sends too"));
            end(SessionEnd.stopped(StopCode.ROLE, "the other side is a sender too"));
            return;
        }
        options = SessionOptions.merged(own, hello.options());
        phase();
        events.agreed(options);
        effects.agreed(options);
    }

    /// A small tree is walked before the receiver has answered.
    private void phase() {
        if (options != null) {
            meter.phase(scanned ? Meter.Phase.SENDING : Meter.Phase.SCANNING);
        }
    }

    private void wanted(WantedFile wanted) {
        long id = wanted.id();
        if (!table.has(id) || table.entry(id).kind() != Kind.FILE) {
            throw new ProtocolException("the receiver wants entry " + id + ", which is no file");
        }
        if (wanted.link() >= options.parallel()) {
            throw new ProtocolException("the receiver wants entry " + id + " over link " + wanted.link());
        }
        if (options.dryRun()) {
            throw new ProtocolException("the receiver wants content in a dry run");
        }
        if (settled.get((int) id) || open.putIfAbsent(id, new Open(wanted)) != null) {
            throw new ProtocolException("the receiver wants entry " + id + " twice");
        }
        if (open.size() > mostOpen()) {
            throw new ProtocolException("the receiver wants more than " + mostOpen() + " files at a time");
        }
        meter.wantedFiles.increment();
        meter.wantedBytes.add(table.entry(id).size());
        meter.underWay().wanted(id, table.entry(id).size(), wanted.recipe());
        begin(open.get(id));
    }

    private int mostOpen() {
        return options.lockStep() ? SessionOptions.MAX_PARALLEL : options.inFlight();
    }

    private void begin(Open file) {
        if (file.attempt >= Segment.MAX_ATTEMPTS) {
            long id = file.wanted.id();
            close(id);
            fail(new Frame.Failed(id, table.entry(id).path().toString(), FailureCode.OTHER, "it was begun too often"));
            return;
        }
        WantedFile wanted = file.wanted;
        meter.underWay().begins(wanted.id(), file.attempt);
        effects.work(
                wanted.recipe()
                        ? new Job.Describe(wanted.id(), file.attempt)
                        : new Job.Whole(wanted.id(), file.attempt, wanted.link()));
    }

    private void described(SenderEvent.Described event) {
        Open file = open.get(event.id());
        if (file == null || file.attempt != event.attempt()) {
            return;
        }
        Recipe recipe = event.recipe();
        file.recipe = recipe;
        file.asked = 0;
        int first = 0;
        do {
            int count = Math.min(PART, recipe.count() - first);
            Optional<FileEnd> end = first + count == recipe.count() ? Optional.of(event.end()) : Optional.empty();
            effects.answer(
                    new Frame.RecipePart(event.id(), event.attempt(), first, recipe.shortened(first, count), end));
            first += count;
        } while (first < recipe.count());
    }

    private void missing(long id, int attempt, List<ChunkRange> ranges) {
        Open file = open.get(id);
        if (file == null || file.attempt != attempt) {
            return;
        }
        if (file.recipe == null) {
            throw new ProtocolException("the receiver misses chunks of entry " + id + ", which has no recipe yet");
        }
        long asked = file.asked;
        long bytes = 0;
        for (ChunkRange range : ranges) {
            if (range.count() > file.recipe.count() - range.first()) {
                throw new ProtocolException("the receiver misses chunks that entry " + id + " does not have");
            }
            asked += range.count();
            bytes += file.recipe.offset(range.first() + range.count()) - file.recipe.offset(range.first());
        }
        if (asked > file.recipe.count()) {
            throw new ProtocolException("the receiver misses chunks of entry " + id + " more than once");
        }
        meter.underWay().missing(id, attempt, file.recipe.size(), bytes);
        if (ranges.isEmpty()) {
            return;
        }
        file.asked = (int) asked;
        effects.work(new Job.Chunks(id, attempt, file.recipe, ranges, file.wanted.link()));
    }

    private void workFailed(SenderEvent.WorkFailed event) {
        Open file = open.get(event.id());
        if (file == null || file.attempt != event.attempt()) {
            return;
        }
        if (event.again() && file.changes + 1 < ATTEMPTS) {
            file.changes++;
            file.attempt++;
            file.recipe = null;
            begin(file);
            return;
        }
        close(event.id());
        fail(new Frame.Failed(event.id(), table.entry(event.id()).path().toString(), event.code(), event.text()));
    }

    /// A failure on this side: told here and there.
    private void fail(Frame.Failed failed) {
        effects.answer(failed);
        tell(failed);
    }

    private void failedThere(Frame.Failed failed) {
        if (failed.id() != Frame.Failed.NO_ID) {
            if (!table.has(failed.id())) {
                throw new ProtocolException("the receiver failed at entry " + failed.id() + ", which is none");
            }
            settle(failed.id());
            tell(new Frame.Failed(
                    failed.id(), table.entry(failed.id()).path().toString(), failed.code(), failed.text()));
            return;
        }
        tell(failed);
    }

    /// Closes what the receiver says is over: once.
    private void settle(long id) {
        if (settled.get((int) id)) {
            throw new ProtocolException("the receiver is done with entry " + id + " twice");
        }
        settled.set((int) id);
        close(id);
    }

    private void tell(Frame.Failed failed) {
        meter.failures.increment();
        events.failed(failed.path(), failed.code(), failed.text());
    }

    private void done(Outcome outcome) {
        if (!table.has(outcome.id())) {
            throw new ProtocolException("the receiver has done entry " + outcome.id() + ", which is none");
        }
        settle(outcome.id());
        Entry entry = table.entry(outcome.id());
        meter.parts().forget(entry.path());
        events.changed(entry.path(), entry.kind(), outcome.changes());
    }

    private void close(long id) {
        if (open.remove(id) != null) {
            meter.underWay().settled(id);
            meter.settledFiles.increment();
            effects.forget(id);
        }
    }

    private void end(SessionEnd end) {
        if (!ended) {
            ended = true;
            effects.end(end);
        }
    }
}
