package postroad.sync.peer;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import postroad.sync.core.Deletion;
import postroad.sync.core.Entry;
import postroad.sync.core.FailureCode;
import postroad.sync.core.FileEnd;
import postroad.sync.core.Kind;
import postroad.sync.core.Outcome;
import postroad.sync.core.SessionOptions;
import postroad.sync.core.TreePath;
import postroad.sync.folder.EntryStat;
import postroad.sync.folder.Reason;
import postroad.sync.folder.Staging;
import postroad.sync.folder.TreeException;

/// Puts what is complete into its place, in groups: one barrier, the renames, the folders' names made safe, then the
/// acknowledgement. At the end it deletes, and sets the times of folders. One thread of its own.
///
/// A group is what is complete when nothing more is under way, or when it is large; while one group waits for the disk
/// the next one gathers.
final class Committer implements Runnable {
    private static final int GROUP_FILES = 2000;
    private static final long GROUP_BYTES = 64L << 20;
    /// Folders whose times are set at the end; a tree with more is refused.
    private static final int MOST_FOLDERS = 1_000_000;
    /// Names that may be deleted at the end; with more none is.
    private static final int MOST_DELETIONS = 1_000_000;

    /// Something to put into its place.
    sealed interface Item {
        /// A file whose content is staged.
        record Content(Incoming file, Incoming.Verdict.Complete complete) implements Item {}

        /// A link to make, or a file's or link's time or mode to set.
        record Apply(long id, Entry entry, int changes) implements Item {}
    }

    private record FolderWork(long id, Entry entry, int changes) {}

    private final Target target;
    private final SessionOptions options;
    private final Intake intake;
    private final Consumer<ReceiverEvent> inbox;
    private final ArrayDeque<Item> waiting = new ArrayDeque<>();
    private final List<FolderWork> folders = new ArrayList<>();
    private final List<Deletion> surplus = new ArrayList<>();
    private boolean tooManyDeletions;
    private boolean finishing;
    private boolean deletes;
    private boolean failed;
    private boolean ended;

    Committer(Target target, SessionOptions options, Intake intake, Consumer<ReceiverEvent> inbox) {
        this.target = target;
        this.options = options;
        this.intake = intake;
        this.inbox = inbox;
        intake.whenDry(this::wake);
    }

    /// Adds something that is complete. From any thread.
    synchronized void add(Item item) {
        waiting.addLast(item);
        notifyAll();
    }

    private synchronized void wake() {
        notifyAll();
    }

    /// Has the last step done when all before it is. From the session's thread.
    synchronized void finish(boolean mayDelete) {
        finishing = true;
        deletes = mayDelete;
        notifyAll();
    }

    /// Nobody needs the rest.
    synchronized void end() {
        ended = true;
        notifyAll();
    }

    /// Notes a folder whose time and mode are set at the end. From the comparer.
    ///
    /// @throws TreeException if there are too many
    void folder(long id, Entry entry, int changes) throws TreeException {
        if (folders.size() >= MOST_FOLDERS) {
            throw new TreeException(
                    Reason.OTHER, entry.path().toString(), "the tree has more than " + MOST_FOLDERS + " folders");
        }
        folders.add(new FolderWork(id, entry, changes));
    }

    /// Notes a name that the sender does not have. From the comparer.
    void surplus(Deletion deletion) {
        if (surplus.size() < MOST_DELETIONS) {
            surplus.add(deletion);
        } else {
            tooManyDeletions = true;
        }
    }

    /// Makes a folder at once, so that what lies in it has a place. From the comparer.
    Optional<Comparer.EntryFault> makeFolder(Entry folder, boolean replaces) {
        try {
            if (replaces) {
                target.staging().moveAside(folder.path());
            }
            target.tree().makeFolder(folder.path(), 0700);
            return Optional.empty();
        } catch (TreeException e) {
            return Optional.of(new Comparer.EntryFault(Failures.whenWriting(e.reason()), e.why()));
        }
    }

