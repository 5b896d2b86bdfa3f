package postroad.sync.core;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/// A pattern for one component of a path: `*`, `?`, `[…]` and `\`, on bytes.
///
/// Matching goes back only to the last star, so that it takes at most (pattern × name) comparisons,
/// whatever the pattern.
final class Glob {
    private static final int ANY = 256;
    private static final int STAR = 257;
    private static final int CLASS = 258;

    /// A byte, [#ANY], [#STAR], or [#CLASS] plus an index into `classes`.
    private final int[] parts;

    private final BitSet[] classes;

    /// The fewest bytes that match.
    private final int least;

    private Glob(int[] parts, BitSet[] classes) {
        this.parts = parts;
        this.classes = classes;
        this.least = (int) Arrays.stream(parts).filter(each -> each != STAR).count();
    }

    /// Reads `text[from, to)`.
    ///
    /// @throws IllegalArgumentException naming what is wrong with it
    static Glob of(byte[] text, int from, int to) {
        return new Parser(text, from, to).parse();
    }

    /// How many stars it has, those in a row counted once.
    int stars() {
        return parts.length - least;
    }

    boolean matches(byte[] name, int from, int to) {
        if (to - from < least) {
            return false;
        }
        int tail = parts.length;
        int end = to;
        while (tail > 0 && parts[tail - 1] != STAR) {
            if (end == from || !matches(parts[--tail], name[--end])) {
                return false;
            }
        }
        return tail == 0 ? end == from : matchesUpToStar(name, from, end, tail - 1);
    }

    /// Whether the parts before `lastStar` match the beginning of `name[from, to)`.
    private boolean matchesUpToStar(byte[] name, int from, int to, int lastStar) {
        int part = 0;
        int at = from;
        int afterStar = -1;
        int starredTo = 0;
        while (part < lastStar) {
            if (parts[part] == STAR) {
                afterStar = ++part;
                starredTo = at;
            } else if (at < to && matches(parts[part], name[at])) {
                part++;
                at++;
            } else if (afterStar >= 0 && starredTo < to) {
                part = afterStar;
                at = ++starredTo;
            } else {
                return false;
            }
        }
        return true;
    }

    private boolean matches(int part, byte value) {
        int unsigned = Byte.toUnsignedInt(value);
        if (part < ANY) {
            return part == unsigned;
        }
        return part == ANY || classes[part - CLASS].get(unsigned);
    }

    /// Reads one pattern.
    private static final class Parser {
        private final byte[] text;
        private final int to;
        private final int[] parts;
        private final List<BitSet> classes = new ArrayList<>();
        private int at;
        private int count;

        Parser(byte[] text, int from, int to) {
            this.text = text;
            this.to = to;
            parts = new int[to - from];
            at = from;
        }

        Glob parse() {
            while (at < to) {
                byte each = text[at++];
                switch (each) {
                    case '*' -> addStar();
                    case '?' -> parts[count++] = ANY;
                    case '[' -> addClass();
                    case '\\' -> parts[count++] = Byte.toUnsignedInt(escaped());
                    default -> parts[count++] = Byte.toUnsignedInt(each);
                }
            }
            return new Glob(Arrays.copyOf(parts, count), classes.toArray(new BitSet[0]));
        }

        private void addStar() {
            if (count == 0 || parts[count - 1] != STAR) {
                parts[count++] = STAR;
            }
        }

        private byte escaped() {
            if (at == to) {
                throw new IllegalArgumentException("a pattern's component ends with a backslash");
            }
            return text[at++];
        }

        private void addClass() {
            boolean negated = at < to && (text[at] == '!' || text[at] == '^');
            if (negated) {
                at++;
            }
            BitSet set = new BitSet(256);
            for (boolean first = true; first || peek() != ']'; first = false) {
                addRange(set);
            }
            at++;
            if (negated) {
                set.flip(0, 256);
            }
            parts[count++] = CLASS + classes.size();
            classes.add(set);
        }

        private void addRange(BitSet set) {
            if (peek() == '[' && at + 1 < to && text[at + 1] == ':') {
                addNamed(set);
                return;
            }
            int low = bound();
            if (at + 1 < to && text[at] == '-' && text[at + 1] != ']') {
                at++;
                int high = bound();
                if (high < low) {
                    throw new IllegalArgumentException("a range in a pattern runs backwards");
                }
                set.set(low, high + 1);
            } else {
                set.set(low);
            }
        }

        private int bound() {
            byte each = peek();
            at++;
            return Byte.toUnsignedInt(each == '\\' ? escaped() : each);
        }

        private byte peek() {
            if (at >= to) {
                throw new IllegalArgumentException("a pattern has a [ without its ]");
            }
            return text[at];
        }

        private void addNamed(BitSet set) {
            for (NamedClass each : NamedClass.values()) {
                byte[] named = each.text();
                int end = at + named.length;
                if (end <= to && Arrays.equals(text, at, end, named, 0, named.length)) {
                    each.addTo(set);
                    at = end;
                    return;
                }
            }
            throw new IllegalArgumentException("a pattern names an unknown class [:…:]");
        }
    }
}
