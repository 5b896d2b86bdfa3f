package postroad.app;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import postroad.nostr.client.GivenFilter;
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

    /// Filters for a relay that may know more than we do: they are sent as they are, whatever is in them.
    ///
    /// @throws UsageException when one is no JSON object
    static List<GivenFilter> given(List<String> texts) {
        FilterParser parser = new FilterParser(MAX_VALUES);
        return texts.stream()
                .map(text -> new GivenFilter(text, known(parser, text)))
                .toList();
    }

    /// The filter of those members that are understood here.
    private static Filter known(FilterParser parser, String text) {
        if (parser.parse(text) instanceof FilterParser.Result.Parsed(Filter whole)) {
            return whole;
        }
        // Made only for the filters that need it: it costs a start more than all the rest of this class.
        ObjectMapper json = new ObjectMapper()
                .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
        ObjectNode known = json.createObjectNode();
        for (Map.Entry<String, JsonNode> member : object(json, text).properties()) {
            ObjectNode alone = json.createObjectNode();
            alone.set(member.getKey(), member.getValue());
            if (parser.parse(alone.toString()) instanceof FilterParser.Result.Parsed) {
                known.set(member.getKey(), member.getValue());
            }
        }
        return parser.parse(known.toString()) instanceof FilterParser.Result.Parsed(Filter some) ? some : Filter.ALL;
    }

    private static ObjectNode object(ObjectMapper json, String text) {
        try {
            if (json.readTree(text) instanceof ObjectNode object) {
                return object;
            }
            throw new UsageException(
                    "the filter " + text + " is not one: it must be a JSON object, such as {\"kinds\":[1]}");
        } catch (JsonProcessingException e) {
            throw new UsageException("the filter " + text + " is not JSON: " + e.getOriginalMessage());
        }
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