    @Override
    public void run() {
        try {
            List<Item> group = nextGroup();
            while (!group.isEmpty()) {
                commit(group);
                group = nextGroup();
            }
            if (isToFinish()) {
                inbox.accept(lastStep());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Throwable e) {
            inbox.accept(new ReceiverEvent.Broken(e));
        }
    }

    private synchronized boolean isToFinish() {
        return finishing && !ended;
    }

    /// What is committed next; empty when the last step comes.
    private synchronized List<Item> nextGroup() throws InterruptedException {
        List<Item> group = new ArrayList<>();
        long bytes = 0;
        while (!ended) {
            while (!waiting.isEmpty() && group.size() < GROUP_FILES && bytes < GROUP_BYTES) {
                Item item = waiting.removeFirst();
                group.add(item);
                bytes += bytesOf(item);
            }
            boolean full = group.size() >= GROUP_FILES || bytes >= GROUP_BYTES;
            if (full || finishing || !group.isEmpty() && intake.isDry()) {
                return group;
            }
            wait();
        }
        return List.of();
    }

    private static long bytesOf(Item item) {
        return switch (item) {
            case Item.Content content -> content.complete().end().size();
            case Item.Apply apply -> 0;
        };
    }

    private void commit(List<Item> group) {
        List<Outcome> outcomes = new ArrayList<>();
        List<Staging.Commit> commits = new ArrayList<>();
        List<Item.Content> contents = new ArrayList<>();
        for (Item item : group) {
            switch (item) {
                case Item.Content content -> {
                    commits.add(commitOf(content));
                    contents.add(content);
                }
                case Item.Apply apply -> apply(apply).ifPresent(outcomes::add);
            }
        }
        List<Staging.Result> results = target.staging().commit(commits);
        for (int i = 0; i < results.size(); i++) {
            Item.Content content = contents.get(i);
            switch (results.get(i)) {
                case Staging.Result.Committed(EntryStat version) -> {
                    outcomes.add(new Outcome(content.file().id(), content.file().changes()));
                    target.memory().remember(
                            content.file().entry().path(), version, content.complete().recipe());
                }
                case Staging.Result.Refused(Reason reason, String why) ->
                    fail(content.file().id(), content.file().entry(), reason, why);
            }
        }
        if (!outcomes.isEmpty()) {
            inbox.accept(new ReceiverEvent.Committed(outcomes));
        }
    }

    private Staging.Commit commitOf(Item.Content content) {
        FileEnd end = content.complete().end();
        return new Staging.Commit(
                content.complete().file(),
                content.file().entry().path(),
                end.seconds(),
                end.nanos(),
                target.modeOf(end.mode()),
                options.delete());
    }

    private Optional<Outcome> apply(Item.Apply item) {
        Entry entry = item.entry();
        try {
            if (entry.kind() == Kind.LINK && (item.changes() & ~Outcome.TIME) != 0) {
                target.staging().commitLink(entry, options.delete());
            } else {
                setMetadata(entry, item.changes());
            }
            return Optional.of(new Outcome(item.id(), item.changes()));
        } catch (TreeException e) {
            fail(item.id(), entry, e.reason(), e.why());
            return Optional.empty();
        }
    }

    private void setMetadata(Entry entry, int changes) throws TreeException {
        if ((changes & Outcome.TIME) != 0) {
            target.tree().setTimes(entry.path(), entry.seconds(), entry.nanos());
        }
        if ((changes & Outcome.MODE) != 0) {
            target.tree().setMode(entry.path(), target.modeOf(entry.mode()));
        }
    }

    private void fail(long id, Entry entry, Reason reason, String why) {
        failed = true;
        inbox.accept(new ReceiverEvent.EntryFailed(
                id, entry.path().toString(), Failures.whenWriting(reason), why));
    }

    /// Deletes, then sets what the changes in folders moved, deepest first, then waits for the disk.
    private ReceiverEvent.Finished lastStep() throws TreeException {
        boolean wanted = options.delete() && !surplus.isEmpty();
        boolean may = wanted && deletes && !failed && !tooManyDeletions && withinLimit();
        List<Deletion> deleted = may ? delete() : List.of();
        List<Outcome> outcomes = new ArrayList<>();
        for (FolderWork each : folders.reversed()) {
            settle(each).ifPresent(outcomes::add);
        }
        if (!options.dryRun()) {
            target.staging().syncAll();
        }
        return new ReceiverEvent.Finished(outcomes, deleted, wanted && !may);
    }

    private boolean withinLimit() {
        OptionalLong most = options.maxDelete();
        if (most.isPresent() && surplus.size() > most.getAsLong()) {
            inbox.accept(new ReceiverEvent.Note("nothing is deleted: " + surplus.size()
                    + " names would be, and --max-delete allows " + most.getAsLong()));
            return false;
        }
        return true;
    }

    private List<Deletion> delete() {
        List<Deletion> deleted = new ArrayList<>();
        for (Deletion each : surplus.reversed()) {
            if (options.dryRun() || deleteOne(each)) {
                deleted.add(each);
            }
        }
        return deleted;
    }

    private boolean deleteOne(Deletion deletion) {
        try {
            if (target.tree().stat(deletion.path()).isEmpty()) {
                // It went with a folder that made way for a file or link.
                return true;
            }
            target.staging().delete(deletion.path(), deletion.kind());
            return true;
        } catch (TreeException e) {
            if (e.reason() == Reason.NOT_EMPTY) {
                inbox.accept(new ReceiverEvent.Note(
                        "kept " + deletion.path() + ": it holds names that are excluded or are not synced"));
            } else if (e.reason() != Reason.VANISHED) {
                inbox.accept(new ReceiverEvent.EntryFailed(
                        -1, deletion.path().toString(), FailureCode.DENIED, "it cannot be deleted: " + e.why()));
            }
            return false;
        }
    }

    /// Brings a folder's time and mode in line; gives what changed, nothing when it was in line from the beginning.
    private Optional<Outcome> settle(FolderWork work) {
        Entry entry = work.entry();
        if (!options.dryRun()) {
            try {
                Optional<EntryStat> now = target.tree().stat(entry.path());
                if (now.isPresent()) {
                    setFolder(entry, now.get());
                }
            } catch (TreeException e) {
                fail(work.id(), entry, e.reason(), e.why());
                return Optional.empty();
            }
        }
        return work.changes() == 0 ? Optional.empty() : Optional.of(new Outcome(work.id(), work.changes()));
    }

    private void setFolder(Entry entry, EntryStat now) throws TreeException {
        TreePath path = entry.path();
        if (now.seconds() != entry.seconds() || now.nanos() != entry.nanos()) {
            target.tree().setTimes(path, entry.seconds(), entry.nanos());
        }
        if (now.mode() != target.modeOf(entry.mode())) {
            target.tree().setMode(path, target.modeOf(entry.mode()));
        }
    }
}
