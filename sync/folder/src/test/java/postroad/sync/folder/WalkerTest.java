package postroad.sync.folder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static postroad.sync.folder.Workshop.path;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import postroad.sync.core.Kind;
import postroad.sync.core.TreePath;

class WalkerTest {
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

    @Test
    void walksInTheOrderOfPaths() throws IOException {
        for (String each : List.of("a", "a/b", "a.d", "b", "B")) {
            Workshop.folder(tree, each);
        }
        for (String each : List.of("a/b/c", "a-file", "a.c", "a0", "b/\u00ff", "b/\u00c3\u00a9", "B/x")) {
            Workshop.file(tree, path(each), each);
        }

        List<TreePath> found = Workshop.found(Workshop.walked(tree));

        assertThat(found).hasSize(12).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void findsWhatARandomTreeHolds() throws IOException {
        Random random = new Random(11);
        List<TreePath> folders = new ArrayList<>();
        TreeSet<TreePath> all = new TreeSet<>();
        for (int at = 0; at < 1_500; at++) {
            byte[] name = new byte[1 + random.nextInt(6)];
            random.nextBytes(name);
            TreePath made = folders.isEmpty() || random.nextInt(4) == 0 ? top(name) : below(folders, name, random);
            if (made == null || !all.add(made)) {
                continue;
            }
            if (random.nextInt(5) == 0) {
                tree.makeFolder(made, 0755);
                folders.add(made);
            } else {
                Workshop.file(tree, made, "x");
            }
        }

        assertThat(Workshop.found(Workshop.walked(tree))).containsExactlyElementsOf(all);
    }

    private static TreePath top(byte[] name) {
        return TreePath.fault(name).isEmpty()
                        && new String(name, java.nio.charset.StandardCharsets.ISO_8859_1).indexOf('/') < 0
                ? TreePath.of(name)
                : null;
    }

    private static TreePath below(List<TreePath> folders, byte[] name, Random random) {
        return top(name) == null
                ? null
                : folders.get(random.nextInt(folders.size())).child(name);
    }

    @Test
    void tellsSizeTimeModeAndTarget() throws IOException {
        Workshop.file(tree, path("file"), "content");
        tree.setMode(path("file"), 0640);
        tree.setTimes(path("file"), 1_000, 7);
        Workshop.link(tree, "link", "no/where");

        List<Item> items = Workshop.walked(tree);

        assertThat(items).hasSize(3).last().isEqualTo(new Item.End(true));
        var file = ((Item.Found) items.get(0)).entry();
        var link = ((Item.Found) items.get(1)).entry();
        assertThat(List.of(file.size(), file.seconds(), link.size())).containsExactly(7L, 1_000L, 0L);
        assertThat(List.of(file.nanos(), file.mode())).containsExactly(7, 0640);
        assertThat(List.of(file.kind(), link.kind())).containsExactly(Kind.FILE, Kind.LINK);
        assertThat(link.target()).hasToString("no/where");
    }

    @Test
    void skipsItsOwnFolderAtTheRootOnly() throws IOException {
        Workshop.folder(tree, ".postroad");
        Workshop.file(tree, path(".postroad/staged"), "x");
        Workshop.folder(tree, "a");
        Workshop.file(tree, path("a/.postroad"), "x");

        assertThat(Workshop.found(Workshop.walked(tree))).containsExactly(path("a"), path("a/.postroad"));
    }

    @Test
    void doesNotEnterWhatIsExcluded() throws IOException {
        Workshop.folder(tree, "a");
        Workshop.file(tree, path("a/b"), "x");
        Workshop.file(tree, path("c"), "x");

        List<Item> items = Workshop.walked(tree, (path, kind) -> path.equals(path("a")) && kind == Kind.FOLDER);

        assertThat(Workshop.found(items)).containsExactly(path("c"));
        assertThat(items).last().isEqualTo(new Item.End(true));
    }

    @Test
    void skipsPipesWithAWord() throws Exception {
        Process made = new ProcessBuilder("mkfifo", root.resolve("pipe").toString()).start();
        assertThat(made.waitFor()).isZero();

        assertThat(Workshop.walked(tree)).containsExactly(new Item.Skipped(path("pipe"), "a pipe"), new Item.End(true));
    }

    @Test
    void goesOnAfterAFolderThatIsTooDeep() throws IOException {
        TreePath at = path("d");
        tree.makeFolder(at, 0755);
        for (int level = 1; level <= Walker.MAX_DEPTH; level++) {
            at = at.child(new byte[] {'d'});
            tree.makeFolder(at, 0755);
        }
        Workshop.file(tree, path("e"), "x");

        List<Item> items = Workshop.walked(tree);
        tree.removeFolder(at);

        assertThat(Workshop.found(items)).hasSize(Walker.MAX_DEPTH + 1).last().isEqualTo(path("e"));
        assertThat(items).filteredOn(item -> item instanceof Item.Fault).hasSize(1);
        assertThat(items).last().isEqualTo(new Item.End(false));
    }

    @Test
    void reportsAFolderThatIsSwappedForALink() throws IOException {
        Files.createDirectories(folder.resolve("outside/in"));
        Workshop.folder(tree, "a");
        Workshop.file(tree, path("a/file"), "x");
        Workshop.file(tree, path("b"), "x");

        List<Item> items = new ArrayList<>();
        try (Walker walker = new Walker(tree, EntryFilter.NOTHING)) {
            items.add(walker.next());
            Files.move(root.resolve("a"), folder.resolve("away"));
            Files.createSymbolicLink(root.resolve("a"), folder.resolve("outside"));
            do {
                items.add(walker.next());
            } while (!(items.getLast() instanceof Item.End));
        }

        assertThat(Workshop.found(items)).containsExactly(path("a"), path("b"));
        assertThat(((Item.Fault) items.get(1)).reason()).isEqualTo(Reason.KIND);
        assertThat(items).last().isEqualTo(new Item.End(false));
    }

    @Test
    void neverThrowsWhileTheTreeChanges() throws Exception {
        AtomicBoolean stop = new AtomicBoolean();
        for (int at = 0; at < 40; at++) {
            Files.createDirectories(root.resolve("f" + at + "/g/h"));
            Files.writeString(root.resolve("f" + at + "/g/h/file"), "x");
        }
        Thread changer = Thread.ofPlatform().start(() -> change(stop));
        try {
            for (int round = 0; round < 60; round++) {
                assertThat(Workshop.found(Workshop.walked(tree))).isSorted().doesNotHaveDuplicates();
            }
        } finally {
            stop.set(true);
            changer.join();
        }
    }

    /// Moves whole folders away and back, and puts links in their places.
    private void change(AtomicBoolean stop) {
        Random random = new Random(3);
        while (!stop.get()) {
            Path victim = root.resolve("f" + random.nextInt(40) + (random.nextBoolean() ? "/g" : ""));
            Path away = folder.resolve("away");
            try {
                Files.move(victim, away);
                Files.createSymbolicLink(victim, folder);
                Files.delete(victim);
                Files.move(away, victim);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @Test
    void reportsAFolderThatCannotBeRead() throws IOException {
        Workshop.folder(tree, "a");
        Workshop.file(tree, path("b"), "x");
        tree.setMode(path("a"), 0);
        assumeTrue(Posix.user() != 0, "root reads everything; the system tests run this as an ordinary user");

        List<Item> items = Workshop.walked(tree);

        assertThat(Workshop.found(items)).containsExactly(path("a"), path("b"));
        assertThat(((Item.Fault) items.get(1)).reason()).isEqualTo(Reason.DENIED);
        assertThat(items).last().isEqualTo(new Item.End(false));
    }

    @Test
    void opensWhatItsOwnerLockedForAsLongAsItIsThere() throws IOException {
        assumeTrue(Posix.user() != 0, "nothing is locked for root; the system tests run this as an ordinary user");
        lockedTree();

        List<Item> items = new ArrayList<>();
        try (Walker walker = Walker.unlocking(tree, EntryFilter.NOTHING)) {
            do {
                items.add(walker.next());
                if (items.getLast() instanceof Item.Found(var entry, var _)
                        && entry.path().equals(path("a/in/file"))) {
                    assertThat(modes("a", "a/in", "b", "c")).containsExactly(0700, 0750, 0300, 0400);
                }
            } while (!(items.getLast() instanceof Item.End));
        }

        assertThat(modes("a", "a/in", "b", "c")).containsExactly(0, 0150, 0300, 0400);
        assertThat(items).last().isEqualTo(new Item.End(true));
        assertThat(Workshop.found(items))
                .containsExactly(
                        path("a"),
                        path("a/in"),
                        path("a/in/file"),
                        path("b"),
                        path("b/file"),
                        path("c"),
                        path("c/file"));
        assertThat(((Item.Found) items.getFirst()).entry().mode()).isZero();
    }

    @Test
    void locksAgainWhatAWalkThatEndsEarlyHasOpened() throws IOException {
        assumeTrue(Posix.user() != 0, "nothing is locked for root; the system tests run this as an ordinary user");
        lockedTree();

        try (Walker walker = Walker.unlocking(tree, EntryFilter.NOTHING)) {
            for (int at = 0; at < 3; at++) {
                walker.next();
            }
            assertThat(modes("a", "a/in")).containsExactly(0700, 0750);
        }

        assertThat(modes("a", "a/in")).containsExactly(0, 0150);
    }

    private void lockedTree() throws IOException {
        for (String each : List.of("a", "a/in", "b", "c")) {
            Workshop.folder(tree, each);
        }
        for (String each : List.of("a/in/file", "b/file", "c/file")) {
            Workshop.file(tree, path(each), "x");
        }
        tree.setMode(path("a/in"), 0150);
        tree.setMode(path("a"), 0);
        tree.setMode(path("b"), 0300);
        tree.setMode(path("c"), 0400);
    }

    private List<Integer> modes(String... names) throws IOException {
        try (Unlocked unlocked = new Unlocked(tree)) {
            List<Integer> modes = new ArrayList<>();
            for (String name : names) {
                modes.add(tree.stat(path(name)).orElseThrow().mode());
                unlocked.unlock(path(name));
            }
            return modes;
        }
    }

    @Test
    void looksAtOneName() throws IOException {
        Workshop.file(tree, path("file"), "x");

        assertThat(Walker.look(tree, path("file"))).isInstanceOf(Item.Found.class);
        assertThat(Walker.look(tree, path("gone"))).isInstanceOf(Item.Fault.class);
    }
}
