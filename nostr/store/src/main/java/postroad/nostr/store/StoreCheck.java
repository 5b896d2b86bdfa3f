package postroad.nostr.store;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import postroad.common.Bytes32;
import postroad.common.lmdb.Lmdb;
import postroad.nostr.core.Event;
import postroad.nostr.core.EventLimits;
import postroad.nostr.core.EventParser;
import postroad.nostr.core.KindClass;
import postroad.nostr.core.PackedEvent;

/// Walks a whole store and proves that records and indexes say the same.
///
/// Every record must be what its id stands for, byte by byte, and must have each key that its content
/// asks for, with its own reference; and no table may hold more keys than records asked for. No stored
/// event may be one that a tombstone forbids.
public final class StoreCheck {
    private static final int MOST_PROBLEMS = 20;

    private final Transaction view;
    private final EventParser parser = new EventParser(EventLimits.HARD);
    private final List<String> problems = new ArrayList<>();
    private final long[] expected = new long[Table.count()];
    private long events;

    private StoreCheck(Transaction view) {
        this.view = view;
    }

    /// What was found: how many events there are, and what does not fit, the first twenty at most.
    public record Report(long events, List<String> problems) {
        /// Copies the list.
        public Report {
            problems = List.copyOf(problems);
        }
    }

    static Report of(Transaction view) {
        StoreCheck check = new StoreCheck(view);
        check.walkEvents();
        check.compareCounts();
        return new Report(check.events, check.problems);
    }

    private void walkEvents() {
        long last = 0;
        boolean found = view.first(Table.EVENT);
        while (found && problems.size() < MOST_PROBLEMS) {
            long number = Lmdb.MEMORY.get(Lmdb.BE_LONG, view.keyAddress());
            checkEvent(number, view.dataAddress(), view.dataLength());
            events++;
            last = number;
            found = view.next(view.cursor(Table.EVENT));
        }
        if (last > view.sequence()) {
            problem("event " + last + " is behind the sequence number " + view.sequence());
        }
    }

    private void checkEvent(long number, long at, int length) {
        MemorySegment base = Lmdb.MEMORY;
        if (!isWellFormed(at, length)) {
            problem("record " + number + " is damaged");
            return;
        }
        if (!isGenuine(at, length)) {
            problem("record " + number + " is not what its id stands for");
            return;
        }
        long reference = Keys.reference(number, PackedEvent.kind(base, at));
        requireReference(Table.ID, Keys.id(PackedEvent.id(base, at)), reference);
        expected[Table.ID.index()]++;
        TreeSet<byte[]> tagKeys = new TreeSet<>(Arrays::compareUnsigned);
        Keys.ofEvent(base, at, number, (table, key) -> {
            if (table != Table.TAG || tagKeys.add(key)) {
                requireReference(table, key, reference);
                expected[table.index()]++;
            }
        });
        if (KindClass.of(PackedEvent.kind(base, at)).supersedes()) {
            expected[Table.ADDRESS.index()]++;
            requireAddress(base, at, number, reference);
        }
        requireNoTombstone(base, at, number);
    }

    /// Whether lengths inside a record add up, so that nothing reads beyond it.
    private static boolean isWellFormed(long at, int length) {
        if (length < PackedEvent.firstTag(0)) {
            return false;
        }
        int json = PackedEvent.jsonOffset(Lmdb.MEMORY, at);
        if (json < PackedEvent.firstTag(0) || json >= length) {
            return false;
        }
        long end = PackedEvent.tagsEnd(Lmdb.MEMORY, at);
        long tag = PackedEvent.firstTag(at);
        while (tag + 4 <= end) {
            tag = PackedEvent.nextTag(Lmdb.MEMORY, tag);
        }
        return tag == end;
    }

    /// Whether the JSON, parsed anew and its id checked, gives these very bytes.
    private boolean isGenuine(long at, int length) {
        int offset = PackedEvent.jsonOffset(Lmdb.MEMORY, at);
        byte[] json = Keys.copy(at + offset, length - offset);
        return parser.parse(json, 0, json.length) instanceof EventParser.Result.Parsed(Event event)
                && event.packedLength() == length
                && MemorySegment.mismatch(event.packed(), 0, length, Lmdb.MEMORY, at, at + length) < 0;
    }

    private void requireReference(Table table, byte[] key, long reference) {
        if (!view.find(table, key) || view.dataLong() != reference) {
            problem("record " + Keys.sequence(reference) + " is not in the table " + table.title());
        }
    }

    private void requireAddress(MemorySegment base, long at, long number, long reference) {
        byte[] value = Keys.addressValue(PackedEvent.createdAt(base, at), PackedEvent.id(base, at), reference);
        if (!view.find(Table.ADDRESS, Keys.address(base, at))
                || !Arrays.equals(Keys.copy(view.dataAddress(), view.dataLength()), value)) {
            problem("record " + number + " is not the newest version of its address");
        }
    }

    private void requireNoTombstone(MemorySegment base, long at, long number) {
        int kind = PackedEvent.kind(base, at);
        if (kind == Keys.Kinds.VANISH) {
            return;
        }
        List<Bytes32> owners = new ArrayList<>(Keys.recipients(base, at));
        owners.add(PackedEvent.author(base, at));
        Bytes32 id = PackedEvent.id(base, at);
        long createdAt = PackedEvent.createdAt(base, at);
        for (Bytes32 owner : owners) {
            if (view.vanishedUpTo(Keys.goneAuthor(owner)) >= createdAt) {
                problem("record " + number + " is of or to an author who has vanished");
            }
            if (kind != Keys.Kinds.DELETION && view.find(Table.TOMBSTONE, Keys.goneId(id, owner))) {
                problem("record " + number + " was deleted");
            }
        }
        if (KindClass.of(kind).supersedes()
                && view.find(Table.TOMBSTONE, Keys.goneAddress(Keys.address(base, at)))
                && view.dataLong() >= createdAt) {
            problem("record " + number + " was deleted by its address");
        }
        if (KindClass.of(kind).supersedes()
                && view.find(Table.TOMBSTONE, Keys.goneVersions(Keys.address(base, at)))
                && Batch.isAtOrBefore(base, at, view.dataAddress())) {
            problem("record " + number + " is older than a version that was deleted");
        }
    }

    private void compareCounts() {
        for (Table table : Table.values()) {
            boolean counted = table.isOrdered() || table == Table.ID || table == Table.EXPIRY || table == Table.ADDRESS;
            if (counted && view.entries(table) != expected[table.index()]) {
                problem("the table " + table.title() + " has " + view.entries(table) + " keys where records ask for "
                        + expected[table.index()]);
            }
        }
    }

    private void problem(String text) {
        if (problems.size() < MOST_PROBLEMS) {
            problems.add(text);
        }
    }
}
