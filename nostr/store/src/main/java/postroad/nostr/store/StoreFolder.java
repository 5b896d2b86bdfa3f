package postroad.nostr.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileStore;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/// The folder of a store: who holds it, and whether it is what it was when it was last left.
///
/// | file | content |
/// |---|---|
/// | `data.mdb` | the store |
/// | `lock.mdb` | LMDB's table of readers |
/// | `lock` | locked by the process that has the store open; its process id as text |
/// | `open` | there while the store is open for writing: which file `data.mdb` is on which device |
/// | `new/` | a store in the making; left over only by a crash before it held anything |
/// | `unfinished-backup/` | a copy in the making; left over only by a crash |
final class StoreFolder implements AutoCloseable {
    static final String UNFINISHED_BACKUP = "unfinished-backup";

    private static final String LOCK = "lock";
    private static final String OPEN = "open";
    private static final String NEW = "new";

    /// Folders that this process holds, by their real paths.
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private final Path folder;
    private final boolean readOnly;
    private final List<AutoCloseable> held = new ArrayList<>();
    private final OwnedFiles files;
    private FileStore disk;

    /// One that is not held yet.
    StoreFolder(Path folder, boolean readOnly) {
        this.folder = folder;
        this.readOnly = readOnly;
        this.files = new OwnedFiles(folder, List.of(LOCK, Environment.LOCK_FILE, OPEN, Environment.DATA_FILE));
    }

    /// Takes hold of a folder.
    ///
    /// @throws StoreException when another process holds it, or it can't be used
    static StoreFolder hold(Path path, boolean readOnly) {
        StoreFolder folder = new StoreFolder(path.toAbsolutePath().normalize(), readOnly);
        try {
            folder.enter();
            return folder;
        } catch (IOException e) {
            folder.close();
            throw folder.unusable(e);
        } catch (RuntimeException e) {
            folder.close();
            throw e;
        }
    }

    /// Its absolute path.
    Path path() {
        return folder;
    }

    /// Whether there is a store in it.
    ///
    /// @throws StoreException when there was one that has lost its file, or what is in it: making one would hide it
    boolean hasData() {
        Path file = folder.resolve(Environment.DATA_FILE);
        if (exists(file)) {
            if (Environment.fileBytes(folder) == 0) {
                throw lost(file + " is empty, which a store never is");
            }
            return true;
        }
        for (String trace : List.of(OPEN, Environment.LOCK_FILE)) {
            if (Files.exists(folder.resolve(trace))) {
                throw lost(file + " is gone, and " + trace + " tells that there was a store");
            }
        }
        return false;
    }

    /// Whether a file is there; not being allowed to know is not taken for no.
    private boolean exists(Path file) {
        try {
            Files.readAttributes(file, BasicFileAttributes.class);
            return true;
        } catch (AccessDeniedException e) {
            throw unusable(e);
        } catch (IOException e) {
            return false;
        }
    }

    private StoreException lost(String what) {
        return new StoreException(
                what + ": put a backup in its place; to begin with an empty store, delete the folder " + folder);
    }

    /// A fresh sub-folder to make a new store in.
    Path beginNew() {
        try {
            Path fresh = folder.resolve(NEW);
            deleteTree(fresh);
            return Files.createDirectory(fresh);
        } catch (IOException e) {
            throw unusable(e);
        }
    }

    /// Moves the store made in [#beginNew] to its place.
    void finishNew() {
        try {
            Path fresh = folder.resolve(NEW);
            sync(fresh.resolve(Environment.DATA_FILE));
            Files.move(
                    fresh.resolve(Environment.DATA_FILE),
                    folder.resolve(Environment.DATA_FILE),
                    StandardCopyOption.ATOMIC_MOVE);
            deleteTree(fresh);
            sync(folder);
        } catch (IOException e) {
            throw unusable(e);
        }
    }

    /// Whether the store was copied here while it was open elsewhere: pages may be of different ages.
    boolean isCopyOfOpenStore() {
        try {
            return isMarkedOpen() && !Files.readString(folder.resolve(OPEN)).equals(identity());
        } catch (IOException e) {
            throw unusable(e);
        }
    }

    /// Whether it was open when it was last heard of: its process crashed, or its folder was copied.
    boolean isMarkedOpen() {
        return Files.exists(folder.resolve(OPEN));
    }

    /// Notes that this file is open for writing from now on.
    void markOpen() {
        try {
            Files.writeString(folder.resolve(OPEN), identity());
        } catch (IOException e) {
            throw unusable(e);
        }
    }

    /// Notes that all is written.
    void markClosed() {
        try {
            Files.deleteIfExists(folder.resolve(OPEN));
        } catch (IOException e) {
            throw unusable(e);
        }
    }

