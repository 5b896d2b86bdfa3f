package postroad.lab;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import postroad.lab.folders.FoldersPlan;
import postroad.lab.folders.Line;
import postroad.lab.sync.TreeState;
import postroad.lab.sync.TrialTree;

/// `bench folders` as far as it goes without the program's own classes; the smoke form runs in the
/// app's tests.
@Timeout(60)
class FoldersBenchTest {
    @TempDir
    Path folder;

    private static FoldersPlan plan(String... words) {
        return FoldersBench.plan(new Arguments(List.of(words), FoldersBench.OPTIONS, FoldersBench.FLAGS), List.of());
    }

    @Test
    void everyCombinationOfTheLinkIsALine() {
        FoldersPlan plan = plan("--wanlink", "x", "--rtt-ms", "30,150", "--loss", "0,0.1", "--congestion", "cubic,bbr");

        assertThat(plan.lines())
                .hasSize(8)
                .startsWith(new Line(30, 0, 1000, "cubic", false), new Line(30, 0, 1000, "bbr", false));
    }

    @Test
    void withoutALinkItIsTheLoopbackAndAllScenesInTheirOrder() {
        FoldersPlan plan = plan("--state", "renamed,fresh", "--peers", "none");

        assertThat(plan.lines()).containsExactly(Line.LOOPBACK);
        assertThat(plan.scenes()).containsExactly(TreeState.FRESH, TreeState.RENAMED);
        assertThat(plan.peers()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "--loss, lots, --loss needs percents",
        "--congestion, ../x, --congestion needs names",
        "--buffers, big, --buffers is wide or system",
        "--peers, scp, --peers knows rsync",
        "--state, odd, --state is fresh",
        "--rtt-ms, 0, --rtt-ms needs whole numbers from 1",
        "--fixture, /nowhere, --fixture /nowhere is no folder"
    })
    void aWrongWordIsToldWithTheOptionsName(String option, String word, String message) {
        assertThatThrownBy(() -> plan("--wanlink", "x", option, word))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(message);
    }

    @Test
    void anOptionOfLinksNeedsTheScriptThatMakesThem() {
        ByteArrayOutputStream talk = new ByteArrayOutputStream();
        PrintStream err = new PrintStream(talk, true, UTF_8);

        assertThat(Bench.run(List.of("folders", "--loss", "1"), err, err)).isEqualTo(2);
        assertThat(talk.toString(UTF_8)).contains("--loss is for links that are made: say with --wanlink");
    }

    @Test
    void theComparisonTellsContentFromAttributes() throws Exception {
        Path one = folder.resolve("one");
        Path two = folder.resolve("two");
        TrialTree.small(one, 1, 20);
        Files.createSymbolicLink(one.resolve("link"), Path.of("nowhere"));
        TrialTree.copy(one, two);
        assertThat(difference(one, two)).isEqualTo("equal");

        Files.setLastModifiedTime(two.resolve("dir0"), FileTime.fromMillis(1));
        assertThat(difference(one, two)).isEqualTo("1 modes or times differ");

        Files.writeString(two.resolve("dir0/file3"), "x");
        Files.delete(two.resolve("link"));
        assertThat(difference(one, two)).isEqualTo("2 names or contents differ");
    }

    private static String difference(Path one, Path two) throws Exception {
        return TrialTree.difference(TrialTree.describe(one), TrialTree.describe(two));
    }
}
