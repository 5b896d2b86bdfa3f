package postroad.sync.peer;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import postroad.sync.core.Deletion;
import postroad.sync.core.Entry;
import postroad.sync.core.Kind;
import postroad.sync.core.Outcome;
import postroad.sync.core.SessionOptions;
import postroad.sync.core.TreePath;
import postroad.sync.folder.Change;
import postroad.sync.folder.ChunkMemory;
import postroad.sync.folder.Reason;
import postroad.sync.folder.Result;
import postroad.sync.folder.TreeException;

/// Puts what is complete into its place, in groups: one barrier, the renames, the folders' names made safe, then the
/// acknowledgement. At the end it deletes, and sets the times of folders. One thread of its own.
///
/// A group is what is complete when nothing more is under way, or when it is large; while one group waits for the disk
/// the next one gathers.
final class Committer implements Runnable {
    private static final int GROUP_FILES = 2000;
    private static final long GROUP_BYTES = 64L << 20;
    /// Bytes of memory for names that may be deleted at the end; with more none is.
    private static final long MOST_DELETIONS = Runtime.getRuntime().maxMemory() / 8;
    /// What such a name takes besides itself.
    private static final int DELETION = 64;
    /// Links and files to adjust that may wait; the comparer pauses beyond.
    private static final int MOST_WAITING = 2 * GROUP_FILES;
    /// Outcomes of folders told at a time.
    private static final int TOLD = 1000;

    /// Something to put into its place.
    sealed interface Item {
        /// Its number in the stream of entries.
        long id();

        /// What it is to be.
        Entry entry();

        /// What its outcome will be.
        int changes();

        /// A file whose content is staged and sealed.
        record Content(Incoming file, Incoming.Verdict.Complete complete) implements Item {
            @Override
            public long id() {
                return file.id();
            }

            @Override
            public Entry entry() {
                return file.entry();
            }

            @Override
            public int changes() {
                return file.changes();
            }
        }

        /// A link to make, or a file's or link's time or mode to set.
        record Apply(long id, Entry entry, int changes) implements Item {}
    }

    private final Target target;
    private final SessionOptions options;
    private final Intake intake;
    private final Consumer<ReceiverEvent> inbox;
    private final ArrayDeque<Item> waiting = new ArrayDeque<>();
    private final Ledger ledger;
    private final FolderTable folders;
    private final List<Deletion> surplus = new ArrayList<>();
    private long surplusBytes;
    private boolean tooManyDeletions;
    private boolean refusing;
    private long removed;
    private boolean finishing;
    private boolean deletes;
    private boolean failed;
    private boolean ended;

