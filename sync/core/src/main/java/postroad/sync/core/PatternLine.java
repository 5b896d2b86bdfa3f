package postroad.sync.core;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// One pattern for names to leave alone, or with a leading `!` for names not to, as a line of gitignore
/// means it.
///
/// | in a pattern | means |
/// |---|---|
/// | `*` | any bytes of one component |
/// | `?` | any one byte of a component |
/// | `[a-z]`, `[!a]`, `[^a]`, `[[:digit:]]` | one byte of, or not of, a set |
/// | `**/` first, `/**/` | any number of folders, also none |
/// | `/**` last | everything inside, at any depth |
/// | `/` first or inside | the pattern begins at the root; without one it is for a name at any depth |
/// | `/` last | folders only |
/// | `!` first | takes names back that an earlier pattern excludes |
/// | `\` | the next byte stands for itself |
///
/// What could never match (a `[` left open, an empty component, `..`) is refused: a pattern protects
/// names, and one that is silently without effect does not.
public final class PatternLine {
    /// The most bytes of one.
    public static final int MAX_LENGTH = 1024;

    private final byte[] text;
    private final boolean include;
    private final boolean foldersOnly;
    private final boolean anchored;

    /// One for each component; none stands for `**`.
    private final List<Optional<Glob>> components;

    private PatternLine(
            byte[] text, boolean include, boolean foldersOnly, boolean anchored, List<Optional<Glob>> components) {
        this.text = text;
        this.include = include;
        this.foldersOnly = foldersOnly;
        this.anchored = anchored;
        this.components = components;
    }

    /// Reads a pattern; blanks and a leading `#` are part of it.
    ///
    /// @throws IllegalArgumentException naming what is wrong with it
    public static PatternLine of(byte[] text) {
        if (text.length > MAX_LENGTH) {
            throw new IllegalArgumentException("a pattern has " + text.length + " bytes, more than " + MAX_LENGTH);
        }
        boolean include = text.length > 0 && text[0] == '!';
        int from = include ? 1 : 0;
        int to = text.length;
        boolean foldersOnly = to > from && text[to - 1] == '/';
        if (foldersOnly) {
            to--;
        }
        boolean anchored = contains(text, from, to, '/');
        if (to > from && text[from] == '/') {
            from++;
        }
        if (from >= to) {
            throw new IllegalArgumentException("a pattern is empty");
        }
        if (contains(text, from, to, 0)) {
            throw new IllegalArgumentException("a pattern has a NUL");
        }
        return new PatternLine(text.clone(), include, foldersOnly, anchored, components(text, from, to, anchored));
    }

    private static boolean contains(byte[] text, int from, int to, int value) {
        for (int at = from; at < to; at++) {
            if (text[at] == value) {
                return true;
            }
        }
        return false;
    }

    private static List<Optional<Glob>> components(byte[] text, int from, int to, boolean anchored) {
        List<Optional<Glob>> components = new ArrayList<>();
        int begin = from;
        for (int at = from; at <= to; at++) {
            if (at == to || text[at] == '/') {
                add(components, text, begin, at, anchored);
                begin = at + 1;
            }
        }
        return List.copyOf(components);
    }

    private static void add(List<Optional<Glob>> components, byte[] text, int from, int to, boolean anchored) {
        int length = to - from;
        if (length == 0) {
            throw new IllegalArgumentException("a pattern has an empty component");
        }
        if (text[from] == '.' && (length == 1 || length == 2 && text[from + 1] == '.')) {
            throw new IllegalArgumentException("a pattern has a component . or .., which no name is");
        }
        boolean any = anchored && length == 2 && text[from] == '*' && text[from + 1] == '*';
        if (!any) {
            components.add(Optional.of(Glob.of(text, from, to)));
        } else if (components.isEmpty() || components.getLast().isPresent()) {
            components.add(Optional.empty());
        }
    }

    /// The pattern that takes back what `text` is for: `!` before it.
    ///
    /// @throws IllegalArgumentException naming what is wrong with it
    public static PatternLine including(byte[] text) {
        byte[] line = new byte[text.length + 1];
        line[0] = '!';
        System.arraycopy(text, 0, line, 1, text.length);
        return of(line);
    }

