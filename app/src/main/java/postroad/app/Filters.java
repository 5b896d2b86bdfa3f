package postroad.app;

import java.util.List;
import postroad.nostr.core.Filter;
import postroad.nostr.core.FilterParser;

/// Reads filters from the command line.
final class Filters {
    private static final int MAX_VALUES = 1_000_000;

    private Filters() {}

    static List<Filter> parse(List<String> texts) {
        FilterParser parser = new FilterParser(MAX_VALUES);
        return texts.stream().map(text -> parse(parser, text)).toList();
    }

    private static Filter parse(FilterParser parser, String text) {
        return switch (parser.parse(text)) {
            case FilterParser.Result.Parsed(Filter filter) -> filter;
            case FilterParser.Result.Refused(String reason) ->
                throw new UsageException("the filter " + text + " is not one: " + reason);
        };
    }

    /// The filter without what lies before `since` or after `until`.
    static Filter within(Filter filter, long since, long until) {
        return new Filter(
                filter.ids(),
                filter.authors(),
                filter.kinds(),
                filter.tags(),
                Math.max(filter.since(), since),
                Math.min(filter.until(), until),
                filter.limit());
    }
}
