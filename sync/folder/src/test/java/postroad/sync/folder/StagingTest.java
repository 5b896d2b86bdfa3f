package postroad.sync.folder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static postroad.sync.folder.Workshop.path;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import postroad.sync.core.Kind;
import postroad.sync.core.LinkTarget;
import postroad.sync.core.SessionId;
import postroad.sync.core.TreePath;

class StagingTest {
    private static final Result NEW = new Result.Done(false, 0);
    private static final Result REPLACED = new Result.Done(true, 0);

    @TempDir
    Path folder;

    private Path root;
    private Tree tree;
    private Staging staging;

    @BeforeEach
    void open() throws IOException {
        root = Files.createDirectory(folder.resolve("root"));
        tree = Tree.open(Workshop.bytes(root));
        staging = Staging.open(tree, new SessionId(1, 2), Staging.Rules.PLAIN);
    }

    @AfterEach
    void close() throws IOException {
        staging.finish();
        Workshop.clear(tree);
        tree.close();
    }

    @Test
    void putsAFileInItsPlaceWithItsTimesAndMode() throws IOException {
        Result result = commit(staged(7, "content"), "file");

        assertThat(result).isEqualTo(NEW);
        assertThat(Workshop.text(tree, path("file"))).isEqualTo("content");
        EntryStat stat = tree.stat(path("file")).orElseThrow();
        assertThat(List.of(stat.seconds(), (long) stat.nanos())).containsExactly(1_000L, 5L);
        assertThat(stat.mode()).isEqualTo(0640);
    }

    @Test
    void keepsAStagedFileFromOthers() throws IOException {
        try (StagedFile _ = staging.create(1)) {
            Path reserved = root.resolve(".postroad");
            assertThat(mode(reserved)).isEqualTo(0700);
            try (var names = Files.walk(reserved)) {
                List<Path> all = names.filter(Files::isRegularFile).toList();
                assertThat(all)
                        .hasSize(2)
                        .allSatisfy(each -> assertThat(mode(each)).isEqualTo(0600));
            }
        }
    }

    @Test
    void commitsAGroup() throws IOException {
        List<Change> group = new ArrayList<>();
        assertThat(staging.makeFolder(path("\u00ff"))).isEqualTo(NEW);
        for (int at = 0; at < 100; at++) {
            group.add(new Change.PutFile(staged(at, "content " + at), path("\u00ff/\u00fe" + at)));
        }
        group.add(new Change.PutLink(path("link"), target("to"), 77, 8));

        List<Result> results = staging.commit(group, 0);

        assertThat(results).hasSize(101).containsOnly(NEW);
        assertThat(Workshop.text(tree, path("\u00ff/\u00fe42"))).isEqualTo("content 42");
        assertThat(tree.readLink(path("link"))).isEqualTo(target("to"));
        assertThat(tree.stat(path("link")).orElseThrow().seconds()).isEqualTo(77);
    }

    @Test
    void replacesFilesAndLinks() throws IOException {
        Workshop.file(tree, path("file"), "old");
        Workshop.link(tree, "link", "old");
        Workshop.file(tree, path("to-link"), "old");

        assertThat(commit(staged(1, "new"), "file")).isEqualTo(REPLACED);
        assertThat(commit(staged(2, "new"), "link")).isEqualTo(REPLACED);
        assertThat(commit(new Change.PutLink(path("to-link"), target("new"), 1, 1)))
                .isEqualTo(REPLACED);

        assertThat(Workshop.text(tree, path("file"))).isEqualTo("new");
        assertThat(Workshop.text(tree, path("link"))).isEqualTo("new");
        assertThat(tree.readLink(path("to-link"))).isEqualTo(target("new"));
    }

    @Test
    void writesThroughNoLink() throws IOException {
        Path outside = Files.createDirectory(folder.resolve("outside"));
        Files.createSymbolicLink(root.resolve("a"), outside);

        assertThat(commit(staged(1, "new"), "a/file")).isInstanceOf(Result.Refused.class);
        assertThat(staging.makeFolder(path("a/folder"))).isInstanceOf(Result.Refused.class);
        assertThat(staging.delete(path("a/nothing"), Kind.FILE)).isInstanceOf(Result.Refused.class);

        assertThat(outside).isEmptyDirectory();
    }

