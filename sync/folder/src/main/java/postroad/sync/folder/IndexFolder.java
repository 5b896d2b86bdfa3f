package postroad.sync.folder;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import postroad.common.Sha256;
import postroad.common.lmdb.PageCheck;
import postroad.sync.core.Shown;

/// The folder of one tree's index: finds it, and sees to it that what is opened there may be trusted.
///
/// Below `sync/` in the state folder each tree has its own, named after the tree's device, inode and path. `tree` in it
/// says the format and the path, `in-use` is locked shared by every process that has the index open, `damaged` appears
/// when one found it so. LMDB trusts what it maps, so whoever opens it as the only one checks it first; a damaged one
/// is deleted. `sync/opening` is locked while anyone looks.
final class IndexFolder implements AutoCloseable {
    private static final String FORMAT = "postroad chunk index 1";
    private static final String IN_USE = "in-use";
    private static final String DAMAGED = "damaged";
    private static final String TREE = "tree";
    /// With more trees than this, the indexes that were opened longest ago go.
    private static final int MOST_TREES = 64;

    private static final int LOCK_TRIES = 200;
    private static final long LOCK_PAUSE_NANOS = 10_000_000;
    /// LMDB maps its lock file, which must then have all its blocks: on a full disk touching a hole ends the process.
    private static final int LOCK_FILE_BYTES = 64 << 10;

    private final Path path;
    private final String description;
    private int inUse = -1;

    private IndexFolder(Path path, String description) {
        this.path = path;
        this.description = description;
    }

    static IndexFolder of(Path stateFolder, Tree tree) throws IOException {
        EntryStat root = tree.stat();
        byte[] place = tree.place();
        byte[] identity = ByteBuffer.allocate(16 + place.length)
                .putLong(root.device())
                .putLong(root.inode())
                .put(place)
                .array();
        String name = HexFormat.of().formatHex(Sha256.of(identity), 0, 16);
        Path folder = stateFolder.toAbsolutePath().normalize().resolve("sync").resolve(name);
        return new IndexFolder(folder, FORMAT + "\n" + Shown.of(place) + "\n");
    }

    Path path() {
        return path;
    }

    /// Makes it ready to be opened and holds it; gives what was found wrong with what was there, if it had to go.
    Optional<String> prepare(long checkedBytes) throws IOException {
        Files.createDirectories(
                path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        int opening = openFile(path.resolveSibling("opening"));
        try {
            awaitLock(opening);
            inUse = openFile(path.resolve(IN_USE));
            Optional<String> problem = Optional.empty();
            if (Posix.lock(inUse) == 0) {
                problem = makeSound(checkedBytes);
                dropOldest();
            }
            Tree.checked(Posix.lockShared(inUse), path);
            Files.setLastModifiedTime(path.resolve(IN_USE), FileTime.from(Instant.now()));
            return problem;
        } finally {
            Posix.close(opening);
        }
    }

    private static int openFile(Path file) throws TreeException {
        byte[] name = file.toString().getBytes(StandardCharsets.UTF_8);
        int handle = Posix.open(Posix.CURRENT_FOLDER, name, Posix.READ_WRITE | Posix.CREATE | Posix.NOFOLLOW, 0600);
        return Tree.checked(handle, file);
    }

    /// Whoever has it only looks; one that is halted must not hold up the others.
    private static void awaitLock(int handle) throws IOException {
        for (int i = 0; Posix.lock(handle) != 0; i++) {
            if (i == LOCK_TRIES) {
                throw new IOException("another process is opening it and does not come to an end");
            }
            LockSupport.parkNanos(LOCK_PAUSE_NANOS);
        }
    }

    private Optional<String> makeSound(long checkedBytes) throws IOException {
        Path data = path.resolve(IndexTables.DATA_FILE);
        Optional<String> problem = Files.exists(data) ? problemOf(data, checkedBytes) : Optional.empty();
        if (problem.isPresent() || !Files.exists(data)) {
            deleteContent();
            Files.writeString(path.resolve(TREE), description);
        }
        Path lock = path.resolve(IndexTables.LOCK_FILE);
        if (!Files.exists(lock) || Files.size(lock) != LOCK_FILE_BYTES) {
            Files.write(lock, new byte[LOCK_FILE_BYTES]);
        }
        return problem;
    }

    private Optional<String> problemOf(Path data, long checkedBytes) {
        try {
            if (Files.exists(path.resolve(DAMAGED))) {
                return Optional.of("it was found to be damaged, or full");
            }
            if (!Files.readString(path.resolve(TREE)).equals(description)) {
                return Optional.of("it is of another format or tree");
            }
            if (PageCheck.compareLength(data) < 0) {
                return Optional.of("it was cut off");
            }
            return Files.size(data) <= checkedBytes ? PageCheck.whole(data) : Optional.empty();
        } catch (NoSuchFileException e) {
            return Optional.of(e.getMessage() + " is missing");
        } catch (IOException | RuntimeException e) {
            // A damaged page may lead the check out of the file.
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    private void deleteContent() throws IOException {
        for (String name : List.of(IndexTables.DATA_FILE, IndexTables.LOCK_FILE, DAMAGED, TREE)) {
            Files.deleteIfExists(path.resolve(name));
        }
    }

    /// Has the next one who opens it alone delete it.
    void markDamaged() {
        try {
            Files.write(path.resolve(DAMAGED), new byte[0]);
        } catch (IOException e) {
            // It will be found damaged once more.
        }
    }

    private void dropOldest() throws IOException {
        List<Path> all = new ArrayList<>();
        try (Stream<Path> found = Files.list(path.getParent())) {
            found.filter(each -> Files.isRegularFile(each.resolve(IN_USE))).forEach(all::add);
        }
        if (all.size() <= MOST_TREES) {
            return;
        }
        all.sort(Comparator.comparing(IndexFolder::openedAt));
        for (Path each : all.subList(0, all.size() - MOST_TREES)) {
            if (!each.equals(path)) {
                drop(each);
            }
        }
    }

    private static FileTime openedAt(Path folder) {
        try {
            return Files.getLastModifiedTime(folder.resolve(IN_USE));
        } catch (IOException e) {
            return FileTime.fromMillis(0);
        }
    }

    private static void drop(Path folder) throws IOException {
        int handle = openFile(folder.resolve(IN_USE));
        try {
            if (Posix.lock(handle) == 0) {
                IndexFolder old = new IndexFolder(folder, "");
                old.deleteContent();
                Files.deleteIfExists(folder.resolve(IN_USE));
                Files.deleteIfExists(folder);
            }
        } finally {
            Posix.close(handle);
        }
    }

    /// Lets go of it.
    @Override
    public void close() {
        if (inUse >= 0) {
            Posix.close(inUse);
            inUse = -1;
        }
    }
}
