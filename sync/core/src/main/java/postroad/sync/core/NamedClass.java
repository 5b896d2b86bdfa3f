package postroad.sync.core;

import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.Locale;

/// A named set of ASCII bytes inside the brackets of a pattern, as POSIX has them: `[:digit:]`.
enum NamedClass {
    ALNUM("09AZaz"),
    ALPHA("AZaz"),
    BLANK("\t\t  "),
    CNTRL("\u0000\u001f\u007f\u007f"),
    DIGIT("09"),
    GRAPH("!~"),
    LOWER("az"),
    PRINT(" ~"),
    PUNCT("!/:@[`{~"),
    SPACE("\t\r  "),
    UPPER("AZ"),
    XDIGIT("09AFaf");

    private final String bounds;

    /// `bounds`: first and last of each range.
    NamedClass(String bounds) {
        this.bounds = bounds;
    }

    /// As it is written.
    byte[] text() {
        return ("[:" + name().toLowerCase(Locale.ROOT) + ":]").getBytes(StandardCharsets.US_ASCII);
    }

    void addTo(BitSet set) {
        for (int i = 0; i < bounds.length(); i += 2) {
            set.set(bounds.charAt(i), bounds.charAt(i + 1) + 1);
        }
    }
}