    @Test
    void findsALinkThatTookAFoldersPlaceMeanwhile() throws IOException {
        Path outside = Files.createDirectory(folder.resolve("outside"));
        staging.makeFolder(path("a"));
        assertThat(commit(staged(1, "one"), "a/one")).isEqualTo(NEW);
        Files.move(root.resolve("a"), root.resolve("b"));
        Files.createSymbolicLink(root.resolve("a"), outside);

        assertThat(commit(staged(2, "two"), "a/two")).isInstanceOf(Result.Refused.class);

        assertThat(outside).isEmptyDirectory();
        assertThat(root.resolve("b/two")).doesNotExist();
    }

    @Test
    void refusesOneNameAndDoesTheOthers() throws IOException {
        List<Result> results = staging.commit(
                List.of(
                        new Change.PutFile(staged(1, "1"), path("one")),
                        new Change.PutFile(staged(2, "2"), path("no/two")),
                        new Change.PutFile(staged(3, "3"), path(".postroad/three")),
                        new Change.PutFile(staged(4, "4"), path("four"))),
                0);

        assertThat(results.get(0)).isEqualTo(NEW);
        assertThat(refusal(results.get(1))).isEqualTo(Reason.VANISHED);
        assertThat(refusal(results.get(2))).isEqualTo(Reason.NAME);
        assertThat(results.get(3)).isEqualTo(NEW);
    }

    @Test
    void keepsAFolderInAFilesPlaceUnlessItMayGo() throws IOException {
        Workshop.folder(tree, "a");
        Workshop.folder(tree, "a/in");
        Workshop.file(tree, path("a/in/file"), "precious");

        Result kept = staging.commit(List.of(new Change.PutFile(staged(1, "new"), path("a"))), 0)
                .getFirst();
        Result tooMany = staging.commit(List.of(new Change.PutFile(staged(2, "new"), path("a"))), 2)
                .getFirst();
        assertThat(List.of(refusal(kept), refusal(tooMany))).containsOnly(Reason.KIND);
        assertThat(Workshop.text(tree, path("a/in/file"))).isEqualTo("precious");

        Result gone = staging.commit(List.of(new Change.PutFile(staged(3, "new"), path("a"))), 3)
                .getFirst();
        assertThat(gone).isEqualTo(new Result.Done(true, 3));
        assertThat(Workshop.text(tree, path("a"))).isEqualTo("new");
    }

    @Test
    void sharesTheAllowanceOfAGroup() throws IOException {
        Workshop.folder(tree, "a");
        Workshop.folder(tree, "b");

        List<Result> results = staging.commit(
                List.of(
                        new Change.PutFile(staged(1, "1"), path("a")),
                        new Change.PutLink(path("b"), target("x"), 1, 1)),
                1);

        assertThat(results.get(0)).isEqualTo(new Result.Done(true, 1));
        assertThat(refusal(results.get(1))).isEqualTo(Reason.KIND);
    }

    @Test
    void neverRemovesExcludedNamesWithAFolder() throws IOException {
        staging.close();
        EntryFilter secret = (path, kind) -> path.equals(path("a/in/secret"));
        staging = Staging.open(tree, new SessionId(1, 3), new Staging.Rules(secret, Optional.empty(), false));
        Workshop.folder(tree, "a");
        Workshop.folder(tree, "a/in");
        Workshop.file(tree, path("a/in/secret"), "secret");

        Result result = staging.commit(List.of(new Change.PutFile(staged(1, "new"), path("a"))), 100)
                .getFirst();

        assertThat(refusal(result)).isEqualTo(Reason.KIND);
        assertThat(Workshop.text(tree, path("a/in/secret"))).isEqualTo("secret");
    }

    @Test
    void makesAFolderInAFilesPlace() throws IOException {
        Workshop.file(tree, path("a"), "old");
        Workshop.link(tree, "b", "old");
        Workshop.folder(tree, "c");

        assertThat(staging.makeFolder(path("a"))).isEqualTo(new Result.Done(true, 1));
        assertThat(staging.makeFolder(path("b"))).isEqualTo(new Result.Done(true, 1));
        assertThat(staging.makeFolder(path("c"))).isEqualTo(REPLACED);
        assertThat(staging.setMeta(path("a"), Kind.FOLDER, 5, 6, 0555)).isEqualTo(REPLACED);

        EntryStat stat = tree.stat(path("a")).orElseThrow();
        assertThat(stat.type()).isEqualTo(EntryStat.Type.FOLDER);
        assertThat(List.of(stat.seconds(), (long) stat.mode())).containsExactly(5L, 0555L);
    }

