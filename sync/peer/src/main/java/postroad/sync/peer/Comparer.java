package postroad.sync.peer;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import postroad.sync.core.ChunkClass;
import postroad.sync.core.Comparison;
import postroad.sync.core.Deletion;
import postroad.sync.core.Entry;
import postroad.sync.core.FailureCode;
import postroad.sync.core.Frame;
import postroad.sync.core.Kind;
import postroad.sync.core.Local;
import postroad.sync.core.Outcome;
import postroad.sync.core.ProtocolException;
import postroad.sync.core.SessionOptions;
import postroad.sync.core.TreePath;
import postroad.sync.core.Verdict;
import postroad.sync.core.WantedFile;
import postroad.sync.folder.EntryStat;
import postroad.sync.folder.Item;
import postroad.sync.folder.Reason;
import postroad.sync.folder.Staging;

/// Brings the sender's entries together with the receiver's own, both in the order of their paths, and decides for each
/// what it needs. One thread of its own; memory holds folders, deletions, and files that wait for the end of the
/// entries.
///
/// A new file that is worth a recipe waits for that end, because only then is it known which of the receiver's files
/// may have been renamed into it.
final class Comparer implements Runnable {
    /// Wants in one frame.
    private static final int WANTS = 512;
    /// New files that may wait for the end of the entries; those beyond come whole.
    private static final int MOST_DEFERRED = 100_000;
    private static final long MOST_DEFERRED_BYTES = Runtime.getRuntime().maxMemory() / 16;
    private static final int DEFERRED = 250;

    /// Where the receiver's own names come from.
    interface Names {
        /// The next name; [Item.End] after the last.
        Item next();

        /// Is told of an entry before it is compared; whether [#next] has to be asked again for it.
        default boolean announced(TreePath path) {
            return false;
        }
    }

    /// What the comparer hands to others than the session's thread.
    interface Hands {
        /// Whether [#awaitRoom] would wait.
        boolean isCrowded();

        /// Waits while there is much that is not told to the sender or not brought in line yet.
        void awaitRoom() throws InterruptedException;

        /// Makes a folder, so that what lies in it has a place; empty when it is there, else why it cannot be.
        Optional<EntryFault> makeFolder(Entry folder);

        /// A link, or a file that only needs its time or mode, is brought in line.
        void apply(long id, Entry entry, int changes) throws InterruptedException;

        /// A folder whose time and mode are set at the end.
        void folder(long id, Entry entry, int changes);

        /// A name that the sender does not have.
        void surplus(Deletion deletion);

        /// The version of a file that a new content replaces.
        Incoming incoming(long id, Entry entry, Optional<EntryStat> old, int changes, boolean recipe, int link);
    }

    /// Why an entry cannot be made.
    record EntryFault(FailureCode code, String text) {}

    private record Deferred(long id, Entry entry, Local mine) {}

    private final EntryQueue queue;
    private final Names names;
    private final SessionOptions options;
    private final Comparison comparison;
    private final CaseTwins twins;
    private final Optional<TreePath> only;
    private final Sources sources;
    private final Ledger ledger;
    private final Permits permits;
    private final Hands hands;
    private final Consumer<ReceiverEvent> inbox;
    private final Meter meter;

    private final EntryPacker packer = new EntryPacker();
    private Optional<TreePath> folder = Optional.empty();
    private final ArrayDeque<Integer> folders = new ArrayDeque<>();
    private final List<WantedFile> wants = new ArrayList<>();
    private final List<Outcome> wouldBe = new ArrayList<>();
    private final ArrayDeque<Deferred> deferred = new ArrayDeque<>();
    private long deferredBytes;
    private Optional<TreePath> lost = Optional.empty();
    private Optional<TreePath> passedOver = Optional.empty();
    private Optional<TreePath> previous = Optional.empty();
    private Item here;
    private long nextId;
    private long upToDate;

