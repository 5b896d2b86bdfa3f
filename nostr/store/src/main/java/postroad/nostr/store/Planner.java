package postroad.nostr.store;

import java.util.ArrayList;
import java.util.List;
import postroad.common.Bytes32;
import postroad.nostr.core.Filter;
import postroad.nostr.core.TagCondition;
import postroad.nostr.core.TagValue;

/// Picks the table that a filter is answered from: the most selective one whose streams are few enough.
///
/// In this order: ids, tag values, authors with kinds, authors, kinds, time. It never looks at the data, so the same
/// filter always gets the same plan.
final class Planner {
    /// Streams of all filters of a query together; each holds a buffer and costs a seek.
    private static final int MOST_STREAMS = 4096;

    /// Beyond so many kinds an author's whole index with kinds left out on the way is the shorter walk.
    private static final int MOST_KINDS_AN_AUTHOR = 32;

    private Planner() {}

    /// The plan of one filter among `filters` of a query.
    static Plan plan(Filter filter, int filters) {
        if (filter.matchesNothing() || filter.until() < 0) {
            return Plan.NOTHING;
        }
        if (filter.ids().isPresent()) {
            return new Plan(Table.ID, bytes(filter.ids().get()));
        }
        int most = Math.max(64, MOST_STREAMS / filters);
        TagCondition tag = mostSelective(filter);
        if (tag != null && streams(tag) <= most) {
            return new Plan(Table.TAG, prefixes(tag));
        }
        if (filter.authors().isPresent()) {
            return byAuthor(filter, filter.authors().get(), most);
        }
        return byKind(filter, most);
    }

    private static Plan byAuthor(Filter filter, Filter.Set32 authors, int most) {
        if (filter.kinds().isPresent()
                && filter.kinds().get().size() <= MOST_KINDS_AN_AUTHOR
                && (long) authors.size() * filter.kinds().get().size() <= most) {
            return new Plan(Table.AUTHOR_KIND, pairs(authors, filter.kinds().get()));
        }
        if (authors.size() <= most) {
            return new Plan(Table.AUTHOR, bytes(authors));
        }
        return byKind(filter, most);
    }

    private static Plan byKind(Filter filter, int most) {
        if (filter.kinds().isPresent() && filter.kinds().get().size() <= most) {
            return new Plan(Table.KIND, prefixes(filter.kinds().get()));
        }
        return new Plan(Table.TIME, List.of(new byte[0]));
    }

    /// The tag condition with the fewest streams, among equals one on ids or keys; null when none is of use.
    ///
    /// A `d` tag says little without its author ("" is everybody's), so with authors it is left to them.
    private static TagCondition mostSelective(Filter filter) {
        TagCondition best = null;
        for (TagCondition tag : filter.tags()) {
            if (tag.values().isEmpty()
                    || tag.letter() == 'd' && filter.authors().isPresent()) {
                continue;
            }
            if (best == null || weight(tag) < weight(best)) {
                best = tag;
            }
        }
        return best;
    }

    private static int weight(TagCondition tag) {
        return 2 * streams(tag) + (lead(tag).isRaw() ? 0 : 1);
    }

    private static int streams(TagCondition tag) {
        return tag.all() ? 1 : tag.values().size();
    }

    /// The value that stands for a condition which demands all of its values.
    private static TagValue lead(TagCondition tag) {
        for (TagValue value : tag.values()) {
            if (value.isRaw()) {
                return value;
            }
        }
        return tag.values().getFirst();
    }

    private static List<byte[]> prefixes(TagCondition tag) {
        if (tag.all()) {
            return List.of(Keys.tag(tag.letter(), lead(tag)));
        }
        List<byte[]> prefixes = new ArrayList<>(tag.values().size());
        for (TagValue value : tag.values()) {
            prefixes.add(Keys.tag(tag.letter(), value));
        }
        return prefixes;
    }

    private static List<byte[]> pairs(Filter.Set32 authors, Filter.Kinds kinds) {
        List<byte[]> prefixes = new ArrayList<>(authors.size() * kinds.size());
        for (int i = 0; i < authors.size(); i++) {
            Bytes32 author = authors.get(i);
            for (int j = 0; j < kinds.size(); j++) {
                prefixes.add(Keys.authorKind(author, kinds.get(j)));
            }
        }
        return prefixes;
    }

    private static List<byte[]> prefixes(Filter.Kinds kinds) {
        List<byte[]> prefixes = new ArrayList<>(kinds.size());
        for (int i = 0; i < kinds.size(); i++) {
            prefixes.add(Keys.kindPrefix(kinds.get(i)));
        }
        return prefixes;
    }

    private static List<byte[]> bytes(Filter.Set32 values) {
        List<byte[]> bytes = new ArrayList<>(values.size());
        for (int i = 0; i < values.size(); i++) {
            bytes.add(values.get(i).toArray());
        }
        return bytes;
    }
}
