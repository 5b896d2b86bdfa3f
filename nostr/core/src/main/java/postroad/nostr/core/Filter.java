package postroad.nostr.core;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedSet;
import postroad.common.Bytes32;

/// One filter of a REQ or COUNT (NIP-01, NIP-91). An absent list demands nothing; an empty one matches nothing.
///
/// `since` and `until` are inclusive, in seconds; [Long#MIN_VALUE] and [Long#MAX_VALUE] where absent.
public record Filter(
        Optional<Set32> ids,
        Optional<Set32> authors,
        Optional<Kinds> kinds,
        List<TagCondition> tags,
        long since,
        long until,
        OptionalInt limit) {
    /// Matches every event.
    public static final Filter ALL = new Filter(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            List.of(),
            Long.MIN_VALUE,
            Long.MAX_VALUE,
            OptionalInt.empty());

    /// Copies the list.
    public Filter {
        tags = List.copyOf(tags);
    }

    /// Whether the packed event meets every demand; `limit` does not take part.
    public boolean matches(MemorySegment base, long at) {
        long createdAt = PackedEvent.createdAt(base, at);
        if (createdAt < since || createdAt > until) {
            return false;
        }
        if (kinds.isPresent() && !kinds.get().contains(PackedEvent.kind(base, at))) {
            return false;
        }
        if (authors.isPresent() && !authors.get().contains(PackedEvent.author(base, at))) {
            return false;
        }
        if (ids.isPresent() && !ids.get().contains(PackedEvent.id(base, at))) {
            return false;
        }
        for (int i = 0; i < tags.size(); i++) {
            if (!tags.get(i).matches(base, at)) {
                return false;
            }
        }
        return true;
    }

    /// Whether no event at all can match: an empty list, or `since` after `until`.
    public boolean matchesNothing() {
        return since > until
                || ids.isPresent() && ids.get().isEmpty()
                || authors.isPresent() && authors.get().isEmpty()
                || kinds.isPresent() && kinds.get().isEmpty()
                || tags.stream().anyMatch(tag -> tag.values().isEmpty());
    }

    /// The filter as JSON, which [FilterParser] reads back as an equal filter.
    public String json() {
        CanonicalText text = new CanonicalText(256);
        FilterWriter.write(this, text);
        return text.toString();
    }

    /// The same filter with another limit.
    public Filter withLimit(int newLimit) {
        return new Filter(ids, authors, kinds, tags, since, until, OptionalInt.of(newLimit));
    }

    /// A sorted set of ids or keys.
    public static final class Set32 {
        private final Bytes32[] sorted;

        private Set32(Bytes32[] sorted) {
            this.sorted = sorted;
        }

        /// The distinct values.
        public static Set32 of(List<Bytes32> values) {
            if (values.size() == 1) {
                return new Set32(new Bytes32[] {values.getFirst()});
            }
            return new Set32(values.stream().sorted().distinct().toArray(Bytes32[]::new));
        }

        /// Whether `value` is in the set.
        public boolean contains(Bytes32 value) {
            if (sorted.length == 1) {
                return sorted[0].equals(value);
            }
            return java.util.Arrays.binarySearch(sorted, value) >= 0;
        }

        /// How many values there are.
        public int size() {
            return sorted.length;
        }

        /// The value at `index` in ascending order.
        public Bytes32 get(int index) {
            return sorted[index];
        }

        /// Whether there is none.
        public boolean isEmpty() {
            return sorted.length == 0;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Set32 that && java.util.Arrays.equals(sorted, that.sorted);
        }

        @Override
        public int hashCode() {
            return java.util.Arrays.hashCode(sorted);
        }

        @Override
        public String toString() {
            return java.util.Arrays.toString(sorted);
        }
    }

    /// A sorted set of kinds.
    public static final class Kinds {
        private final int[] sorted;

        private Kinds(int[] sorted) {
            this.sorted = sorted;
        }

        /// The distinct kinds.
        public static Kinds of(int... kinds) {
            return new Kinds(java.util.Arrays.stream(kinds).sorted().distinct().toArray());
        }

        /// The distinct kinds of a set.
        public static Kinds of(SortedSet<Integer> kinds) {
            return of(kinds.stream().mapToInt(Integer::intValue).toArray());
        }

        /// Whether `kind` is in the set.
        public boolean contains(int kind) {
            if (sorted.length <= 8) {
                for (int one : sorted) {
                    if (one == kind) {
                        return true;
                    }
                }
                return false;
            }
            return java.util.Arrays.binarySearch(sorted, kind) >= 0;
        }

        /// How many kinds there are.
        public int size() {
            return sorted.length;
        }

        /// The kind at `index` in ascending order.
        public int get(int index) {
            return sorted[index];
        }

        /// Whether there is none.
        public boolean isEmpty() {
            return sorted.length == 0;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Kinds that && java.util.Arrays.equals(sorted, that.sorted);
        }

        @Override
        public int hashCode() {
            return java.util.Arrays.hashCode(sorted);
        }

        @Override
        public String toString() {
            return java.util.Arrays.toString(sorted);
        }
    }
}