    /// @param only for a single file: the name that it gets here
    Comparer(
            EntryQueue queue,
            Names names,
            SessionOptions options,
            Comparison comparison,
            CaseTwins twins,
            Optional<TreePath> only,
            Sources sources,
            Ledger ledger,
            Permits permits,
            Hands hands,
            Consumer<ReceiverEvent> inbox,
            Meter meter) {
        this.queue = queue;
        this.names = names;
        this.options = options;
        this.comparison = comparison;
        this.twins = twins;
        this.only = only;
        this.sources = sources;
        this.ledger = ledger;
        this.permits = permits;
        this.hands = hands;
        this.inbox = inbox;
        this.meter = meter;
    }

    @Override
    public void run() {
        try {
            advance();
            boolean more = true;
            while (more) {
                EntryQueue.Item item = queue.take();
                switch (item) {
                    case null -> {
                        return;
                    }
                    case EntryQueue.Item.Page(var page, int length) -> take(page, length);
                    case EntryQueue.Item.Packed(var page, int length) -> take(packer.unpack(page), length);
                    case EntryQueue.Item.Encoded encoded -> throw new IllegalStateException("the queue decodes");
                    case EntryQueue.Item.End(int length) -> {
                        more = false;
                        inbox.accept(new ReceiverEvent.PageCompared(length));
                    }
                }
                if (queue.isEmpty()) {
                    flush();
                }
            }
            end();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Throwable e) {
            inbox.accept(new ReceiverEvent.Broken(e));
        } finally {
            packer.close();
        }
    }

    private void take(Frame.Entries page, int length) throws InterruptedException {
        for (Entry entry : page.entries()) {
            take(entry);
        }
        inbox.accept(new ReceiverEvent.PageCompared(length));
    }

    private void end() throws InterruptedException {
        while (!(here instanceof Item.End)) {
            surplus();
        }
        for (Deferred each = deferred.pollFirst(); each != null; each = deferred.pollFirst()) {
            if (hands.isCrowded()) {
                flush();
                hands.awaitRoom();
            }
            boolean reuse = sources.mayHave(ChunkClass.ofSize(each.entry().size()));
            decide(each.id(), each.entry(), each.mine(), Optional.empty(), reuse);
        }
        flush();
        inbox.accept(new ReceiverEvent.Compared(upToDate));
    }

    private void take(Entry announced) throws InterruptedException {
        long id = nextId++;
        checkOrder(announced);
        if (hands.isCrowded()) {
            flush();
            hands.awaitRoom();
        }
        Entry entry = only.map(name -> renamed(announced, name)).orElse(announced);
        meter.entries.increment();
        meter.entryBytes.add(entry.size());
        if (names.announced(entry.path())) {
            advance();
        }
        while (pathOf(here).isPresent() && pathOf(here).get().compareTo(entry.path()) < 0) {
            surplus();
        }
        Optional<Item> mine = pathOf(here).filter(entry.path()::equals).map(path -> here);
        if (mine.isPresent()) {
            advance();
        }
        if (passedOver.filter(entry.path()::isBelow).isPresent()) {
            return;
        }
        if (lost.filter(entry.path()::isBelow).isPresent()) {
            fail(id, entry, new EntryFault(FailureCode.KIND, "the folder that it lies in could not be made"));
        } else if (Staging.isReserved(entry.path())) {
            fail(id, entry, new EntryFault(FailureCode.NAME, "the name is reserved for postroad's own use"));
        } else if (options.patterns().excludes(entry.path(), entry.kind())) {
            // Protected here though the sender sent it: what is in it is left alone too.
            passedOver = entry.kind() == Kind.FOLDER ? Optional.of(entry.path()) : passedOver;
        } else if (twins.isTwin(entry.path())) {
            String why =
                    "only upper and lower case tell it from another name, which has its place on the file system here";
            fail(id, entry, new EntryFault(FailureCode.NAME, why));
        } else {
            compare(id, entry, mine);
        }
    }