    @Test
    void stripsSetIdBitsUnlessAsked() throws IOException {
        StagedFile file = staging.create(1);
        file.seal(1, 1, 06755);
        commit(file, "plain");
        staging.close();
        staging =
                Staging.open(tree, new SessionId(1, 3), new Staging.Rules(EntryFilter.NOTHING, Optional.empty(), true));
        StagedFile asked = staging.create(1);
        asked.seal(1, 1, 04755);
        commit(asked, "asked");

        assertThat(tree.stat(path("plain")).orElseThrow().mode()).isEqualTo(0755);
        assertThat(tree.stat(path("asked")).orElseThrow().mode()).isEqualTo(04755);
    }

    @Test
    void keepsAFoldersOwnSetIdBits() throws IOException {
        Workshop.folder(tree, "a");
        tree.setMode(path("a"), 02775);

        staging.setMeta(path("a"), Kind.FOLDER, 1, 1, 0750);

        assertThat(tree.stat(path("a")).orElseThrow().mode()).isEqualTo(02750);
    }

    @Test
    void deletesAndSaysWhatStays() throws IOException {
        Workshop.folder(tree, "a");
        Workshop.file(tree, path("a/excluded"), "x");
        Workshop.folder(tree, "b");
        Workshop.link(tree, "link", "a");

        assertThat(refusal(staging.delete(path("a"), Kind.FOLDER))).isEqualTo(Reason.NOT_EMPTY);
        assertThat(staging.delete(path("b"), Kind.FOLDER)).isEqualTo(new Result.Done(true, 1));
        assertThat(refusal(staging.delete(path("link"), Kind.FOLDER))).isEqualTo(Reason.CHANGED);
        assertThat(staging.delete(path("link"), Kind.LINK)).isEqualTo(new Result.Done(true, 1));
        assertThat(staging.delete(path("never"), Kind.FILE)).isEqualTo(NEW);
        assertThat(staging.delete(path("never/was"), Kind.FILE)).isEqualTo(NEW);

        assertThat(Workshop.found(Workshop.walked(tree))).containsExactly(path("a"), path("a/excluded"));
    }

    @Test
    void backsUpWhatItReplacesAndDeletes() throws IOException {
        staging.close();
        try (Tree backup = Tree.create(Workshop.bytes(folder.resolve("backup")))) {
            staging = Staging.open(
                    tree, new SessionId(1, 3), new Staging.Rules(EntryFilter.NOTHING, Optional.of(backup), false));
            Workshop.folder(tree, "a");
            Workshop.file(tree, path("a/file"), "first");
            Workshop.folder(tree, "folder");
            Workshop.file(tree, path("folder/inner"), "inner");
            Workshop.link(tree, "link", "old");

            assertThat(commit(staged(1, "second"), "a/file")).isEqualTo(REPLACED);
            assertThat(staging.delete(path("a/file"), Kind.FILE)).isEqualTo(new Result.Done(true, 1));
            assertThat(commit(staged(2, "new"), "link")).isEqualTo(REPLACED);
            assertThat(staging.commit(List.of(new Change.PutFile(staged(3, "new"), path("folder"))), 2))
                    .containsExactly(new Result.Done(true, 2));

            assertThat(Workshop.text(backup, path("a/file"))).isEqualTo("first");
            assertThat(Workshop.text(backup, path("a/file.~1~"))).isEqualTo("second");
            assertThat(Workshop.text(backup, path("folder/inner"))).isEqualTo("inner");
            assertThat(backup.readLink(path("link"))).isEqualTo(target("old"));
        }
    }

    @Test
    void tellsASecondSessionThatTheFolderIsInUse() throws IOException {
        try (Tree again = Tree.open(Workshop.bytes(root))) {
            assertReason(Reason.BUSY, () -> Staging.open(again, new SessionId(3, 4), Staging.Rules.PLAIN));
            assertThat(staging.finish()).isTrue();

            Staging next = Staging.open(again, new SessionId(3, 4), Staging.Rules.PLAIN);
            assertThat(next.finish()).isTrue();
        }
    }

