package postroad.sync.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import postroad.sync.core.Frame;
import postroad.sync.core.PatternLine;
import postroad.sync.core.PatternList;
import postroad.sync.core.SessionOptions;
import postroad.sync.folder.Walker;

final class SessionTest {
    private static final SessionOptions DELETING = SessionOptions.DEFAULT.withDelete(true);

    @TempDir
    private Path folder;

    private Path from;
    private Path to;

    @BeforeEach
    void name() {
        from = folder.resolve("from");
        to = folder.resolve("to");
    }

    @ParameterizedTest
    @CsvSource({"1, 65536", "4, 65536", "8, 65536", "1, 1", "8, 1", "3, 7"})
    void bringsATreeThenItsChanges(int links, int inFlight) throws Exception {
        SessionOptions options = DELETING.withParallel(links).withInFlight(inFlight);
        Sessions sessions = new Sessions().sender(options).receiver(DELETING.withParallel(16));
        Trees.fill(from, links, 150);

        assertThat(sessions.run(from, to).summary().failed()).isZero();
        Trees.assertSame(from, to);
        for (int round = 0; round < 3; round++) {
            Trees.change(from, 10 * links + round);
            assertThat(sessions.run(from, to).summary().failed()).isZero();
            Trees.assertSame(from, to);
        }
    }

    @Test
    void sendsNothingWhenNothingChanged() throws Exception {
        Trees.fill(from, 7, 200);
        new Sessions().run(from, to).summary();

        Sessions.Result again = new Sessions().run(from, to);

        assertThat(again.summary().bytes()).isZero();
        assertThat(again.summary().files()).isZero();
        assertThat(again.received().lines).isEmpty();
        assertThat(again.sendMeter().linkReceived()).isLessThan(200);
    }

    /// A folder that lies too deep is what a walk would trip over.
    @Test
    void looksForASingleFileAtItsOwnNameOnly() throws Exception {
        Files.createDirectory(from);
        Files.write(from.resolve("file"), Trees.bytes(new Random(5), 300_000));
        Files.createDirectories(to.resolve("d/".repeat(Walker.MAX_DEPTH + 1)));
        Files.writeString(to.resolve("other"), "stays");
        Sessions single = new Sessions().sender(SessionOptions.DEFAULT.withSingle(true));

        Sessions.Result first = single.run(from, to);
        Sessions.Result again = single.run(from, to);
        Sessions.Result asFolder = new Sessions().run(from, to);

        assertThat(first.summary().files()).isEqualTo(1);
        assertThat(first.summary().failed()).isZero();
        assertThat(again.summary().upToDate()).isEqualTo(1);
        assertThat(again.summary().failed()).isZero();
        assertThat(to.resolve("file")).hasSameBinaryContentAs(from.resolve("file"));
        assertThat(to.resolve("other")).hasContent("stays");
        assertThat(asFolder.summary().failed()).isEqualTo(1);
    }

    @Test
    void aSingleFileTakesNoPipesPlace() throws Exception {
        Files.createDirectory(from);
        Files.writeString(from.resolve("file"), "x");
        Files.createDirectory(to);
        assertThat(new ProcessBuilder("mkfifo", to.resolve("file").toString())
                        .start()
                        .waitFor())
                .isZero();

        Sessions.Result result =
                new Sessions().sender(SessionOptions.DEFAULT.withSingle(true)).run(from, to);

        assertThat(result.summary().failed()).isEqualTo(1);
        assertThat(to.resolve("file")).matches(file -> !Files.isRegularFile(file));
    }

    @Test
    void theFolderItselfKeepsItsMode() throws Exception {
        Trees.fill(from, 8, 5);
        Files.createDirectory(to);
        Files.setPosixFilePermissions(to, PosixFilePermissions.fromString("rwx--x---"));

        assertThat(new Sessions().run(from, to).summary().failed()).isZero();

        assertThat(Files.getPosixFilePermissions(to)).isEqualTo(PosixFilePermissions.fromString("rwx--x---"));
    }