    Committer(
            Target target,
            SessionOptions options,
            Intake intake,
            Ledger ledger,
            Room room,
            Consumer<ReceiverEvent> inbox) {
        this.ledger = ledger;
        folders = new FolderTable(room);
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

    /// Adds something that is complete, and waits while much waits already. From the comparer.
    synchronized void addAndWait(Item item) throws InterruptedException {
        add(item);
        while (waiting.size() >= MOST_WAITING && !refusing) {
            wait();
        }
    }

    /// The session is over: the comparer waits no more.
    synchronized void refuse() {
        refusing = true;
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

    /// Nothing more comes: what is complete is still committed, and there is no last step.
    synchronized void end() {
        ended = true;
        notifyAll();
    }

    /// Notes a folder whose time and mode are set at the end. From the comparer.
    ///
    /// @throws postroad.sync.core.ProtocolException with LIMIT if there are too many
    void folder(long id, Entry entry, int changes) {
        folders.add(id, entry, changes);
    }

    /// Notes a name that the sender does not have. From the comparer.
    void surplus(Deletion deletion) {
        if (!options.delete()) {
            return;
        }
        surplusBytes += DELETION + deletion.path().length();
        if (surplusBytes <= MOST_DELETIONS) {
            surplus.add(deletion);
        } else {
            tooManyDeletions = true;
        }
    }

    /// Makes a folder at once, so that what lies in it has a place. From the comparer.
    Optional<Comparer.EntryFault> makeFolder(Entry folder) {
        return switch (target.staging().makeFolder(folder.path())) {
            case Result.Done done -> Optional.empty();
            case Result.Refused(Reason reason, String why) ->
                Optional.of(new Comparer.EntryFault(Failures.whenWriting(reason), why));
        };
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
        while (true) {
            while (!waiting.isEmpty() && group.size() < GROUP_FILES && bytes < GROUP_BYTES) {
                Item item = waiting.removeFirst();
                group.add(item);
                notifyAll();
                bytes += bytesOf(item);
            }
            boolean full = group.size() >= GROUP_FILES || bytes >= GROUP_BYTES;
            if (full || finishing || ended || !group.isEmpty() && intake.isDry()) {
                return group;
            }
            wait();
        }
    }

    private static long bytesOf(Item item) {
        return switch (item) {
            case Item.Content content -> content.complete().version().size();
            case Item.Apply apply -> 0;
        };
    }

    private void commit(List<Item> group) {
        List<Change> changes = new ArrayList<>();
        List<Item> placed = new ArrayList<>();
        List<Outcome> outcomes = new ArrayList<>();
        for (Item item : group) {
            Optional<Change> change = changeOf(item);
            if (change.isPresent()) {
                changes.add(change.get());
                placed.add(item);
            } else {
                took(item, setMetadata(item), outcomes);
            }
        }
        List<Result> results = target.staging().commit(changes, mayRemove());
        for (int i = 0; i < results.size(); i++) {
            took(placed.get(i), results.get(i), outcomes);
        }
        if (!outcomes.isEmpty()) {
            inbox.accept(new ReceiverEvent.Committed(outcomes));
        }
    }

    /// What is to be put in its place; empty when only its time or mode is to be set.
    private static Optional<Change> changeOf(Item item) {
        Entry entry = item.entry();
        return switch (item) {
            case Item.Content content ->
                Optional.of(new Change.PutFile(content.complete().file(), entry.path()));
            case Item.Apply apply
            when entry.kind() == Kind.LINK && (apply.changes() & ~Outcome.TIME) != 0 ->
                Optional.of(new Change.PutLink(entry.path(), entry.target(), entry.seconds(), entry.nanos()));
            case Item.Apply apply -> Optional.empty();
        };
    }

    private Result setMetadata(Item item) {
        Entry entry = item.entry();
        return target.staging().setMeta(entry.path(), entry.kind(), entry.seconds(), entry.nanos(), entry.mode());
    }

    private void took(Item item, Result result, List<Outcome> outcomes) {
        switch (result) {
            case Result.Done(boolean replaced, long names) -> {
                removed += names;
                outcomes.add(new Outcome(item.id(), item.changes()));
                if (item instanceof Item.Content content) {
                    remember(content);
                }
            }
            case Result.Refused(Reason reason, String why) -> fail(item.id(), item.entry(), reason, why);
        }
    }

    private void remember(Item.Content content) {
        if (content.complete().version().size() < ChunkMemory.WORTH_REMEMBERING) {
            return;
        }
        TreePath path = content.entry().path();
        try {
            target.tree()
                    .stat(path)
                    .ifPresent(version -> target.memory()
                            .remember(path, version, content.complete().recipe()));
        } catch (TreeException e) {
            // What is not remembered is read again when it is needed.
        }
    }

    /// How many names may still go.
    private long mayRemove() {
        return options.delete() ? Math.max(0, options.maxDelete().orElse(Long.MAX_VALUE) - removed) : 0;
    }

    private void fail(long id, Entry entry, Reason reason, String why) {
        failed = true;
        inbox.accept(new ReceiverEvent.EntryFailed(id, entry.path().toString(), Failures.whenWriting(reason), why));
    }

    /// Deletes, then sets what the changes in folders moved, deepest first, then waits for the disk.
    private ReceiverEvent.Finished lastStep() throws TreeException {
        boolean wanted = options.delete() && !surplus.isEmpty();
        boolean may = wanted && deletes && !failed && !tooManyDeletions && withinLimit();
        List<Deletion> deleted = may ? delete() : List.of();
        List<Outcome> outcomes = new ArrayList<>();
        for (int i = folders.count() - 1; i >= 0; i--) {
            settle(folders.get(i)).ifPresent(outcomes::add);
            if (outcomes.size() == TOLD) {
                inbox.accept(new ReceiverEvent.Committed(List.copyOf(outcomes)));
                outcomes.clear();
            }
        }
        if (!options.dryRun()) {
            target.staging().sync();
            // Before the summary: when the sender reads it, nothing of ours is left in the tree.
            target.tidy();
        }
        return new ReceiverEvent.Finished(outcomes, deleted, wanted && !may);
    }

    private boolean withinLimit() {
        if (surplus.size() > mayRemove()) {
            inbox.accept(new ReceiverEvent.Note("nothing is deleted: " + surplus.size()
                    + " names would be, and --max-delete allows " + mayRemove()));
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
        return switch (target.staging().delete(deletion.path(), deletion.kind())) {
            case Result.Done done -> true;
            case Result.Refused(Reason reason, String why) -> {
                if (isGone(deletion.path())) {
                    // It went with a folder that made way for a file or a link.
                    yield true;
                }
                if (reason == Reason.NOT_EMPTY) {
                    inbox.accept(new ReceiverEvent.Note(
                            "kept " + deletion.path() + ": it holds names that are excluded or are never synced"));
                } else {
                    inbox.accept(new ReceiverEvent.EntryFailed(
                            -1,
                            deletion.path().toString(),
                            Failures.whenWriting(reason),
                            "it cannot be deleted: " + why));
                }
                yield false;
            }
        };
    }

    private boolean isGone(TreePath path) {
        try {
            return target.tree().stat(path).isEmpty();
        } catch (TreeException e) {
            return false;
        }
    }

    /// Brings a folder's time and mode in line; gives what changed, nothing when it was in line from the beginning.
    private Optional<Outcome> settle(FolderTable.Work work) {
        Entry entry = work.entry();
        ledger.add(work.id(), entry);
        if (!options.dryRun()) {
            Result result =
                    target.staging().setMeta(entry.path(), entry.kind(), entry.seconds(), entry.nanos(), entry.mode());
            if (result instanceof Result.Refused(Reason reason, String why)) {
                fail(work.id(), entry, reason, why);
                return Optional.empty();
            }
        }
        if (work.changes() == 0) {
            ledger.remove(work.id());
            return Optional.empty();
        }
        return Optional.of(new Outcome(work.id(), work.changes()));
    }
}
