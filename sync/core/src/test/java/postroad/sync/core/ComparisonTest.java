package postroad.sync.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What the receiver does for an entry, case by case.
///
/// Sides are written as `file SIZE TIME MODE`, `folder TIME MODE`, `link TARGET TIME`, `none` or
/// `special`; verdicts by name with the letters of what changes: Created, cOntent, Time, Mode, tarGet,
/// Replaced.
class ComparisonTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // nothing there
                "none | file 0 5 644        | Whole COTM",
                "none | file 131071 5 644   | Whole COTM",
                "none | file 131072 5 644   | Whole COTM",
                "none | folder 5 755        | Make CTM",
                "none | link x 5            | Make CTG",
                // files
                "file 10 5 644 | file 10 5 644     | UpToDate",
                "file 10 5 644 | file 10 5 600     | Metadata M",
                "file 10 5 4755 | file 10 5 755    | UpToDate",
                "file 10 6 644 | file 10 5 644     | WantRecipe T",
                "file 10 6 644 | file 10 5 600     | WantRecipe TM",
                "file 11 5 644 | file 10 5 644     | Whole O",
                "file 11 6 600 | file 10 5 644     | Whole OTM",
                "file 0 6 644 | file 0 5 644       | Metadata T",
                "file 1 5 644 | file 0 5 644       | Whole O",
                "file 0 5 644 | file 1 5 644       | Whole O",
                "file 1 5 644 | file 131071 5 644  | Whole O",
                "file 1 5 644 | file 131072 5 644  | WantRecipe O",
                "file 0 5 644 | file 131072 5 644  | Whole O",
                "file 131072 6 644 | file 131072 5 644 | WantRecipe T",
                // folders and links
                "folder 5 755 | folder 5 755       | UpToDate",
                "folder 6 700 | folder 5 755       | Metadata TM",
                "folder 5 2755 | folder 5 755      | UpToDate",
                "link x 5 | link x 5               | UpToDate",
                "link x 6 | link x 5               | Metadata T",
                "link y 5 | link x 5               | Make G",
                "link y 6 | link x 5               | Make TG",
                // another kind
                "link x 5 | file 10 5 644          | Whole OTMR",
                "file 10 5 644 | link x 5          | Make TGR",
                "file 10 5 644 | folder 5 755      | Make TMR",
                "link x 5 | folder 5 755           | Make TMR",
                "folder 5 755 | file 10 5 644      | KindConflict",
                "folder 5 755 | link x 5           | KindConflict",
                "special | file 10 5 644           | KindConflict",
                "special | folder 5 755            | KindConflict",
            })
    void withoutOptions(String local, String remote, String verdict) {
        assertThat(shown(new Comparison(false, 0, false, 0777).compare(local(local), entry(remote), false)))
                .isEqualTo(verdict);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "none | file 131071 5 644              | Whole COTM",
                "none | file 131072 5 644              | WantRecipe COTM",
                "file 0 5 644 | file 131072 5 644      | WantRecipe O",
                "link x 5 | file 131072 5 644          | WantRecipe OTMR",
                "file 10 5 644 | file 10 5 644         | UpToDate",
            })
    void withSomethingToReuse(String local, String remote, String verdict) {
        assertThat(shown(new Comparison(false, 0, false, 0777).compare(local(local), entry(remote), true)))
                .isEqualTo(verdict);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "file 10 5 644 | file 10 5 644         | WantRecipe ",
                "file 0 5 644 | file 0 5 644           | UpToDate",
                "file 10 5 644 | file 10 5 600         | WantRecipe M",
                "file 11 5 644 | file 10 5 644         | Whole O",
                "folder 5 755 | folder 5 755           | UpToDate",
                "link x 5 | link x 5                   | UpToDate",
            })
    void withChecksum(String local, String remote, String verdict) {
        assertThat(shown(new Comparison(true, 0, false, 0777).compare(local(local), entry(remote), false))
                        .trim())
                .isEqualTo(verdict.trim());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "folder 5 755 | file 10 5 644          | Whole OTMR",
                "folder 5 755 | link x 5               | Make TGR",
                "special | file 10 5 644               | Whole OTMR",
                "special | folder 5 755                | Make TMR",
            })
    void withDelete(String local, String remote, String verdict) {
        assertThat(shown(new Comparison(false, 0, true, 0777).compare(local(local), entry(remote), false)))
                .isEqualTo(verdict);
    }

    @ParameterizedTest
    @CsvSource({
        "5, 0, 5, 0, 0, true",
        "5, 0, 5, 1, 0, false",
        "5, 0, 5, 100, 100, true",
        "5, 0, 5, 101, 100, false",
        "5, 999999999, 6, 0, 1, true",
        "6, 0, 5, 999999999, 1, true",
        "6, 0, 5, 999999998, 1, false",
        "5, 0, 7, 0, 2000000000, true",
        "5, 0, 7, 1, 2000000000, false",
        "7, 1, 5, 0, 2000000000, false",
        "-1, 999999999, 0, 0, 1, true",
        "9223372036854775807, 0, -9223372036854775808, 0, 2000000000, false",
        "-9223372036854775808, 0, 9223372036854775807, 0, 2000000000, false",
        "9223372036854775807, 0, -1, 0, 2000000000, false",
        "9223372036854775807, 5, 9223372036854775807, 6, 1, true",
    })
    void timesAreEqualWithinTheTolerance(
            long seconds, int nanos, long otherSeconds, int otherNanos, long tolerance, boolean equal) {
        Entry local = new Entry(TreePath.of("a"), Kind.FOLDER, 0, seconds, nanos, 0755, LinkTarget.NONE);
        Entry remote = new Entry(TreePath.of("a"), Kind.FOLDER, 0, otherSeconds, otherNanos, 0755, LinkTarget.NONE);

        Verdict verdict =
                new Comparison(false, tolerance, false, 0777).compare(new Local.Present(local), remote, false);

        assertThat(verdict).isEqualTo(equal ? new Verdict.UpToDate() : new Verdict.Metadata(Outcome.TIME));
    }

    @Test
    void setIdBitsCountWhenAskedFor() {
        Verdict verdict =
                new Comparison(false, 0, false, 07777).compare(local("file 10 5 755"), entry("file 10 5 4755"), false);

        assertThat(verdict).isEqualTo(new Verdict.Metadata(Outcome.MODE));
    }

    @Test
    void senselessRulesAreRefused() {
        assertThatThrownBy(() -> new Comparison(false, -1, false, 0777)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Comparison(false, Long.MAX_VALUE, false, 0777))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Comparison(false, 0, false, 010000)).isInstanceOf(IllegalArgumentException.class);
    }

    private static Local local(String text) {
        return switch (text) {
            case "none" -> new Local.Absent();
            case "special" -> new Local.Special();
            default -> new Local.Present(entry(text));
        };
    }

    private static Entry entry(String text) {
        String[] words = text.split(" ", -1);
        TreePath path = TreePath.of("a");
        return switch (words[0]) {
            case "file" ->
                new Entry(
                        path,
                        Kind.FILE,
                        Long.parseLong(words[1]),
                        Long.parseLong(words[2]),
                        0,
                        Integer.parseInt(words[3], 8),
                        LinkTarget.NONE);
            case "folder" ->
                new Entry(
                        path,
                        Kind.FOLDER,
                        0,
                        Long.parseLong(words[1]),
                        0,
                        Integer.parseInt(words[2], 8),
                        LinkTarget.NONE);
            default ->
                new Entry(
                        path,
                        Kind.LINK,
                        0,
                        Long.parseLong(words[2]),
                        0,
                        0777,
                        LinkTarget.of(words[1].getBytes(StandardCharsets.UTF_8)));
        };
    }

    private static String shown(Verdict verdict) {
        return switch (verdict) {
            case Verdict.UpToDate() -> "UpToDate";
            case Verdict.Metadata(int changes) -> "Metadata " + letters(changes);
            case Verdict.Make(int changes) -> "Make " + letters(changes);
            case Verdict.Whole(int changes) -> "Whole " + letters(changes);
            case Verdict.WantRecipe(int changes) -> "WantRecipe " + letters(changes);
            case Verdict.KindConflict(var text) -> {
                assertThat(text.toLowerCase(Locale.ROOT)).contains("in the way");
                yield "KindConflict";
            }
        };
    }

    private static String letters(int changes) {
        StringBuilder letters = new StringBuilder();
        for (int bit = 0; bit < 6; bit++) {
            letters.append((changes & 1 << bit) == 0 ? "" : "COTMGR".charAt(bit));
        }
        return letters.toString();
    }
}
