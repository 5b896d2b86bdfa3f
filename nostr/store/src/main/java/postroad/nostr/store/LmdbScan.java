package postroad.nostr.store;

import java.util.List;
import postroad.common.lmdb.Lmdb;
import postroad.nostr.core.Filter;
import postroad.nostr.core.KindClass;
import postroad.nostr.core.PackedEvent;
import postroad.nostr.core.Query;

/// A query's merge of streams, newest first, that can stop after any step and go on in a later snapshot.
///
/// Entries of one event follow each other in the merge, whichever streams they come from; they form a group. A group
/// is one row at most, and takes one of the limit of every filter that matches. Owned by one thread at a time.
final class LmdbScan implements Scan {
    /// Entries read ahead by a stream: enough for its share of the limit, within these bounds.
    private static final int LEAST_DEPTH = 5;

    private static final int MOST_DEPTH = 64;

    /// Steps, and entries looked at, between two looks at the clock.
    private static final int CLOCK_STEPS = 16;

    private static final int CLOCK_ENTRIES = 64;

    private final Query query;
    private final List<Branch> branches;
    private final Stream[] streams;
    private final Stream[] heap;
    private int prepared;
    private int heapSize;

    private boolean started;
    private boolean done;
    private long watermark;
    private long replacedUpTo;
    private long examined;
    private long rows;
    private boolean more;
    private boolean unknown;

    // The group: entries of one event.
    private long groupNumber;
    private long groupTime;
    private long group0;
    private long group1;
    private long group2;
    private long group3;
    private boolean groupSent;
    private boolean groupBeyond;

    // The group's record in this run's snapshot.
    private boolean loaded;
    private long recordAt;
    private int recordLength;
    private boolean recordVisible;

    // This run.
    private Transaction transaction;
    private RowSink sink;
    private long now;
    private int rowsLeft;
    private long bytesLeft;
    private long deadline;
    private long mostExamined;
    private boolean paused;
    private boolean late;
    private int steps;
    private long nextClock;

    private LmdbScan(Query query, List<Branch> branches, Stream[] streams) {
        this.query = query;
        this.branches = branches;
        this.streams = streams;
        this.heap = new Stream[streams.length];
    }

    /// Plans a query; `limited` is false to count what matches.
    static LmdbScan of(Query query, boolean limited) {
        List<Filter> filters = query.filters();
        Branch[] branches = new Branch[filters.size()];
        Plan[] plans = new Plan[branches.length];
        int total = 0;
        for (int i = 0; i < branches.length; i++) {
            Filter filter = filters.get(i);
            boolean bounded = limited && filter.limit().isPresent();
            branches[i] = new Branch(filter, bounded ? filter.limit().getAsInt() : Long.MAX_VALUE);
            plans[i] = branches[i].isFull() ? Plan.NOTHING : Planner.plan(filter, branches.length);
            total += plans[i].prefixes().size();
        }
        Stream[] streams = new Stream[total];
        int next = 0;
        for (int i = 0; i < branches.length; i++) {
            int depth = depth(branches[i], plans[i]);
            for (byte[] prefix : plans[i].prefixes()) {
                streams[next++] = new Stream(branches[i], plans[i].table(), prefix, depth);
            }
        }
        LmdbScan scan = new LmdbScan(query, List.of(branches), streams);
        scan.closeEmpty();
        return scan;
    }

    private static int depth(Branch branch, Plan plan) {
        if (plan.table() == Table.ID) {
            return 1;
        }
        long share = branch.left() / Math.max(1, plan.prefixes().size()) + 1;
        return Math.clamp(share, LEAST_DEPTH, MOST_DEPTH);
    }

    /// Filters with a limit of 0 take no part, and say nothing of what there is.
    private void closeEmpty() {
        for (Branch branch : branches) {
            if (branch.isFull()) {
                branch.close();
                unknown = true;
            }
        }
    }

    @Override
    public long watermark() {
        return watermark;
    }

    @Override
    public long replacedUpTo() {
        return replacedUpTo;
    }

