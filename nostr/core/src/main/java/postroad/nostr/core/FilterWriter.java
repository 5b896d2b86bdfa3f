package postroad.nostr.core;

/// Writes filters as JSON.
final class FilterWriter {
    private final CanonicalText text;
    private boolean first = true;

    private FilterWriter(CanonicalText text) {
        this.text = text;
    }

    /// Appends `filter` to `text`.
    static void write(Filter filter, CanonicalText text) {
        text.raw("{");
        new FilterWriter(text).members(filter);
        text.raw("}");
    }

    private void members(Filter filter) {
        filter.ids().ifPresent(ids -> set("ids", ids));
        filter.authors().ifPresent(authors -> set("authors", authors));
        filter.kinds().ifPresent(this::kinds);
        filter.tags().forEach(this::tag);
        if (filter.since() != Long.MIN_VALUE) {
            key("since").number(filter.since());
        }
        if (filter.until() != Long.MAX_VALUE) {
            key("until").number(filter.until());
        }
        filter.limit().ifPresent(limit -> key("limit").number(limit));
    }

    private void set(String name, Filter.Set32 values) {
        key(name).raw("[");
        for (int i = 0; i < values.size(); i++) {
            text.raw(i > 0 ? "," : "").string(values.get(i).hex());
        }
        text.raw("]");
    }

    private void kinds(Filter.Kinds kinds) {
        key("kinds").raw("[");
        for (int i = 0; i < kinds.size(); i++) {
            text.raw(i > 0 ? "," : "").number(kinds.get(i));
        }
        text.raw("]");
    }

    private void tag(TagCondition tag) {
        key((tag.all() ? "&" : "#") + tag.letter()).raw("[");
        for (int i = 0; i < tag.values().size(); i++) {
            text.raw(i > 0 ? "," : "").string(tag.values().get(i).text());
        }
        text.raw("]");
    }

    private CanonicalText key(String name) {
        text.raw(first ? "" : ",").string(name).raw(":");
        first = false;
        return text;
    }
}
