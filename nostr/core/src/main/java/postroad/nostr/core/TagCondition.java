package postroad.nostr.core;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/// A filter's demand on the tags of one letter: `#x`, any of the values, or `&x`, all of them (NIP-91).
///
/// Values are distinct. An empty list matches nothing, whichever it is. Immutable. An event is matched in one pass over
/// its tags whatever the number of values: both may go into the thousands.
public final class TagCondition {
    /// Up to so many values are compared one by one.
    private static final int FEW = 4;

    private final char letter;
    private final boolean all;
    private final List<TagValue> values;

    /// For many values: index + 1 of a value at the place its hash points to or the next free one after it; a power of
    /// two at least twice their number. Empty for few.
    private final int[] table;

    /// Copies the values, dropping repeats.
    public TagCondition(char letter, boolean all, List<TagValue> values) {
        this.letter = letter;
        this.all = all;
        this.values = values.stream().distinct().toList();
        this.table = this.values.size() <= FEW ? new int[0] : table(this.values);
    }

    private static int[] table(List<TagValue> values) {
        int[] table = new int[Integer.highestOneBit(values.size()) * 4];
        for (int i = 0; i < values.size(); i++) {
            int place = values.get(i).hashCode() & table.length - 1;
            while (table[place] != 0) {
                place = place + 1 & table.length - 1;
            }
            table[place] = i + 1;
        }
        return table;
    }

    /// Which tags.
    public char letter() {
        return letter;
    }

    /// Whether all of the values must be there, not just one.
    public boolean all() {
        return all;
    }

    /// The values, without repeats.
    public List<TagValue> values() {
        return values;
    }

    /// Whether the packed event meets the demand.
    public boolean matches(MemorySegment base, long at) {
        return all ? hasAll(base, at) : hasAny(base, at);
    }

    private boolean hasAny(MemorySegment base, long at) {
        long end = PackedEvent.tagsEnd(base, at);
        for (long tag = PackedEvent.firstTag(at); tag < end; tag = PackedEvent.nextTag(base, tag)) {
            if (find(base, tag) >= 0) {
                return true;
            }
        }
        return false;
    }

    private boolean hasAll(MemorySegment base, long at) {
        if (table.length > 0) {
            return hasAllOfMany(base, at);
        }
        int found = 0;
        long end = PackedEvent.tagsEnd(base, at);
        for (long tag = PackedEvent.firstTag(at); tag < end; tag = PackedEvent.nextTag(base, tag)) {
            int index = find(base, tag);
            found |= index < 0 ? 0 : 1 << index;
        }
        return found != 0 && found == (1 << values.size()) - 1;
    }

    private boolean hasAllOfMany(MemorySegment base, long at) {
        BitSet found = new BitSet(values.size());
        long end = PackedEvent.tagsEnd(base, at);
        for (long tag = PackedEvent.firstTag(at); tag < end; tag = PackedEvent.nextTag(base, tag)) {
            int index = find(base, tag);
            if (index >= 0) {
                found.set(index);
            }
        }
        return found.cardinality() == values.size();
    }

    /// Which of the values the tag entry has, −1 for none and for another letter.
    private int find(MemorySegment base, long tag) {
        if (PackedEvent.tagLetter(base, tag) != letter) {
            return -1;
        }
        if (table.length > 0) {
            return lookUp(base, tag);
        }
        for (int i = 0; i < values.size(); i++) {
            if (values.get(i).isAt(base, tag)) {
                return i;
            }
        }
        return -1;
    }

    private int lookUp(MemorySegment base, long tag) {
        int place = TagValue.hashAt(base, tag) & table.length - 1;
        while (table[place] != 0) {
            if (values.get(table[place] - 1).isAt(base, tag)) {
                return table[place] - 1;
            }
            place = place + 1 & table.length - 1;
        }
        return -1;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TagCondition that
                && letter == that.letter
                && all == that.all
                && values.equals(that.values);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(new int[] {letter, all ? 1 : 0, values.hashCode()});
    }

    @Override
    public String toString() {
        return (all ? "&" : "#") + letter + values;
    }
}