    @Override
    public long examined() {
        return examined;
    }

    @Override
    public long rows() {
        return rows;
    }

    @Override
    public Completeness completeness() {
        if (more) {
            return Completeness.MORE;
        }
        return unknown || !done ? Completeness.UNKNOWN : Completeness.FINISHED;
    }

    /// Goes on in a snapshot whose last write is `sequence`, looking at `mostExamined` entries in all at most.
    ///
    /// @return whether the scan is done
    boolean run(Transaction view, long sequence, long seconds, Budget budget, long most, RowSink rowSink) {
        if (done) {
            return true;
        }
        begin(view, seconds, budget, most, rowSink);
        try {
            if (!started) {
                started = true;
                watermark = sequence;
                replacedUpTo = sequence;
            }
            return handOver(sequence) && prepare() && merge();
        } finally {
            transaction = null;
            sink = null;
        }
    }

    private void begin(Transaction view, long seconds, Budget budget, long most, RowSink rowSink) {
        transaction = view;
        sink = rowSink;
        now = seconds;
        rowsLeft = budget.rows();
        bytesLeft = budget.bytes();
        deadline = budget.nanos() == Long.MAX_VALUE ? Long.MAX_VALUE : System.nanoTime() + budget.nanos();
        mostExamined = most;
        paused = false;
        late = false;
        loaded = false;
        steps = 0;
        nextClock = examined + CLOCK_ENTRIES;
    }

    /// Hands over what was written since and may have replaced an older version that is still to come.
    private boolean handOver(long sequence) {
        if (sequence == replacedUpTo) {
            return true;
        }
        long cursor = transaction.cursor(Table.EVENT);
        boolean found = transaction.seek(Table.EVENT, Keys.number(replacedUpTo + 1));
        while (found) {
            long written = Lmdb.MEMORY.get(Lmdb.BE_LONG, transaction.keyAddress());
            examined++;
            handOver(transaction.dataAddress(), transaction.dataLength(), written);
            replacedUpTo = written;
            if (isSpent()) {
                return false;
            }
            found = transaction.next(cursor);
        }
        replacedUpTo = sequence;
        return true;
    }

    private void handOver(long at, int length, long written) {
        if (!KindClass.of(PackedEvent.kind(Lmdb.MEMORY, at)).supersedes() || !query.isVisible(Lmdb.MEMORY, at, now)) {
            return;
        }
        boolean matched = false;
        for (int i = 0; i < branches.size(); i++) {
            Branch branch = branches.get(i);
            if (branch.filter().matches(Lmdb.MEMORY, at)) {
                matched = true;
                branch.take();
            }
        }
        if (matched) {
            send(at, length, written);
        }
    }

    /// Fills each stream for the first time.
    private boolean prepare() {
        while (prepared < streams.length) {
            Stream stream = streams[prepared++];
            examined += stream.fill(transaction, watermark);
            if (stream.hasEntry()) {
                push(stream);
            }
            if (isSpent()) {
                return false;
            }
        }
        return true;
    }

    private boolean merge() {
        while (heapSize > 0 && isWanted()) {
            step();
            if (isSpent()) {
                if (!isOnlyLookingBeyond()) {
                    return heapSize == 0 && finish();
                }
                if (isOutOfTime()) {
                    unknown = true;
                    return finish();
                }
            }
        }
        return finish();
    }

    private boolean finish() {
        endGroup();
        done = true;
        return true;
    }

    private boolean isWanted() {
        for (int i = 0; i < branches.size(); i++) {
            if (branches.get(i).isOpen()) {
                return true;
            }
        }
        return false;
    }

    private boolean isOnlyLookingBeyond() {
        for (int i = 0; i < branches.size(); i++) {
            Branch branch = branches.get(i);
            if (branch.isOpen() && !branch.isFull()) {
                return false;
            }
        }
        return true;
    }