    private static Entry renamed(Entry entry, TreePath name) {
        return new Entry(
                name, entry.kind(), entry.size(), entry.seconds(), entry.nanos(), entry.mode(), entry.target());
    }

    /// Ascending, and nothing lies in a folder that was not announced as one.
    private void checkOrder(Entry entry) {
        TreePath path = entry.path();
        if (previous.isPresent() && previous.get().compareTo(path) >= 0) {
            throw new ProtocolException("the entry " + path + " comes after " + previous.get());
        }
        previous = Optional.of(path);
        // Of the folders around the last one only their lengths are kept: they are its beginnings.
        int shared = folder.map(path::sharedPrefix).orElse(0);
        while (!folders.isEmpty() && !isBelow(path, folders.getLast(), shared)) {
            folders.removeLast();
        }
        int around = path.isTop() ? 0 : path.parent().length();
        if (around != (folders.isEmpty() ? 0 : folders.getLast())) {
            throw new ProtocolException("the entry " + path + " lies in a folder that was not announced");
        }
        if (entry.kind() == Kind.FOLDER) {
            folder = Optional.of(path);
            folders.addLast(path.length());
        }
    }

    private static boolean isBelow(TreePath path, int around, int shared) {
        return around <= shared && path.length() > around && path.at(around) == '/';
    }

    private void compare(long id, Entry entry, Optional<Item> mine) throws InterruptedException {
        switch (mine.orElse(null)) {
            case null -> compare(id, entry, new Local.Absent(), Optional.empty());
            case Item.Found(Entry here, EntryStat stat) ->
                compare(id, entry, new Local.Present(here), Optional.of(stat));
            case Item.Skipped skipped -> compare(id, entry, new Local.Special(), Optional.empty());
            case Item.Fault fault -> fail(id, entry, new EntryFault(FailureCode.DENIED, fault.why()));
            case Item.End end -> throw new IllegalStateException("the end has no path");
        }
    }

    private void compare(long id, Entry entry, Local mine, Optional<EntryStat> stat) throws InterruptedException {
        boolean anew = entry.kind() == Kind.FILE && !isFile(mine);
        if (anew && entry.size() >= Comparison.SMALL_FILE && mayFindMore()) {
            deferred.addLast(new Deferred(id, entry, mine));
            deferredBytes += DEFERRED + entry.path().length();
            return;
        }
        decide(id, entry, mine, stat, false);
    }

    private static boolean isFile(Local mine) {
        return mine instanceof Local.Present(Entry here) && here.kind() == Kind.FILE;
    }

    private boolean mayFindMore() {
        return !options.dryRun()
                && !sources.mayNeverHave()
                && deferred.size() < MOST_DEFERRED
                && deferredBytes < MOST_DEFERRED_BYTES;
    }

    private void decide(long id, Entry entry, Local mine, Optional<EntryStat> stat, boolean reuse)
            throws InterruptedException {
        switch (comparison.compare(mine, entry, reuse)) {
            case Verdict.UpToDate() -> {
                upToDate++;
                if (entry.kind() == Kind.FOLDER) {
                    // What changes in it moves its time, so it is set again at the end.
                    hands.folder(id, entry, 0);
                }
            }
            case Verdict.Metadata(int changes) -> adjust(id, entry, changes);
            case Verdict.Make(int changes) -> make(id, entry, changes);
            case Verdict.Whole(int changes) -> want(id, entry, oldOf(mine, stat), changes, sources.mayBeLeft(entry));
            case Verdict.WantRecipe(int changes) -> want(id, entry, oldOf(mine, stat), changes, true);
            case Verdict.KindConflict(String text) -> fail(id, entry, new EntryFault(FailureCode.KIND, text));
        }
    }

    /// The version whose content may be reused.
    private static Optional<EntryStat> oldOf(Local mine, Optional<EntryStat> stat) {
        return isFile(mine) ? stat : Optional.empty();
    }

