package postroad.sync.core;

import java.nio.charset.StandardCharsets;

/// Words for people that cross the wire: bounded, and safe to print.
final class Texts {
    /// The most bytes of a software's name and version.
    static final int MAX_SOFTWARE = 64;
    /// The most bytes of a reason.
    static final int MAX_REASON = 1024;
    /// The most bytes of a path in its shown form: each byte of it may take four.
    static final int MAX_SHOWN_PATH = 4 * TreePath.MAX_LENGTH;

    private Texts() {}

    /// `text` without what could move a cursor or break a line, in at most `limit` bytes of UTF-8.
    static String safe(String text, int limit) {
        StringBuilder safe = new StringBuilder(Math.min(text.length(), limit));
        int bytes = 0;
        for (int at = 0; at < text.length(); ) {
            int point = text.codePointAt(at);
            at += Character.charCount(point);
            int shown = Shown.isUnsafe(point) ? '?' : point;
            bytes += lengthInUtf8(shown);
            if (bytes > limit) {
                break;
            }
            safe.appendCodePoint(shown);
        }
        return safe.toString();
    }

    private static int lengthInUtf8(int point) {
        if (point < 0x80) {
            return 1;
        }
        if (point < 0x800) {
            return 2;
        }
        return point < 0x10000 ? 3 : 4;
    }

    static byte[] toBytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