    private void step() {
        Stream stream = heap[0];
        Branch branch = stream.branch();
        if (!branch.isOpen()) {
            removeTop();
            return;
        }
        long time = stream.time();
        long w0 = stream.word(0);
        long w1 = stream.word(1);
        long w2 = stream.word(2);
        long w3 = stream.word(3);
        long reference = stream.reference();
        advance(stream);
        if (reference == 0) {
            return;
        }
        if (time != groupTime || w3 != group3 || w2 != group2 || w1 != group1 || w0 != group0 || groupNumber == 0) {
            endGroup();
            groupNumber++;
            groupTime = time;
            group0 = w0;
            group1 = w1;
            group2 = w2;
            group3 = w3;
        }
        if (branch.isOpen() && branch.enter(groupNumber)) {
            look(branch, Keys.sequence(reference));
        }
    }

    private void advance(Stream stream) {
        stream.drop();
        if (!stream.hasEntry() && !stream.isEnded()) {
            examined += stream.fill(transaction, watermark);
        }
        if (stream.hasEntry()) {
            siftDown();
        } else {
            removeTop();
        }
    }

    private void look(Branch branch, long sequence) {
        if (branch.isFull() && !branch.mayLookBeyond()) {
            unknown = true;
            branch.close();
            return;
        }
        load(sequence);
        if (!recordVisible || !branch.filter().matches(Lmdb.MEMORY, recordAt)) {
            return;
        }
        if (branch.isFull()) {
            groupBeyond = true;
            return;
        }
        branch.take();
        if (!groupSent) {
            groupSent = true;
            send(recordAt, recordLength, sequence);
        }
        if (branch.isFull() && more) {
            branch.close();
        }
    }

    /// Finds the group's record, which may be gone since its entry was read ahead.
    private void load(long sequence) {
        if (loaded) {
            return;
        }
        loaded = true;
        recordVisible = transaction.findEvent(sequence);
        if (recordVisible) {
            recordAt = transaction.dataAddress();
            recordLength = transaction.dataLength();
            recordVisible = query.isVisible(Lmdb.MEMORY, recordAt, now);
        }
    }

    private void endGroup() {
        if (groupBeyond && !groupSent) {
            more = true;
            for (int i = 0; i < branches.size(); i++) {
                if (branches.get(i).isFull()) {
                    branches.get(i).close();
                }
            }
        }
        groupBeyond = false;
        groupSent = false;
        loaded = false;
    }

    private void send(long at, int length, long sequence) {
        rows++;
        rowsLeft--;
        bytesLeft -= length - PackedEvent.jsonOffset(Lmdb.MEMORY, at);
        if (!sink.row(Lmdb.MEMORY, at, length, sequence)) {
            paused = true;
        }
    }

    private boolean isSpent() {
        return paused || rowsLeft <= 0 || bytesLeft <= 0 || isOutOfTime();
    }

    private boolean isOutOfTime() {
        if (!late && deadline != Long.MAX_VALUE && (++steps >= CLOCK_STEPS || examined >= nextClock)) {
            steps = 0;
            nextClock = examined + CLOCK_ENTRIES;
            late = System.nanoTime() - deadline >= 0;
        }
        return late || examined > mostExamined;
    }

    // A binary heap, the stream with the first entry on top.

    private void push(Stream stream) {
        int at = heapSize++;
        while (at > 0) {
            int parent = at - 1 >>> 1;
            if (!stream.isBefore(heap[parent])) {
                break;
            }
            heap[at] = heap[parent];
            at = parent;
        }
        heap[at] = stream;
    }

    private void removeTop() {
        heap[0] = heap[--heapSize];
        heap[heapSize] = null;
        if (heapSize > 0) {
            siftDown();
        }
    }

    private void siftDown() {
        Stream stream = heap[0];
        int at = 0;
        while (true) {
            int child = 2 * at + 1;
            if (child >= heapSize) {
                break;
            }
            if (child + 1 < heapSize && heap[child + 1].isBefore(heap[child])) {
                child++;
            }
            if (!heap[child].isBefore(stream)) {
                break;
            }
            heap[at] = heap[child];
            at = child;
        }
        heap[at] = stream;
    }
}
