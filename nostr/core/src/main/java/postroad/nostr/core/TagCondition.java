package postroad.nostr.core;

import java.lang.foreign.MemorySegment;
import java.util.List;

/// A filter's demand on the tags of one letter: `#x`, any of the values, or `&x`, all of them (NIP-91).
///
/// Values are distinct. An empty list matches nothing, whichever it is.
public record TagCondition(char letter, boolean all, List<TagValue> values) {
    /// Copies the values, dropping repeats.
    public TagCondition {
        values = values.stream().distinct().toList();
    }

    /// Whether the packed event meets the demand.
    public boolean matches(MemorySegment base, long at) {
        return all ? hasAll(base, at) : hasAny(base, at);
    }

    private boolean hasAny(MemorySegment base, long at) {
        long end = PackedEvent.tagsEnd(base, at);
        for (long tag = PackedEvent.firstTag(at); tag < end; tag = PackedEvent.nextTag(base, tag)) {
            if (PackedEvent.tagLetter(base, tag) == letter && isOneOfOurs(base, tag)) {
                return true;
            }
        }
        return false;
    }

    private boolean hasAll(MemorySegment base, long at) {
        if (values.isEmpty()) {
            return false;
        }
        for (int i = 0; i < values.size(); i++) {
            if (!has(base, at, values.get(i))) {
                return false;
            }
        }
        return true;
    }

    private boolean has(MemorySegment base, long at, TagValue value) {
        long end = PackedEvent.tagsEnd(base, at);
        for (long tag = PackedEvent.firstTag(at); tag < end; tag = PackedEvent.nextTag(base, tag)) {
            if (PackedEvent.tagLetter(base, tag) == letter && value.isAt(base, tag)) {
                return true;
            }
        }
        return false;
    }

    private boolean isOneOfOurs(MemorySegment base, long tag) {
        for (int i = 0; i < values.size(); i++) {
            if (values.get(i).isAt(base, tag)) {
                return true;
            }
        }
        return false;
    }
}