    private void adjust(long id, Entry entry, int changes) throws InterruptedException {
        if (entry.kind() == Kind.FOLDER) {
            hands.folder(id, entry, changes);
        } else if (options.dryRun()) {
            would(id, entry, changes);
        } else {
            ledger.add(id, entry);
            hands.apply(id, entry, changes);
        }
    }

    private void make(long id, Entry entry, int changes) throws InterruptedException {
        if (entry.kind() == Kind.LINK) {
            if (options.dryRun()) {
                would(id, entry, changes);
            } else {
                ledger.add(id, entry);
                hands.apply(id, entry, changes);
            }
            return;
        }
        Optional<EntryFault> fault = options.dryRun() ? Optional.empty() : hands.makeFolder(entry);
        if (fault.isPresent()) {
            fail(id, entry, fault.get());
        } else {
            hands.folder(id, entry, changes);
        }
    }

    private void want(long id, Entry entry, Optional<EntryStat> old, int changes, boolean recipe)
            throws InterruptedException {
        if (options.dryRun()) {
            meter.wantedFiles.increment();
            meter.wantedBytes.add(entry.size());
            would(id, entry, changes);
            return;
        }
        if (!permits.isFree()) {
            flush();
        }
        int link = permits.take();
        ledger.add(hands.incoming(id, entry, old, changes, recipe, link));
        wants.add(new WantedFile(id, recipe, link));
        if (wants.size() == WANTS) {
            flush();
        }
    }

    private void would(long id, Entry entry, int changes) {
        ledger.add(id, entry);
        wouldBe.add(new Outcome(id, changes));
        if (wouldBe.size() == WANTS) {
            flush();
        }
    }

    private void fail(long id, Entry entry, EntryFault fault) {
        if (entry.kind() == Kind.FOLDER) {
            lost = Optional.of(entry.path());
        }
        ledger.add(id, entry);
        inbox.accept(new ReceiverEvent.EntryFailed(id, entry.path().toString(), fault.code(), fault.text()));
    }

    private void flush() {
        if (!wants.isEmpty()) {
            inbox.accept(new ReceiverEvent.Wanted(List.copyOf(wants)));
            wants.clear();
        }
        if (!wouldBe.isEmpty()) {
            inbox.accept(new ReceiverEvent.Committed(List.copyOf(wouldBe)));
            wouldBe.clear();
        }
    }

    /// The receiver's next name is none of the sender's.
    private void surplus() {
        switch (here) {
            case Item.Found(Entry entry, EntryStat stat) -> {
                hands.surplus(new Deletion(entry.path(), entry.kind()));
                if (entry.kind() == Kind.FILE) {
                    sources.orphan(entry, stat);
                }
            }
            case Item.Skipped skipped -> {}
            case Item.Fault fault -> {
                tell(fault);
                // What lies in a folder that a dry run leaves locked is not known to be missing.
                passedOver = options.dryRun() ? fault.path() : passedOver;
            }
            case Item.End end -> {
                return;
            }
        }
        advance();
    }

    /// Goes on to the next name that has a path; what has none can only be told.
    private void advance() {
        here = names.next();
        while (here instanceof Item.Fault fault && fault.path().isEmpty()) {
            tell(fault);
            here = names.next();
        }
    }

    private void tell(Item.Fault fault) {
        boolean leftLocked = options.dryRun() && fault.reason() == Reason.DENIED;
        String why = leftLocked ? fault.why() + "; what lies in it is not compared in a dry run" : fault.why();
        inbox.accept(new ReceiverEvent.EntryFailed(-1, fault.shown(), FailureCode.DENIED, why));
    }

    private static Optional<TreePath> pathOf(Item item) {
        return switch (item) {
            case Item.Found(Entry entry, EntryStat stat) -> Optional.of(entry.path());
            case Item.Skipped(TreePath path, String why) -> Optional.of(path);
            case Item.Fault(Optional<TreePath> path, String shown, var reason, String why) -> path;
            case Item.End end -> Optional.empty();
        };
    }
}