    /// The pattern that is for `path` alone, whatever letters are in it.
    ///
    /// @throws IllegalArgumentException if that is longer than a pattern may be
    public static PatternLine naming(TreePath path) {
        ByteArrayOutputStream line = new ByteArrayOutputStream(path.length() + 8);
        line.write('/');
        for (byte each : path.toBytes()) {
            if ("*?[]\\!".indexOf(each) >= 0) {
                line.write('\\');
            }
            line.write(each);
        }
        return of(line.toByteArray());
    }

    /// Reads a file of patterns: a line each; blank lines, lines that begin with `#`, blanks at a
    /// line's end (unless after a backslash), a byte order mark and carriage returns before line feeds
    /// are nothing.
    ///
    /// @throws IllegalArgumentException naming the line and what is wrong with it
    public static List<PatternLine> ofFile(byte[] content) {
        List<PatternLine> lines = new ArrayList<>();
        int number = 1;
        int from = startsWithMark(content) ? 3 : 0;
        for (int at = from; at <= content.length; at++) {
            if (at == content.length || content[at] == '\n') {
                addLine(lines, content, from, at, number++);
                from = at + 1;
            }
        }
        return lines;
    }

    private static boolean startsWithMark(byte[] content) {
        return content.length >= 3
                && content[0] == (byte) 0xef
                && content[1] == (byte) 0xbb
                && content[2] == (byte) 0xbf;
    }

    private static void addLine(List<PatternLine> lines, byte[] content, int from, int to, int number) {
        int end = trimmed(content, from, to > from && content[to - 1] == '\r' ? to - 1 : to);
        if (end == from || content[from] == '#') {
            return;
        }
        try {
            lines.add(of(Arrays.copyOfRange(content, from, end)));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("line " + number + ": " + e.getMessage(), e);
        }
    }

    private static int trimmed(byte[] content, int from, int to) {
        int end = to;
        while (end > from
                && (content[end - 1] == ' ' || content[end - 1] == '\t')
                && !isEscaped(content, from, end - 1)) {
            end--;
        }
        return end;
    }

    /// Whether an odd number of backslashes is right before `at`.
    private static boolean isEscaped(byte[] content, int from, int at) {
        int slashes = 0;
        while (at - slashes > from && content[at - slashes - 1] == '\\') {
            slashes++;
        }
        return slashes % 2 == 1;
    }

    /// A fresh array of the line as it was written.
    public byte[] toBytes() {
        return text.clone();
    }

    int length() {
        return text.length;
    }

    /// Whether a name may have to be compared more than once with the same part of it: when it has two
    /// stars or more, of which `**` is two.
    boolean isWide() {
        return components.stream()
                        .mapToInt(each -> each.map(Glob::stars).orElse(2))
                        .sum()
                > 1;
    }

    /// Whether it takes names back instead of excluding them.
    public boolean isInclude() {
        return include;
    }

    /// Whether it is about this name; says nothing of names inside a folder that it is about.
    boolean matches(byte[] path, int nameFrom, Kind kind) {
        if (foldersOnly && kind != Kind.FOLDER) {
            return false;
        }
        if (!anchored) {
            return components.getFirst().orElseThrow().matches(path, nameFrom, path.length);
        }
        return matchesFromRoot(path);
    }

    /// The same walk as in [Glob], over components: `**` takes none, and one more each time that what
    /// follows it fails.
    private boolean matchesFromRoot(byte[] path) {
        int component = 0;
        int at = 0;
        int afterAny = -1;
        int anyTo = 0;
        while (at <= path.length) {
            int end = endOfName(path, at);
            if (component < components.size() && components.get(component).isEmpty()) {
                if (++component == components.size()) {
                    return true;
                }
                afterAny = component;
                anyTo = at;
            } else if (component < components.size()
                    && components.get(component).get().matches(path, at, end)) {
                component++;
                at = end + 1;
            } else if (afterAny >= 0) {
                component = afterAny;
                anyTo = endOfName(path, anyTo) + 1;
                at = anyTo;
            } else {
                return false;
            }
        }
        return component == components.size();
    }

    private static int endOfName(byte[] path, int from) {
        int at = from;
        while (at < path.length && path[at] != '/') {
            at++;
        }
        return at;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PatternLine line && Arrays.equals(text, line.text);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(text);
    }

    @Override
    public String toString() {
        return Shown.of(text);
    }
}