    @Test
    void letsOneOfManySessionsIn() throws Exception {
        staging.finish();
        try (ExecutorService workers = Executors.newFixedThreadPool(8)) {
            List<Callable<Integer>> jobs = new ArrayList<>();
            int[] inside = {0};
            for (int worker = 0; worker < 8; worker++) {
                long id = worker;
                jobs.add(() -> comeAndGo(id, inside));
            }
            int let = 0;
            for (Future<Integer> each : workers.invokeAll(jobs)) {
                let += each.get();
            }
            assertThat(let).isPositive();
        }
        assertThat(root).isEmptyDirectory();
    }

    /// Being inside together would be seen in the shared counter, which no lock but the session's own guards.
    private int comeAndGo(long id, int[] inside) throws IOException {
        int let = 0;
        for (int round = 0; round < 40; round++) {
            try {
                Staging mine = Staging.open(tree, new SessionId(9, id), Staging.Rules.PLAIN);
                synchronized (inside) {
                    assertThat(++inside[0]).isEqualTo(1);
                }
                let++;
                synchronized (inside) {
                    inside[0]--;
                }
                mine.finish();
            } catch (TreeException e) {
                assertThat(e.reason()).isEqualTo(Reason.BUSY);
            }
        }
        return let;
    }

    @Test
    void refusesAReservedNameThatIsALink() throws IOException {
        staging.finish();
        Files.createDirectory(folder.resolve("elsewhere"));
        Files.createSymbolicLink(root.resolve(".postroad"), folder.resolve("elsewhere"));

        assertReason(Reason.KIND, () -> Staging.open(tree, new SessionId(1, 2), Staging.Rules.PLAIN));

        Files.delete(root.resolve(".postroad"));
        assertThat(folder.resolve("elsewhere")).isEmptyDirectory();
    }

    @Test
    void leavesWhatABrokenSessionStagedToTheNext() throws IOException {
        try (StagedFile file = staging.create(5)) {
            file.file().write(0, "half of it".getBytes(StandardCharsets.UTF_8), 0, 10);
            file.seal(1, 1, 0);
        }
        staging.create(6).close();
        staging.close();
        staging = Staging.open(tree, new SessionId(7, 8), Staging.Rules.PLAIN);

        List<Leftover> leftovers = staging.leftovers();

        assertThat(leftovers).hasSize(1);
        byte[] content = new byte[100];
        try (FileHandle file = leftovers.getFirst().open()) {
            assertThat(file.read(0, content, 0, 100)).isEqualTo(10).isEqualTo((int)
                    leftovers.getFirst().size());
        }
        assertThat(new String(content, 0, 10, StandardCharsets.UTF_8)).isEqualTo("half of it");
        assertThat(staging.finish()).isTrue();
        assertThat(root).isEmptyDirectory();
    }

    @Test
    void finishesWithNothingLeftHoweverDeep() throws IOException {
        Workshop.folder(tree, "a");
        TreePath at = path("a");
        for (int level = 0; level < 60; level++) {
            at = at.child(path("\u00ff".repeat(255)).toBytes());
            tree.makeFolder(at, 0755);
            Workshop.file(tree, at.child(path("file").toBytes()), "x");
        }
        staging.commit(List.of(new Change.PutFile(staged(1, "new"), path("a"))), 1_000);
        staging.create(2).close();

        assertThat(staging.finish()).isTrue();

        assertThat(Workshop.found(Workshop.walked(tree))).containsExactly(path("a"));
        assertThat(root.resolve(".postroad")).doesNotExist();
    }

    @Test
    void cleansUpAfterASessionThatWasKilledWhileItMovedThings() throws IOException {
        staging.close();
        Path earlier = Files.createDirectory(root.resolve(".postroad").resolve("0".repeat(31) + "7"));
        Files.createDirectories(earlier.resolve("a3/b/c"));
        Files.writeString(earlier.resolve("a3/b/c/file"), "x");
        Files.createDirectories(root.resolve(".postroad/x5/y"));
        Files.writeString(earlier.resolve("f3.1"), "staged");

        staging = Staging.open(tree, new SessionId(7, 8), Staging.Rules.PLAIN);

        assertThat(staging.leftovers()).hasSize(1);
        assertThat(earlier.resolve("a3")).doesNotExist();
        assertThat(root.resolve(".postroad/x5")).doesNotExist();
    }

