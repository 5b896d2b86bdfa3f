package postroad.nostr.store;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
import postroad.common.lmdb.Lmdb;
import postroad.nostr.core.Filter;
import postroad.nostr.core.PackedEvent;

/// One run of keys with a common beginning, read ahead into a small buffer, so that it outlives its snapshot.
///
/// It remembers the last key it looked at and goes on behind it in whatever snapshot comes next. An entry is six
/// numbers: time, id, reference. A reference of 0 marks a place where nothing was found yet: the walk passed
/// [#MOST_SKIPPED] entries that can't match, and stopped so that its scan can look at the clock.
final class Stream {
    private static final int ENTRY = 6;
    private static final int MOST_SKIPPED = 256;

    private final Branch branch;
    private final Table table;
    private final byte[] prefix;
    private final MemorySegment prefixSegment;
    private final Optional<Filter.Kinds> kinds;
    private final long since;
    private final int depth;
    private final long[] entries;

    private int head;
    private int count;
    private boolean ended;

    // The last key looked at; before the first walk, where to begin.
    private boolean begun;
    private long time;
    private long w0;
    private long w1;
    private long w2;
    private long w3;

    Stream(Branch branch, Table table, byte[] prefix, int depth) {
        this.branch = branch;
        this.table = table;
        this.prefix = prefix;
        this.prefixSegment = MemorySegment.ofArray(prefix);
        this.depth = depth;
        this.entries = new long[depth * ENTRY];
        this.since = branch.filter().since();
        this.time = branch.filter().until();
        boolean keyHasKind = table == Table.KIND || table == Table.AUTHOR_KIND;
        this.kinds = keyHasKind ? Optional.empty() : branch.filter().kinds();
    }

    Branch branch() {
        return branch;
    }

    /// Whether the buffer holds an entry.
    boolean hasEntry() {
        return head < count;
    }

    /// Whether nothing comes after what the buffer holds.
    boolean isEnded() {
        return ended;
    }

    long time() {
        return entries[head * ENTRY];
    }

    long word(int index) {
        return entries[head * ENTRY + 1 + index];
    }

    long reference() {
        return entries[head * ENTRY + 5];
    }

    /// Drops the first entry of the buffer.
    void drop() {
        head++;
    }

    /// Whether this stream's first entry comes before the other's: newer, or of the same time with a lower id.
    boolean isBefore(Stream other) {
        int a = head * ENTRY;
        int b = other.head * ENTRY;
        if (entries[a] != other.entries[b]) {
            return entries[a] > other.entries[b];
        }
        for (int i = 1; i < 5; i++) {
            if (entries[a + i] != other.entries[b + i]) {
                return Long.compareUnsigned(entries[a + i], other.entries[b + i]) < 0;
            }
        }
        return false;
    }

    /// Fills the empty buffer with what comes next; returns how many entries of the index it looked at.
    int fill(Transaction transaction, long watermark) {
        head = 0;
        count = 0;
        return table == Table.ID ? fillById(transaction, watermark) : fillInOrder(transaction, watermark);
    }

    private int fillById(Transaction transaction, long watermark) {
        ended = true;
        if (!transaction.find(Table.ID, prefix)) {
            return 1;
        }
        long reference = transaction.dataLong();
        if (isWanted(reference, watermark) && transaction.findEvent(Keys.sequence(reference))) {
            long at = transaction.dataAddress();
            add(PackedEvent.createdAt(Lmdb.MEMORY, at), 0, reference);
            for (int i = 0; i < 4; i++) {
                entries[1 + i] = prefixSegment.get(Lmdb.BE_LONG, 8L * i);
            }
        }
        return 1;
    }

    private int fillInOrder(Transaction transaction, long watermark) {
        long cursor = transaction.cursor(table);
        int looked = 1;
        boolean found = transaction.seek(cursor, prefix, time, w0, w1, w2, w3);
        if (found && begun && isLast(transaction)) {
            found = transaction.next(cursor);
            looked++;
        }
        while (found && hasPrefix(transaction)) {
            long order = transaction.keyAddress() + prefix.length;
            long createdAt = ~Lmdb.MEMORY.get(Lmdb.BE_LONG, order);
            if (createdAt < since) {
                break;
            }
            long reference = transaction.dataLong();
            boolean wanted = isWanted(reference, watermark);
            if (wanted) {
                add(createdAt, order + 8, reference);
            }
            if (count == depth || looked >= MOST_SKIPPED) {
                if (count == 0) {
                    add(createdAt, order + 8, 0);
                }
                remember(createdAt, order + 8);
                return looked;
            }
            found = transaction.next(cursor);
            looked++;
        }
        ended = true;
        return looked;
    }

    private boolean isWanted(long reference, long watermark) {
        return Keys.sequence(reference) <= watermark
                && (kinds.isEmpty() || kinds.get().contains(Keys.kind(reference)));
    }

    private void add(long createdAt, long id, long reference) {
        int at = count * ENTRY;
        entries[at] = createdAt;
        if (id != 0) {
            entries[at + 1] = Lmdb.MEMORY.get(Lmdb.BE_LONG, id);
            entries[at + 2] = Lmdb.MEMORY.get(Lmdb.BE_LONG, id + 8);
            entries[at + 3] = Lmdb.MEMORY.get(Lmdb.BE_LONG, id + 16);
            entries[at + 4] = Lmdb.MEMORY.get(Lmdb.BE_LONG, id + 24);
        }
        entries[at + 5] = reference;
        count++;
    }

    private void remember(long createdAt, long id) {
        begun = true;
        time = createdAt;
        w0 = Lmdb.MEMORY.get(Lmdb.BE_LONG, id);
        w1 = Lmdb.MEMORY.get(Lmdb.BE_LONG, id + 8);
        w2 = Lmdb.MEMORY.get(Lmdb.BE_LONG, id + 16);
        w3 = Lmdb.MEMORY.get(Lmdb.BE_LONG, id + 24);
    }

    private boolean isLast(Transaction transaction) {
        long order = transaction.keyAddress() + prefix.length;
        return hasPrefix(transaction)
                && ~Lmdb.MEMORY.get(Lmdb.BE_LONG, order) == time
                && Lmdb.MEMORY.get(Lmdb.BE_LONG, order + 8) == w0
                && Lmdb.MEMORY.get(Lmdb.BE_LONG, order + 16) == w1
                && Lmdb.MEMORY.get(Lmdb.BE_LONG, order + 24) == w2
                && Lmdb.MEMORY.get(Lmdb.BE_LONG, order + 32) == w3;
    }

    private boolean hasPrefix(Transaction transaction) {
        long key = transaction.keyAddress();
        int at = 0;
        for (; at + 8 <= prefix.length; at += 8) {
            if (Lmdb.MEMORY.get(Lmdb.BE_LONG, key + at) != prefixSegment.get(Lmdb.BE_LONG, at)) {
                return false;
            }
        }
        for (; at < prefix.length; at++) {
            if (Lmdb.MEMORY.get(ValueLayout.JAVA_BYTE, key + at) != prefix[at]) {
                return false;
            }
        }
        return true;
    }
}