    @Test
    void leavesNothingOfItsOwnBehind() throws Exception {
        Trees.fill(from, 8, 50);

        new Sessions().run(from, to).summary();

        assertThat(to.resolve(".postroad")).doesNotExist();
        assertThat(from.resolve(".postroad")).doesNotExist();
    }

    @Test
    void sendsLittleMoreThanWhatWasInserted() throws Exception {
        Files.createDirectory(from);
        byte[] content = new byte[3_000_000];
        new Random(1).nextBytes(content);
        Files.write(from.resolve("file"), content);
        new Sessions().run(from, to).summary();
        byte[] longer = new byte[content.length + 1000];
        System.arraycopy(content, 0, longer, 0, 1_000_000);
        System.arraycopy(content, 1_000_000, longer, 1_001_000, 2_000_000);
        Files.write(from.resolve("file"), longer);

        Sessions.Result result = new Sessions().run(from, to);

        assertThat(result.summary().bytes()).isLessThan(60_000);
        assertThat(result.sendMeter().linkSent()).isLessThan(80_000);
        Trees.assertSame(from, to);
    }

    @Test
    void sendsNoContentForATouch() throws Exception {
        Trees.fill(from, 9, 60);
        new Sessions().run(from, to).summary();
        for (String name : Trees.describe(from).keySet()) {
            if (Files.isRegularFile(from.resolve(name), java.nio.file.LinkOption.NOFOLLOW_LINKS)) {
                Files.setLastModifiedTime(from.resolve(name), FileTime.fromMillis(1_000_000));
            }
        }

        Sessions.Result result = new Sessions().run(from, to);

        assertThat(result.summary().bytes()).isZero();
        assertThat(result.received().beginning("..T.")).hasSameSizeAs(result.received().lines);
        Trees.assertSame(from, to);
    }

    @Test
    void sendsNoContentForARename() throws Exception {
        Files.createDirectory(from);
        Files.write(from.resolve("old"), Trees.bytes(new Random(2), 2_000_000));
        new Sessions().run(from, to).summary();
        Files.createDirectory(from.resolve("a"));
        Files.move(from.resolve("old"), from.resolve("a/new"));

        Sessions.Result result =
                new Sessions().sender(DELETING).receiver(DELETING).run(from, to);

        assertThat(result.summary().bytes()).isZero();
        Trees.assertSame(from, to);
    }

    @Test
    void deletesOnlyWhenBothSidesSaySo() throws Exception {
        Trees.fill(from, 3, 30);
        new Sessions().run(from, to).summary();
        Files.write(to.resolve("mine"), new byte[10]);

        new Sessions().sender(DELETING).run(from, to).summary();
        new Sessions().receiver(DELETING).run(from, to).summary();
        assertThat(to.resolve("mine")).exists();

        Frame.Summary both =
                new Sessions().sender(DELETING).receiver(DELETING).run(from, to).summary();
        assertThat(both.deleted()).isEqualTo(1);
        assertThat(to.resolve("mine")).doesNotExist();
    }

    @Test
    void deletesNothingBeyondTheLimit() throws Exception {
        Trees.fill(from, 3, 10);
        new Sessions().run(from, to).summary();
        Files.write(to.resolve("one"), new byte[10]);
        Files.write(to.resolve("two"), new byte[10]);

        Sessions.Result result = new Sessions()
                .sender(DELETING.withMaxDelete(OptionalLong.of(1)))
                .receiver(DELETING)
                .run(from, to);

        assertThat(result.summary().deletesSkipped()).isTrue();
        assertThat(to.resolve("one")).exists();
        assertThat(to.resolve("two")).exists();
    }

    @Test
    void deletesNothingForASourceThatIsEmpty() throws Exception {
        Files.createDirectory(from);
        Files.createDirectory(to);
        Files.write(to.resolve("mine"), new byte[10]);

        for (boolean dryRun : new boolean[] {true, false}) {
            Sessions.Result result = new Sessions()
                    .sender(DELETING.withDryRun(dryRun))
                    .receiver(DELETING)
                    .run(from, to);

            assertThat(result.summary().deleted()).isZero();
            assertThat(result.summary().deletesSkipped()).isTrue();
        }
        assertThat(to.resolve("mine")).exists();
    }