    @Test
    void worksInFoldersThatTheirOwnerMadeReadOnly() throws IOException {
        assumeTrue(Posix.user() != 0, "nothing is read-only for root; the system tests run this as an ordinary user");
        Workshop.folder(tree, "a");
        Workshop.folder(tree, "a/b");
        Workshop.file(tree, path("a/b/old"), "old");
        Workshop.file(tree, path("a/b/gone"), "gone");
        Workshop.folder(tree, "a/b/folder");
        Workshop.file(tree, path("a/b/folder/inner"), "inner");
        for (String each : List.of("a/b/old", "a/b/folder/inner")) {
            tree.setMode(path(each), 0444);
        }
        for (String each : List.of("a/b/folder", "a/b", "a")) {
            tree.setMode(path(each), 0555);
        }

        assertThat(commit(staged(1, "new"), "a/b/old")).isEqualTo(REPLACED);
        assertThat(commit(staged(2, "new"), "a/b/new")).isEqualTo(NEW);
        assertThat(staging.makeFolder(path("a/b/made"))).isEqualTo(NEW);
        assertThat(staging.delete(path("a/b/gone"), Kind.FILE)).isEqualTo(new Result.Done(true, 1));
        assertThat(staging.commit(List.of(new Change.PutFile(staged(3, "new"), path("a/b/folder"))), 2))
                .containsExactly(new Result.Done(true, 2));
        assertThat(commit(staged(4, "new"), "a/b/made/inner")).isEqualTo(NEW);

        assertThat(Workshop.text(tree, path("a/b/folder"))).isEqualTo("new");
        assertThat(tree.stat(path("a/b/folder")).orElseThrow().mode()).isEqualTo(0640);
        for (String each : List.of("a", "a/b")) {
            assertThat(tree.stat(path(each)).orElseThrow().mode()).isEqualTo(0555);
            tree.setMode(path(each), 0755);
        }
    }

    @Test
    void opensFoldersThatMayNotEvenBeEntered() throws IOException {
        assumeTrue(Posix.user() != 0, "nothing is locked for root; the system tests run this as an ordinary user");
        Workshop.folder(tree, "a");
        Workshop.folder(tree, "a/b");
        tree.setMode(path("a/b"), 0);
        tree.setMode(path("a"), 0);

        assertThat(commit(staged(1, "new"), "a/b/new")).isEqualTo(NEW);

        assertThat(tree.stat(path("a")).orElseThrow().mode()).isZero();
        tree.setMode(path("a"), 0755);
        assertThat(tree.stat(path("a/b")).orElseThrow().mode()).isZero();
        tree.setMode(path("a/b"), 0755);
        assertThat(Workshop.text(tree, path("a/b/new"))).isEqualTo("new");
    }

    @Test
    void aFileInAReadOnlyFoldersPlaceKeepsItsOwnMode() throws IOException {
        Workshop.folder(tree, "a");
        tree.setMode(path("a"), 0555);

        Change change = new Change.PutFile(staged(1, "new"), path("a"));
        assertThat(staging.commit(List.of(change), 1)).containsExactly(new Result.Done(true, 1));

        assertThat(tree.stat(path("a")).orElseThrow().mode()).isEqualTo(0640);
    }

    @Test
    void deletesInFoldersThatMayNotBeEntered() throws IOException {
        assumeTrue(Posix.user() != 0, "nothing is locked for root; the system tests run this as an ordinary user");
        Workshop.folder(tree, "a");
        Workshop.file(tree, path("a/file"), "x");
        tree.setMode(path("a"), 0);

        assertThat(staging.delete(path("a/file"), Kind.FILE)).isEqualTo(new Result.Done(true, 1));
        assertThat(staging.delete(path("a"), Kind.FOLDER)).isEqualTo(new Result.Done(true, 1));
    }

