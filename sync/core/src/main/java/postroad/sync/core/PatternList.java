package postroad.sync.core;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Names that a session leaves alone: a list of patterns of which the last that matches decides, or
/// several such lists of which each one can exclude.
public final class PatternList {
    /// Nothing is excluded.
    public static final PatternList NONE = new PatternList(List.of());
    /// The most lines of one list.
    public static final int MAX_LINES = 4096;
    /// The most bytes of all lines of one list.
    public static final int MAX_BYTES = 128 << 10;

    /// The most bytes of those lines of one list that have two stars or more: to decide on a name may
    /// take as many comparisons as the product of these bytes and the name's.
    public static final int MAX_WIDE_BYTES = 16 << 10;
    /// The most lists: one of each side.
    static final int MAX_LISTS = 2;

    private final List<List<PatternLine>> lists;

    private PatternList(List<List<PatternLine>> lists) {
        this.lists = lists;
    }

    /// One list, the line that counts most last.
    ///
    /// @throws IllegalArgumentException if it is longer than the limits
    public static PatternList of(List<PatternLine> lines) {
        if (lines.size() > MAX_LINES) {
            throw new IllegalArgumentException(lines.size() + " patterns, more than " + MAX_LINES);
        }
        checkBytes(lines.stream(), MAX_BYTES, "patterns");
        checkBytes(lines.stream().filter(PatternLine::isWide), MAX_WIDE_BYTES, "patterns with two stars or more");
        return lines.isEmpty() ? NONE : new PatternList(List.of(List.copyOf(lines)));
    }

    private static void checkBytes(Stream<PatternLine> lines, int limit, String what) {
        int bytes = lines.mapToInt(PatternLine::length).sum();
        if (bytes > limit) {
            throw new IllegalArgumentException(what + " have " + bytes + " bytes together, more than " + limit);
        }
    }

    /// One list with more lines after its own, so that they count most.
    ///
    /// @throws IllegalArgumentException if it is longer than the limits
    /// @throws IllegalStateException if these are the lists of both sides already
    public PatternList with(List<PatternLine> more) {
        if (lists.size() > 1) {
            throw new IllegalStateException("two sides have their patterns in it");
        }
        return of(Stream.concat(lines(), more.stream()).toList());
    }

    /// Excludes what this one or `other` excludes.
    ///
    /// @throws IllegalArgumentException if that makes more than two lists
    public PatternList and(PatternList other) {
        List<List<PatternLine>> both = new ArrayList<>(lists);
        other.lists.stream().filter(each -> !both.contains(each)).forEach(both::add);
        if (both.size() > MAX_LISTS) {
            throw new IllegalArgumentException("patterns of " + both.size() + " sides");
        }
        return new PatternList(List.copyOf(both));
    }

    /// The lists, as they go over the wire.
    List<List<PatternLine>> lists() {
        return lists;
    }

    /// All lines of all lists.
    public Stream<PatternLine> lines() {
        return lists.stream().flatMap(List::stream);
    }

    /// Whether nothing is excluded.
    public boolean isEmpty() {
        return lists.isEmpty();
    }

    /// Whether `path` is left alone, given that the folder it is in is not. What is inside an excluded
    /// folder is excluded with it and cannot be taken back, so that a walk need not look inside.
    ///
    /// @param kind what it is; for what is neither file, folder nor link, [Kind#FILE]
    public boolean excludes(TreePath path, Kind kind) {
        if (lists.isEmpty()) {
            return false;
        }
        byte[] bytes = path.raw();
        int nameFrom = bytes.length;
        while (nameFrom > 0 && bytes[nameFrom - 1] != '/') {
            nameFrom--;
        }
        for (List<PatternLine> each : lists) {
            if (excludes(each, bytes, nameFrom, kind)) {
                return true;
            }
        }
        return false;
    }

    private static boolean excludes(List<PatternLine> lines, byte[] path, int nameFrom, Kind kind) {
        for (int i = lines.size() - 1; i >= 0; i--) {
            PatternLine line = lines.get(i);
            if (line.matches(path, nameFrom, kind)) {
                return !line.isInclude();
            }
        }
        return false;
    }

    /// Whether `path` or a folder that it is in is left alone.
    public boolean excludesDeeply(TreePath path, Kind kind) {
        if (lists.isEmpty()) {
            return false;
        }
        TreePath at = path;
        Kind kindOfIt = kind;
        while (!excludes(at, kindOfIt)) {
            if (at.isTop()) {
                return false;
            }
            at = at.parent();
            kindOfIt = Kind.FOLDER;
        }
        return true;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PatternList list && lists.equals(list.lists);
    }

    @Override
    public int hashCode() {
        return lists.hashCode();
    }

    @Override
    public String toString() {
        return lists.toString();
    }
}
