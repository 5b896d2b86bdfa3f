package postroad.nostr.core;

/// Finds the id in an event that could not be read, so that the refusal can name it.
///
/// Looks at strings and brackets only, whatever else is wrong with the text.
final class IdFinder {
    /// Longer ids are cut: a peer's nonsense is not repeated at length.
    private static final int MOST_CHARACTERS = 64;

    private final byte[] bytes;
    private final int end;
    private int at;

    private IdFinder(byte[] bytes, int from, int to) {
        this.bytes = bytes;
        this.at = from;
        this.end = to;
    }

    /// The value of the key `id` of the first object from `from` on, "" where there is none.
    static String find(byte[] bytes, int from, int to) {
        return new IdFinder(bytes, from, to).find();
    }

    private String find() {
        int depth = 0;
        while (at < end) {
            byte b = bytes[at];
            if (b == '"') {
                int from = at + 1;
                int to = skipString();
                if (depth == 1 && isId(from, to) && takeColon()) {
                    return value();
                }
                continue;
            }
            at++;
            if (b == '{' || b == '[') {
                depth++;
            } else if (b == '}' || b == ']') {
                depth--;
            }
        }
        return "";
    }

    private boolean isId(int from, int to) {
        return to - from == 2 && bytes[from] == 'i' && bytes[from + 1] == 'd';
    }

    private boolean takeColon() {
        skipSpace();
        if (at < end && bytes[at] == ':') {
            at++;
            skipSpace();
            return at < end && bytes[at] == '"';
        }
        return false;
    }

    private String value() {
        int from = at;
        int to = skipString();
        if (to == end) {
            return "";
        }
        try {
            JsonCursor cursor = new JsonCursor();
            cursor.reset(bytes, from, to + 1);
            String text = cursor.string();
            return text.codePointCount(0, text.length()) <= MOST_CHARACTERS
                    ? text
                    : new String(text.codePoints().limit(MOST_CHARACTERS).toArray(), 0, MOST_CHARACTERS);
        } catch (Refusal refusal) {
            return "";
        }
    }

    /// Goes over the string at `at`; the place of its closing quote, or the end.
    private int skipString() {
        at++;
        while (at < end && bytes[at] != '"') {
            at += bytes[at] == '\\' ? 2 : 1;
        }
        int closing = Math.min(at, end);
        at = Math.min(at + 1, end);
        return closing;
    }

    private void skipSpace() {
        while (at < end && bytes[at] <= ' ' && bytes[at] > 0) {
            at++;
        }
    }
}