    @Test
    void aFolderIsLockedAgainWhenTheLastLetsGoOfIt() throws IOException {
        Workshop.folder(tree, "a");
        tree.setMode(path("a"), 0050);

        try (Unlocked outer = new Unlocked(tree)) {
            assertThat(outer.unlock(path("a"))).isTrue();
            try (Unlocked inner = new Unlocked(tree)) {
                assertThat(inner.unlock(path("a"))).isTrue();
            }
            assertThat(tree.stat(path("a")).orElseThrow().mode()).isEqualTo(0750);
            tree.rename(path("a"), path("b"), Tree.Renaming.KEEP);
            Workshop.folder(tree, "a");
        }

        assertThat(tree.stat(path("a")).orElseThrow().mode()).isEqualTo(0755);
        assertThat(tree.stat(path("b")).orElseThrow().mode()).isEqualTo(0050);
    }

    @Test
    void readsAVersionThatItsOwnerMayNotRead() throws IOException {
        assumeTrue(Posix.user() != 0, "nothing is locked for root; the system tests run this as an ordinary user");
        Workshop.folder(tree, "a");
        Workshop.file(tree, path("a/file"), "old");
        tree.setMode(path("a/file"), 0200);
        EntryStat version = tree.stat(path("a/file")).orElseThrow();
        tree.setMode(path("a"), 0);

        try (FileHandle file = tree.openVersion(path("a/file"), version).orElseThrow()) {
            byte[] content = new byte[3];
            assertThat(file.read(0, content, 0, 3)).isEqualTo(3);
            assertThat(file.stat().mode()).isEqualTo(0200);
            assertThat(new String(content, StandardCharsets.US_ASCII)).isEqualTo("old");
        }

        assertThatThrownBy(() -> tree.openVersion(path("a/file"), version)).isInstanceOf(TreeException.class);
        assertThat(tree.stat(path("a")).orElseThrow().mode()).isZero();
    }

    @Test
    void givesFoldersTheirModesBack() throws IOException {
        Workshop.folder(tree, "a");
        Workshop.folder(tree, "a/b");
        Workshop.folder(tree, "gone");
        for (String each : List.of("a/b", "a", "gone")) {
            tree.setMode(path(each), 0500);
        }

        try (Unlocked unlocked = new Unlocked(tree)) {
            assertThat(unlocked.unlock(path("a/b"))).isTrue();
            assertThat(unlocked.unlock(path("a/b"))).isFalse();
            assertThat(unlocked.unlock(path("gone"))).isTrue();
            assertThat(tree.stat(path("a/b")).orElseThrow().mode()).isEqualTo(0700);
            tree.removeFolder(path("gone"));
        }

        assertThat(tree.stat(path("a")).orElseThrow().mode()).isEqualTo(0500);
        assertThat(tree.stat(path("a/b")).orElseThrow().mode()).isEqualTo(0500);
        tree.setMode(path("a"), 0755);
    }

    @Test
    void knowsHowFineTimesAre() {
        assertThat(staging.timeToleranceNanos()).isZero();
        assertThat(staging.isCaseInsensitive()).isFalse();
    }

    @Test
    void reservesItsNameAndWhatIsBelow() {
        assertThat(Staging.isReserved(path(".postroad"))).isTrue();
        assertThat(Staging.isReserved(path(".postroad/x"))).isTrue();
        assertThat(Staging.isReserved(path(".postroader"))).isFalse();
        assertThat(Staging.isReserved(path("a/.postroad"))).isFalse();
        assertThat(Staging.isReserved(path(".POSTROAD/x"), true)).isTrue();
    }

    private StagedFile staged(long id, String content) throws IOException {
        byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
        StagedFile file = staging.create(id);
        file.file().write(0, bytes, 0, bytes.length);
        file.seal(1_000, 5, 0640);
        return file;
    }

    private Result commit(StagedFile file, String path) {
        return commit(new Change.PutFile(file, path(path)));
    }

    private Result commit(Change change) {
        return staging.commit(List.of(change), 0).getFirst();
    }

    private static Reason refusal(Result result) {
        assertThat(result).isInstanceOf(Result.Refused.class);
        return ((Result.Refused) result).reason();
    }

    private static LinkTarget target(String text) {
        return LinkTarget.of(text.getBytes(StandardCharsets.UTF_8));
    }

    private static int mode(Path path) {
        try {
            return (int) Files.getAttribute(path, "unix:mode") & 07777;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void assertReason(Reason reason, org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        TreeException.class,
                        e -> assertThat(e.reason()).as(e.getMessage()).isEqualTo(reason));
    }
}
