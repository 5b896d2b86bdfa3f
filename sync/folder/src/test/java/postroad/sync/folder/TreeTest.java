package postroad.sync.folder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static postroad.sync.folder.Workshop.path;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import postroad.sync.core.LinkTarget;
import postroad.sync.core.TreePath;

class TreeTest {
    @TempDir
    Path folder;

    private Path root;
    private Tree tree;

    @BeforeEach
    void open() throws IOException {
        root = Files.createDirectory(folder.resolve("root"));
        tree = Tree.open(Workshop.bytes(root));
    }

    @AfterEach
    void close() throws IOException {
        Workshop.clear(tree);
        tree.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u00e4\u00ff", "back\\slash", "new\nline", "-rf", " ", "\u0001", "caf\u00c3\u00a9", "*?["})
    void keepsEveryByteOfAName(String name) throws IOException {
        Workshop.file(tree, path(name), "content");

        assertThat(Workshop.text(tree, path(name))).isEqualTo("content");
        assertThat(Workshop.found(Workshop.walked(tree))).containsExactly(path(name));
    }

    @Test
    void takesTheLongestNames() throws IOException {
        TreePath longest = path("\u00fe".repeat(255));

        Workshop.file(tree, longest, "content");

        assertThat(Workshop.text(tree, longest)).isEqualTo("content");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void reachesBeyondTheLongestPathOfTheSystem(boolean stepwise) throws IOException {
        String name = "\u00fe".repeat(150);
        try (Tree deep = Tree.open(Workshop.bytes(root), stepwise)) {
            TreePath at = path(name);
            deep.makeFolder(at, 0755);
            for (int level = 1; level < 200; level++) {
                at = at.child(path(name).toBytes());
                deep.makeFolder(at, 0755);
            }
            TreePath file = at.child("file".getBytes(StandardCharsets.UTF_8));
            Workshop.file(deep, file, "deep");
            deep.forgetFolders();

            assertThat(Workshop.text(deep, file)).isEqualTo("deep");
            assertThat(file.length()).isGreaterThan(30_000);
            assertThat(Workshop.found(Workshop.walked(deep))).hasSize(201).endsWith(file);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void neverFollowsALink(boolean stepwise) throws IOException {
        Path outside = Files.createDirectory(folder.resolve("outside"));
        Files.writeString(outside.resolve("secret"), "secret");
        Files.createSymbolicLink(root.resolve("folder"), outside);
        Files.createSymbolicLink(root.resolve("file"), outside.resolve("secret"));
        Files.createSymbolicLink(root.resolve("inside"), Path.of("."));

        try (Tree careful = Tree.open(Workshop.bytes(root), stepwise)) {
            assertThat(careful.stat(path("folder/secret"))).isEmpty();
            assertThat(careful.stat(path("inside/file"))).isEmpty();
            assertReason(Reason.KIND, () -> careful.openForReading(path("folder/secret")));
            assertReason(Reason.KIND, () -> careful.openForReading(path("file")));
            assertReason(Reason.KIND, () -> careful.makeFolder(path("folder/new"), 0755));
            assertReason(Reason.KIND, () -> careful.removeFile(path("folder/secret")));
            assertReason(Reason.OTHER, () -> careful.setMode(path("file"), 0777));
            careful.setTimes(path("file"), 5, 6);
        }
        assertThat(outside.resolve("secret")).hasContent("secret");
        assertThat(Files.getLastModifiedTime(outside.resolve("secret")).toMillis())
                .isGreaterThan(6_000);
        assertThat(outside).isDirectoryNotContaining("glob:**/new");
    }

    @Test
    void neverFollowsALinkThatTakesAFoldersPlace() throws IOException {
        Path outside = Files.createDirectory(folder.resolve("outside"));
        Workshop.folder(tree, "a");
        Workshop.file(tree, path("a/file"), "before");
        Files.move(root.resolve("a"), root.resolve("moved"));
        Files.createSymbolicLink(root.resolve("a"), outside);

        Workshop.file(tree, path("a/late"), "late");
        tree.forgetFolders();

        assertThat(root.resolve("moved/late")).hasContent("late");
        assertThat(outside).isEmptyDirectory();
        assertReason(Reason.KIND, () -> tree.openForReading(path("a/file")));
    }

    @Test
    void opensRegularFilesOnly() throws Exception {
        Workshop.folder(tree, "folder");
        pipe("pipe");

        assertReason(Reason.KIND, () -> tree.openForReading(path("folder")));
        assertReason(Reason.KIND, () -> tree.openForReading(path("pipe")));
        assertReason(Reason.VANISHED, () -> tree.openForReading(path("nothing")));
        assertReason(Reason.VANISHED, () -> tree.openForReading(path("no/thing")));
    }

    @Test
    void readsAndWritesAnyRange() throws IOException {
        byte[] content = new byte[1_000_003];
        new Random(5).nextBytes(content);
        Workshop.file(tree, path("file"), content);

        byte[] part = new byte[700_010];
        try (FileHandle file = tree.openForReading(path("file"))) {
            assertThat(file.read(300_000, part, 7, 700_003)).isEqualTo(700_003);
            assertThat(file.read(1_000_000, part, 0, 10)).isEqualTo(3);
            assertThat(file.read(1_000_003, part, 0, 10)).isZero();
        }

        assertThat(part).endsWith(java.util.Arrays.copyOfRange(content, 999_990, 1_000_003));
    }

    @Test
    void setsTimesAndModes() throws IOException {
        Workshop.file(tree, path("file"), "content");
        Workshop.link(tree, "link", "file");
        Workshop.folder(tree, "folder");

        tree.setMode(path("file"), 0440);
        tree.setMode(path("folder"), 0750);
        tree.setTimes(path("file"), -5, 999_999_999);
        tree.setTimes(path("link"), 77, 1);
        tree.setTimes(path("folder"), 1_700_000_000, 123_456_789);

        EntryStat file = tree.stat(path("file")).orElseThrow();
        EntryStat link = tree.stat(path("link")).orElseThrow();
        EntryStat made = tree.stat(path("folder")).orElseThrow();
        assertThat(List.of(file.mode(), made.mode())).containsExactly(0440, 0750);
        assertThat(List.of(file.seconds(), link.seconds(), made.seconds())).containsExactly(-5L, 77L, 1_700_000_000L);
        assertThat(List.of(file.nanos(), link.nanos(), made.nanos())).containsExactly(999_999_999, 1, 123_456_789);
        assertThat(link.type()).isEqualTo(EntryStat.Type.LINK);
        assertThat(tree.readLink(path("link"))).isEqualTo(LinkTarget.of(new byte[] {'f', 'i', 'l', 'e'}));
    }

    @Test
    void agreesWithJavaOnWhatIsThere() throws IOException {
        Workshop.file(tree, path("file"), "content");

        EntryStat stat = tree.stat(path("file")).orElseThrow();

        var unix = Files.readAttributes(root.resolve("file"), "unix:*");
        assertThat(stat.inode()).isEqualTo(unix.get("ino"));
        assertThat(stat.size()).isEqualTo(7);
        assertThat(stat.links()).isEqualTo(unix.get("nlink"));
        assertThat(stat.owner()).isEqualTo(unix.get("uid"));
        assertThat(stat.mode()).isEqualTo((int) unix.get("mode") & 07777);
    }

    @Test
    void renamesAsAsked() throws IOException {
        Workshop.file(tree, path("a"), "a");
        Workshop.file(tree, path("b"), "b");

        assertReason(Reason.EXISTS, () -> tree.rename(path("a"), path("b"), Tree.Renaming.KEEP));
        tree.rename(path("a"), path("b"), Tree.Renaming.EXCHANGE);
        assertThat(Workshop.text(tree, path("a"))).isEqualTo("b");
        tree.rename(path("a"), path("b"), Tree.Renaming.REPLACE);

        assertThat(Workshop.text(tree, path("b"))).isEqualTo("b");
        assertThat(tree.stat(path("a"))).isEmpty();
    }

    @Test
    void findsAFolderAnewAfterItWasRenamed() throws IOException {
        Workshop.folder(tree, "a");
        Workshop.folder(tree, "a/in");
        Workshop.file(tree, path("a/in/file"), "old");
        tree.rename(path("a"), path("b"), Tree.Renaming.KEEP);
        Workshop.folder(tree, "a");

        assertThat(tree.stat(path("a/in/file"))).isEmpty();
        assertThat(Workshop.text(tree, path("b/in/file"))).isEqualTo("old");
    }

    @Test
    void copiesRangesBetweenFiles() throws IOException {
        byte[] content = new byte[3_000_000];
        new Random(6).nextBytes(content);
        Workshop.file(tree, path("from"), content);
        Workshop.file(tree, path("to"), "");

        try (FileHandle from = tree.openForReading(path("from"));
                Folder parent = tree.folders().root();
                FileHandle to =
                        new FileHandle(Posix.open(parent.handle, path("to").toBytes(), Posix.READ_WRITE, 0), "to")) {
            assertThat(to.copyRange(from, 1, 0, 2_999_999)).isEqualTo(2_999_999);
            assertThat(to.copyRange(from, 2_999_990, 2_999_999, 100)).isEqualTo(10);
            to.sync();
        }

        assertThat(Workshop.content(tree, path("to")))
                .hasSize(3_000_009)
                .startsWith(java.util.Arrays.copyOfRange(content, 1, 100))
                .endsWith(java.util.Arrays.copyOfRange(content, 2_999_990, 3_000_000));
    }

    @Test
    void servesManyThreadsAndMoreFoldersThanItKeeps() throws Exception {
        for (int at = 0; at < Folders.KEPT + 50; at++) {
            Workshop.folder(tree, "f" + at);
        }
        try (ExecutorService workers = Executors.newFixedThreadPool(4)) {
            List<Callable<Void>> jobs = IntStream.range(0, 4)
                    .<Callable<Void>>mapToObj(worker -> () -> fill(worker))
                    .toList();
            for (Future<Void> done : workers.invokeAll(jobs)) {
                done.get();
            }
        }

        assertThat(Workshop.found(Workshop.walked(tree))).hasSize(5 * (Folders.KEPT + 50));
    }

    private Void fill(int worker) throws IOException {
        for (int at = 0; at < Folders.KEPT + 50; at++) {
            Workshop.file(tree, path("f" + (at * 7 % (Folders.KEPT + 50)) + "/w" + worker), "x");
        }
        return null;
    }

    @Test
    void leavesNoHandleOpen() throws Exception {
        long before = handles();
        try (Tree other = Tree.open(Workshop.bytes(root))) {
            for (int at = 0; at < Folders.KEPT + 20; at++) {
                Workshop.folder(other, "f" + at);
                Workshop.file(other, path("f" + at + "/file"), "x");
            }
            Workshop.walked(other);
            assertThat(handles()).isLessThanOrEqualTo(before + Folders.KEPT + 2);
        }

        assertThat(handles()).isEqualTo(before);
    }

    @Test
    void saysWhatIsWrongWithARoot() {
        assertReason(Reason.VANISHED, () -> Tree.open(Workshop.bytes(folder.resolve("nothing"))));
        assertReason(Reason.VANISHED, () -> Tree.create(Workshop.bytes(folder.resolve("no/thing"))));
        assertReason(Reason.NAME, () -> Tree.open(new byte[] {'a', 0}));
    }

    @Test
    void makesAMissingRoot() throws IOException {
        try (Tree made = Tree.create(Workshop.bytes(folder.resolve("made")))) {
            Workshop.file(made, path("file"), "content");
            assertThat(made.freeBytes().orElseThrow()).isPositive();
        }

        assertThat(folder.resolve("made/file")).hasContent("content");
    }

    private static void assertReason(Reason reason, org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        TreeException.class,
                        e -> assertThat(e.reason()).as(e.getMessage()).isEqualTo(reason));
    }

    private void pipe(String name) throws Exception {
        Process made = new ProcessBuilder("mkfifo", root.resolve(name).toString()).start();
        assertThat(made.waitFor()).isZero();
    }

    private static long handles() throws IOException {
        try (var open = Files.list(Path.of("/proc/self/fd"))) {
            return open.count();
        }
    }
}