    @Test
    void changesNothingInADryRunOfEitherSide() throws Exception {
        Trees.fill(from, 4, 40);
        new Sessions().run(from, to).summary();
        Trees.change(from, 5);
        Files.write(to.resolve("mine"), new byte[10]);
        var before = Trees.describe(to);
        SessionOptions dry = DELETING.withDryRun(true);

        Sessions.Result ofSender = new Sessions().sender(dry).receiver(DELETING).run(from, to);
        Sessions.Result ofReceiver =
                new Sessions().sender(DELETING).receiver(dry).run(from, to);

        assertThat(Trees.describe(to)).isEqualTo(before);
        assertThat(ofSender.summary().files()).isPositive();
        assertThat(ofSender.summary().deleted()).isPositive();
        assertThat(ofReceiver.received().lines).containsExactlyInAnyOrderElementsOf(ofSender.received().lines);
        assertThat(ofSender.sent().lines).containsExactlyInAnyOrderElementsOf(ofSender.received().lines);
    }

    @Test
    void protectsWhatEitherSideExcludes() throws Exception {
        Trees.fill(from, 6, 10);
        Files.write(from.resolve("no.log"), new byte[5]);
        Files.createDirectories(to.resolve("keep"));
        Files.write(to.resolve("keep/mine"), new byte[5]);
        Files.write(to.resolve("my.log"), new byte[5]);
        PatternList logs = PatternList.of(List.of(PatternLine.of(Sessions.bytes("*.log"))));
        PatternList keep = PatternList.of(List.of(PatternLine.of(Sessions.bytes("/keep"))));

        new Sessions()
                .sender(DELETING.withPatterns(logs))
                .receiver(DELETING.withPatterns(keep))
                .run(from, to)
                .summary();

        assertThat(to.resolve("no.log")).doesNotExist();
        assertThat(to.resolve("my.log")).exists();
        assertThat(to.resolve("keep/mine")).exists();
    }

    @Test
    void reportsAFolderInTheWayAndGoesOn() throws Exception {
        Files.createDirectory(from);
        Files.write(from.resolve("a"), new byte[5]);
        Files.write(from.resolve("b"), new byte[5]);
        Files.createDirectories(to.resolve("a"));
        Files.write(to.resolve("a/inside"), new byte[3]);

        Sessions.Result result = new Sessions().run(from, to);

        assertThat(result.summary().failed()).isEqualTo(1);
        assertThat(result.sent().beginning("failed a: KIND")).hasSize(1);
        assertThat(to.resolve("a/inside")).exists();
        assertThat(to.resolve("b")).exists();
    }

    @Test
    void deletesNothingWhenAFileFailed() throws Exception {
        Files.createDirectory(from);
        Files.write(from.resolve("a"), new byte[5]);
        Files.createDirectories(to.resolve("a"));
        Files.write(to.resolve("a/keep"), new byte[3]);
        Files.write(to.resolve("mine"), new byte[3]);
        PatternList keep = PatternList.of(List.of(PatternLine.of(Sessions.bytes("keep"))));

        Sessions.Result result = new Sessions()
                .sender(DELETING)
                .receiver(DELETING.withPatterns(keep))
                .run(from, to);

        assertThat(result.summary().failed()).isEqualTo(1);
        assertThat(result.summary().deletesSkipped()).isTrue();
        assertThat(to.resolve("mine")).exists();
        assertThat(to.resolve("a/keep")).exists();
    }

    @Test
    void comparesContentWhenAskedTo() throws Exception {
        Files.createDirectory(from);
        Files.write(from.resolve("a"), new byte[5000]);
        new Sessions().run(from, to).summary();
        FileTime time = Files.getLastModifiedTime(from.resolve("a"));
        byte[] other = new byte[5000];
        other[77] = 1;
        Files.write(from.resolve("a"), other);
        Files.setLastModifiedTime(from.resolve("a"), time);

        assertThat(new Sessions().run(from, to).summary().files()).isZero();
        assertThat(new Sessions()
                        .receiver(SessionOptions.DEFAULT.withChecksum(true))
                        .run(from, to)
                        .summary()
                        .files())
                .isEqualTo(1);
        Trees.assertSame(from, to);
    }
}
