package postroad.nostr.core;

import static java.nio.charset.StandardCharsets.UTF_8;

/// Reads a filter from its JSON text, as strictly as in a REQ: for command lines and tests. Owned by one thread.
public final class FilterParser {
    private final JsonCursor cursor = new JsonCursor();
    private final FilterReader reader;

    /// A parser that refuses filters with more than `maxValues` values over all their lists.
    public FilterParser(int maxValues) {
        reader = new FilterReader(maxValues);
    }

    /// Reads the filter that `json` is.
    public Result parse(String json) {
        byte[] bytes = json.getBytes(UTF_8);
        cursor.reset(bytes, 0, bytes.length);
        try {
            Filter filter = reader.read(cursor);
            cursor.takeEnd();
            return new Result.Parsed(filter);
        } catch (Refusal refusal) {
            return new Result.Refused(where(bytes, cursor.position(), refusal.reason()));
        } finally {
            cursor.clear();
        }
    }

    private static String where(byte[] bytes, int position, String reason) {
        if (reason.contains("at byte")) {
            return reason;
        }
        int from = Math.max(0, position - 20);
        String before = new String(bytes, from, position - from, UTF_8);
        return reason + " (at byte " + position + ", after " + (from > 0 ? "…" : "") + before + ")";
    }

    /// What became of the text.
    public sealed interface Result {
        /// A filter.
        record Parsed(Filter filter) implements Result {}

        /// No filter: why, with the prefix a relay would use, and where.
        record Refused(String reason) implements Result {}
    }
}
