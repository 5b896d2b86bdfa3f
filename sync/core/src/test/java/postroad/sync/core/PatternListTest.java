package postroad.sync.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Patterns mean what they mean in a gitignore file, on bytes, and cost no more than their length times
/// a name's.
class PatternListTest {
    /// A pattern, names that it excludes, names that it does not; a name that ends with `/` is a
    /// folder.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a          | a a/ x/a              | b aa x/b",
                "*.o        | a.o .o x/y/z.o        | a.oo o a.O",
                "/a         | a a/                  | x/a",
                "a/         | a/ x/a/               | a x/a",
                "a/b        | a/b a/b/              | x/a/b b",
                "/a/        | a/                    | a x/a/",
                "a/b/       | a/b/                  | a/b x/a/b/",
                "a/*        | a/b a/c/              | a a/b/c",
                "a/**       | a/b a/b/c a/b/        | a a/ x/a/b",
                "**/a       | a x/a x/y/a           | xa a/x",
                "**/a/b     | a/b x/a/b x/y/a/b     | x/b a/x/b",
                "a/**/b     | a/b a/x/b a/x/y/b     | ab a/xb x/a/b",
                "a/**/**/b  | a/b a/x/b             | ab",
                "**         | a x/y                 | ",
                "**/        | a/ x/y/               | a",
                "/**        | a x/y                 | ",
                "a**b       | ab axb                | a/b",
                "x/a**b     | x/ab x/aaab           | x/a/b",
                "a?c        | abc a.c               | ac abbc",
                "a?b        | axb                   | a/b",
                "[a-c]x     | ax bx cx              | dx x",
                "[!a-c]x    | dx -x                 | ax bx x",
                "[^a-c]x    | dx                    | ax",
                "[]]        | ]                     | a [",
                "[!]]       | a                     | ]",
                "[a-]       | a -                   | b",
                "[-a]       | a -                   | b",
                "[\\]a]     | ] a                   | b",
                "[a\\-c]    | a - c                 | b",
                "[[:digit:]_] | 0 9 _               | a : [",
                "[![:alpha:]] | 1                   | a Z",
                "[[:space:][:upper:]] | A           | a 1",
                "\\*        | *                     | a",
                "\\!a       | !a                    | a",
                "\\#a       | #a                    | a",
                "#a         | #a                    | a",
                "a\\b       | ab                    | a",
                "x/\\*/y    | x/*/y                 | x/a/y",
                "*          | a .a x/a              | ",
                "*a*a*      | aa xaxax              | a x",
                "***a       | a xa                  | ax",
                "a/*/b      | a/x/b                 | a/b a/x/y/b",
                "*/b        | a/b                   | b a/x/b",
            })
    void aPatternExcludesTheseNamesAndNotThose(String pattern, String yes, String no) {
        PatternList list = list(pattern);

        for (String name : names(yes)) {
            assertThat(excludes(list, name)).as("%s and %s", pattern, name).isTrue();
        }
        for (String name : names(no)) {
            assertThat(excludes(list, name)).as("%s and %s", pattern, name).isFalse();
        }
    }

    private static List<String> names(String all) {
        return all == null ? List.of() : List.of(all.split(" +", -1));
    }

    @Test
    void theLastPatternThatMatchesDecides() {
        PatternList list = list("*.o", "!keep.o", "x/keep.o");

        assertThat(excludes(list, "a.o")).isTrue();
        assertThat(excludes(list, "keep.o")).isFalse();
        assertThat(excludes(list, "y/keep.o")).isFalse();
        assertThat(excludes(list, "x/keep.o")).isTrue();
    }

    @Test
    void whatIsInsideAnExcludedFolderCannotBeTakenBack() {
        PatternList list = list("build/", "!build/keep");

        assertThat(list.excludes(TreePath.of("build/keep"), Kind.FILE)).isFalse();
        assertThat(list.excludesDeeply(TreePath.of("build/keep"), Kind.FILE)).isTrue();
        assertThat(list.excludesDeeply(TreePath.of("build/a/b/c"), Kind.LINK)).isTrue();
        assertThat(list.excludesDeeply(TreePath.of("built/keep"), Kind.FILE)).isFalse();
    }

    @Test
    void aDeepPathIsAskedDeeply() {
        TreePath deep = TreePath.of("a/".repeat(16_000) + "b");

        assertThat(list("b/").excludesDeeply(deep, Kind.FILE)).isFalse();
        assertThat(list("/a").excludesDeeply(deep, Kind.FILE)).isTrue();
    }

    @Test
    void bytesThatAreNoTextAreMatched() {
        TreePath path = TreePath.of(new byte[] {'a', (byte) 0xff, (byte) 0x80});

        assertThat(PatternList.of(List.of(PatternLine.of(new byte[] {'*', (byte) 0x80})))
                        .excludes(path, Kind.FILE))
                .isTrue();
        assertThat(PatternList.of(
                                List.of(PatternLine.of(new byte[] {'a', '[', (byte) 0xf0, '-', (byte) 0xff, ']', '?'})))
                        .excludes(path, Kind.FILE))
                .isTrue();
        assertThat(list("a??").excludes(path, Kind.FILE)).isTrue();
    }

    @Test
    void nothingIsExcludedByNothing() {
        assertThat(PatternList.NONE.excludes(TreePath.of("a"), Kind.FILE)).isFalse();
        assertThat(PatternList.of(List.of())).isSameAs(PatternList.NONE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "!",
                "/",
                "!/",
                "//",
                "a//b",
                "//a",
                "a//",
                ".",
                "..",
                "./a",
                "../a",
                "a/./b",
                "a/..",
                "a\\",
                "\\",
                "[",
                "[a",
                "[]",
                "[!]",
                "[z-a]",
                "[a/b]",
                "a[",
                "[[:nonsense:]]",
                "[\\",
                "a\0b"
            })
    void whatCouldNeverMatchIsRefused(String pattern) {
        assertThatThrownBy(() -> PatternLine.of(SlowPatterns.bytes(pattern)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("a ");
    }

    @Test
    void patternsAreLimitedInNumberAndLength() {
        PatternLine longest = PatternLine.of(SlowPatterns.bytes("a".repeat(PatternLine.MAX_LENGTH)));
        PatternLine shortest = PatternLine.of(SlowPatterns.bytes("a"));

        assertThatThrownBy(() -> PatternLine.of(new byte[PatternLine.MAX_LENGTH + 1]))
                .isInstanceOf(IllegalArgumentException.class);
        PatternList.of(Collections.nCopies(128, longest));
        assertThatThrownBy(() -> PatternList.of(Collections.nCopies(129, longest)))
                .isInstanceOf(IllegalArgumentException.class);
        PatternList.of(Collections.nCopies(PatternList.MAX_LINES, shortest));
        assertThatThrownBy(() -> PatternList.of(Collections.nCopies(PatternList.MAX_LINES + 1, shortest)))
                .isInstanceOf(IllegalArgumentException.class);
        PatternLine wide = PatternLine.of(SlowPatterns.bytes("**/" + "a".repeat(PatternLine.MAX_LENGTH - 3)));
        PatternList.of(Collections.nCopies(16, wide));
        assertThatThrownBy(() -> PatternList.of(Collections.nCopies(17, wide)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("two stars");
        assertThatThrownBy(() -> list("a").and(list("b")).and(list("c"))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aFileHasCommentsBlanksAndLineEndsOfEachKind() {
        byte[] file = SlowPatterns.bytes(
                "\u00ef\u00bb\u00bf# a comment\n\n   \n*.o\r\na b \t\n\\#x\nkeep\\ \nc\\\\ \n!d\n#\n e");

        List<String> lines = PatternLine.ofFile(file).stream()
                .map(each -> new String(each.toBytes(), StandardCharsets.ISO_8859_1))
                .toList();

        assertThat(lines).containsExactly("*.o", "a b", "\\#x", "keep\\ ", "c\\\\", "!d", " e");
    }

    @Test
    void aFaultInAFileIsToldWithItsLine() {
        assertThatThrownBy(() -> PatternLine.ofFile(SlowPatterns.bytes("a\n# b\n[c\n")))
                .hasMessage("line 3: a pattern has a [ without its ]");
    }

    @Test
    void includingIsExcludingWithAMark() {
        assertThat(PatternLine.including(SlowPatterns.bytes("a"))).isEqualTo(PatternLine.of(SlowPatterns.bytes("!a")));
        assertThat(PatternLine.including(SlowPatterns.bytes("a")).isInclude()).isTrue();
    }

    @Test
    void decidesAsRegularExpressionsDo() {
        Random random = new Random(7);
        int excluded = 0;
        for (int round = 0; round < 20_000; round++) {
            List<String> lines = new ArrayList<>();
            for (int i = 1 + random.nextInt(4); i > 0; i--) {
                lines.add(randomPattern(random));
            }
            PatternList list = list(lines.toArray(new String[0]));
            for (int i = 0; i < 5; i++) {
                String path = randomPath(random);
                boolean folder = random.nextBoolean();
                boolean expected = SlowPatterns.excludes(lines, path, folder);

                boolean actual = excludes(list, folder ? path + "/" : path);

                assertThat(actual)
                        .as("%s and %s, folder %s", lines, path, folder)
                        .isEqualTo(expected);
                excluded += expected ? 1 : 0;
            }
        }
        assertThat(excluded).isBetween(10_000, 90_000);
    }

    private static final String[] PARTS = {
        "a", "b", "ab", "*", "?", "[ab]", "[!a]", "[^b]", "[a-b]", "\\a", "**", "a*", "*b", "."
    };

    private static String randomPattern(Random random) {
        StringBuilder pattern = new StringBuilder(random.nextInt(4) == 0 ? "!" : "");
        pattern.append(random.nextInt(4) == 0 ? "/" : "");
        int names = 1 + random.nextInt(4);
        for (int i = 0; i < names; i++) {
            pattern.append(i == 0 ? "" : "/").append(random.nextInt(4) == 0 ? "**" : randomName(random));
        }
        return pattern.append(random.nextInt(4) == 0 ? "/" : "").toString();
    }

    private static String randomName(Random random) {
        StringBuilder name = new StringBuilder();
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            name.append(PARTS[random.nextInt(PARTS.length)]);
        }
        return name.toString().matches("\\.\\.?") ? "a" : name.toString();
    }

    private static String randomPath(Random random) {
        StringBuilder path = new StringBuilder();
        for (int i = 1 + random.nextInt(5); i > 0; i--) {
            path.append(path.isEmpty() ? "" : "/");
            for (int j = 1 + random.nextInt(4); j > 0; j--) {
                path.append("aab.c".charAt(random.nextInt(5)));
            }
            if (path.toString().matches("(.*/)?\\.\\.?")) {
                path.append('a');
            }
        }
        return path.toString();
    }

    /// Patterns that make a matcher which tries all ways run for years: here their cost is a product of
    /// two lengths.
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void hostilePatternsEndSoon(int kind) {
        String pattern = switch (kind) {
            case 0 -> "*a".repeat(500) + "b";
            case 1 -> "*?".repeat(120) + "b";
            case 2 -> "**/a/".repeat(200) + "b";
            default -> "/" + "**/*a*/".repeat(120) + "b";
        };
        PatternLine[] lines = new PatternLine[PatternList.MAX_WIDE_BYTES / pattern.length()];
        Arrays.fill(lines, PatternLine.of(SlowPatterns.bytes(pattern)));
        PatternList list = PatternList.of(List.of(lines));

        assertThat(list.excludes(TreePath.of("a".repeat(255)), Kind.FILE)).isFalse();
        assertThat(list.excludes(TreePath.of("aaaaaaa/".repeat(3000) + "c"), Kind.FILE))
                .isFalse();
    }

    private static boolean excludes(PatternList list, String name) {
        boolean folder = name.endsWith("/");
        String path = folder ? name.substring(0, name.length() - 1) : name;
        return list.excludes(TreePath.of(SlowPatterns.bytes(path)), folder ? Kind.FOLDER : Kind.FILE);
    }

    private static PatternList list(String... lines) {
        return PatternList.of(List.of(lines).stream()
                .map(each -> PatternLine.of(SlowPatterns.bytes(each)))
                .toList());
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "a/b", "*", "a/[b]?", "!x", "#x", "back\\slash", "x ", "\\", "]", "a/**", "-"})
    void aPatternThatNamesAPathIsForThatPathAlone(String path) {
        PatternList list = PatternList.of(List.of(PatternLine.of("!**".getBytes(StandardCharsets.UTF_8))))
                .with(List.of(PatternLine.naming(TreePath.of(path))));

        assertThat(list.excludes(TreePath.of(path), Kind.FOLDER)).isTrue();
        assertThat(list.excludes(TreePath.of(path), Kind.FILE)).isTrue();
        for (String other : List.of("x", "ab", "a/c", "q/" + path, path + "x", path + "/x")) {
            assertThat(!other.equals(path) && list.excludes(TreePath.of(other), Kind.FILE))
                    .as(other)
                    .isFalse();
        }
    }
}