    /// Free space that this process may use, in bytes; as much as can be when the system won't say.
    long freeBytes() {
        try {
            return disk.getUsableSpace();
        } catch (IOException e) {
            return Long.MAX_VALUE;
        }
    }

    /// What was made since it is held becomes its owner's: root may open the store of another user, who has to be able
    /// to use it afterwards.
    void handOver() {
        files.handOver();
    }

    /// Lets go of the folder.
    @Override
    public void close() {
        files.handOver();
        for (AutoCloseable one : held.reversed()) {
            try {
                one.close();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
        held.clear();
    }

    /// Makes a file's or folder's content and names durable.
    static void sync(Path path) throws IOException {
        boolean isFolder = Files.isDirectory(path);
        try (FileChannel channel =
                FileChannel.open(path, isFolder ? StandardOpenOption.READ : StandardOpenOption.WRITE)) {
            channel.force(true);
        }
    }

    static void deleteTree(Path root) throws IOException {
        if (!Files.exists(root)) {
            return;
        }
        try (Stream<Path> paths = Files.walk(root)) {
            for (Path path : paths.toList().reversed()) {
                Files.delete(path);
            }
        }
    }

    private void enter() throws IOException {
        if (Files.exists(folder) && !Files.isDirectory(folder)) {
            throw new StoreException(folder + " is a file; a store is a folder");
        }
        if (readOnly && !hasData()) {
            throw new StoreException("there is no store in " + folder);
        }
        if (!readOnly) {
            files.remember();
            Files.createDirectories(folder);
        }
        if (Files.exists(folder.resolve(UNFINISHED_BACKUP))) {
            throw new StoreException(folder + " holds a backup that was not finished: delete it and make a new one");
        }
        disk = Files.getFileStore(folder);
        lock();
    }

    private void lock() throws IOException {
        Path file = folder.resolve(LOCK);
        if (readOnly && !Files.exists(file)) {
            return;
        }
        holdInThisProcess();
        FileChannel channel = readOnly
                ? FileChannel.open(file, StandardOpenOption.READ)
                : FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        held.add(channel);
        FileLock lock = channel.tryLock(0, Long.MAX_VALUE, readOnly);
        if (lock == null) {
            throw new StoreException("the store in " + folder + " is open in process "
                    + Files.readString(file).strip() + ": stop that one first, or ask it");
        }
        if (!readOnly) {
            channel.truncate(0);
            channel.write(UTF_8.encode(ProcessHandle.current().pid() + "\n"), 0);
        }
    }

    /// The system drops a process's lock as soon as the process closes any descriptor of the file (POSIX, `fcntl`), so
    /// a second opening in this process must be refused before it opens one.
    private void holdInThisProcess() throws IOException {
        Path real = folder.toRealPath();
        if (!HELD.add(real)) {
            throw new StoreException("the store in " + folder + " is open in this process already");
        }
        held.add(() -> HELD.remove(real));
    }

    /// The data file's number and device; the same after a crash, another for a copy.
    private String identity() throws IOException {
        BasicFileAttributes attributes =
                Files.readAttributes(folder.resolve(Environment.DATA_FILE), BasicFileAttributes.class);
        return String.valueOf(attributes.fileKey());
    }

    private StoreException unusable(IOException e) {
        String reason = e instanceof FileSystemException f && f.getReason() != null
                ? f.getReason()
                : e instanceof AccessDeniedException ? "permission denied" : e.toString();
        String what = e instanceof FileSystemException f ? f.getFile() : folder.toString();
        Optional<String> foreign = e instanceof AccessDeniedException ? foreign() : Optional.empty();
        if (foreign.isPresent()) {
            return new StoreException(
                    "the store in " + folder + " can't be " + (readOnly ? "read" : "written") + ": " + foreign.get(),
                    e);
        }
        return new StoreException(
                "the store in " + folder + " can't be " + (readOnly ? "read" : "written") + ": " + what + ": " + reason
                        + (readOnly ? "" : "; " + remedy(reason)),
                e);
    }

    /// A file in the folder that this user may not use, though the folder is open to him: what it is, and what to do.
    Optional<String> foreign() {
        return files.unusable(readOnly).map(file -> {
            String name = String.valueOf(file.getFileName());
            boolean isLock = name.equals(LOCK) || name.equals(Environment.LOCK_FILE);
            return file + ": permission denied; it belongs to " + OwnedFiles.owner(file)
                    + ": give it to this user (as root: chown USER " + file + ")"
                    + (isLock ? ", or delete it if no process has the store open" : "");
        });
    }

    /// What a person does about a folder that cannot be written.
    static String remedy(String reason) {
        return reason.contains("No space left") || reason.contains("quota")
                ? "make room on its disk, or name another folder"
                : "give this user write access to the folder, or name another";
    }
}
