package postroad.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import postroad.sync.core.SessionOptions;
import postroad.sync.core.Shown;
import postroad.sync.core.TreePath;
import postroad.sync.folder.ChunkMemory;
import postroad.sync.folder.EntryStat;
import postroad.sync.folder.NoMemory;
import postroad.sync.folder.Reason;
import postroad.sync.folder.Staging;
import postroad.sync.folder.Tree;
import postroad.sync.folder.TreeException;
import postroad.sync.peer.Target;

/// Where `receive` puts what comes: the contents of a folder into PATH, which is made when missing; a file into PATH
/// when that is a folder, else as PATH.
final class ReceivePlace implements AutoCloseable {
    private static final int DEEPEST = 4096;

    private final byte[] path;
    private final Function<Tree, ChunkMemory> memories;
    private final Optional<Tree> backup;
    private Optional<Path> empty = Optional.empty();
    private ChunkMemory memory = new NoMemory();

    private ReceivePlace(byte[] path, Function<Tree, ChunkMemory> memories, Optional<Tree> backup) {
        this.path = path;
        this.memories = memories;
        this.backup = backup;
    }

    /// @param memories opens what is remembered of a tree's hashed files
    /// @param backup where what is replaced or deleted goes
    /// @param isDry whether nothing will be written
    /// @throws Failure if nothing can ever be received there
    static ReceivePlace of(byte[] path, Function<Tree, ChunkMemory> memories, Optional<byte[]> backup, boolean isDry) {
        try (Tree parent = Tree.open(SendSource.parentOf(path))) {
            // It has to be there for PATH to be made in.
            parent.stat();
        } catch (TreeException e) {
            throw new Failure(e.getMessage() + "; " + Shown.of(path) + " lies in it", e);
        }
        Optional<Tree> kept;
        try {
            kept = backup.isPresent() ? Optional.of(Tree.create(backup.get())) : Optional.empty();
            if (kept.isPresent()) {
                refuseInside(path, backup.get());
            }
        } catch (TreeException e) {
            throw new Failure("--backup-dir " + e.getMessage(), e);
        }
        ReceivePlace place = new ReceivePlace(path, memories, kept);
        if (!isDry) {
            place.check();
        }
        return place;
    }

    /// A person who starts a receiver is to hear now what would have each sender turned away.
    private void check() {
        try {
            Optional<Tree> tree = existing(path);
            if (tree.isPresent()) {
                try (Tree target = tree.get()) {
                    Staging.check(target, backup);
                }
                return;
            }
            try (Tree parent = Tree.open(SendSource.parentOf(path))) {
                parent.checkWritable();
            }
        } catch (TreeException e) {
            throw new Failure("cannot receive into " + Shown.of(path) + ": " + e.getMessage(), e);
        }
    }

    /// Empty when `path` is missing or a file.
    private static Optional<Tree> existing(byte[] path) throws TreeException {
        try {
            return Optional.of(Tree.open(path));
        } catch (TreeException e) {
            if (e.reason() == Reason.VANISHED || e.reason() == Reason.KIND) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /// What lies in PATH would be compared, and deleted.
    private static void refuseInside(byte[] path, byte[] backup) throws TreeException {
        Optional<EntryStat> target = rootOf(path);
        if (target.isEmpty()) {
            return;
        }
        byte[] at = backup;
        Optional<EntryStat> before = Optional.empty();
        for (int depth = 0; depth < DEEPEST; depth++) {
            Optional<EntryStat> here = rootOf(at);
            if (here.isEmpty()
                    || before.filter(below -> isSame(below, here.get())).isPresent()) {
                return;
            }
            if (isSame(target.get(), here.get())) {
                throw new Failure("--backup-dir " + Shown.of(backup) + " lies in " + Shown.of(path)
                        + ", where it would be synced itself; name a folder beside it");
            }
            before = here;
            byte[] up = Arrays.copyOf(at, at.length + 3);
            System.arraycopy(new byte[] {'/', '.', '.'}, 0, up, at.length, 3);
            at = up;
        }
    }

    private static Optional<EntryStat> rootOf(byte[] path) throws TreeException {
        Optional<Tree> opened = existing(path);
        if (opened.isEmpty()) {
            return Optional.empty();
        }
        try (Tree tree = opened.get()) {
            return Optional.of(tree.stat());
        }
    }

    private static boolean isSame(EntryStat one, EntryStat other) {
        return one.device() == other.device() && one.inode() == other.inode();
    }

    /// The settings for its sessions, which leave a home alone that lies in it.
    ///
    /// @throws Failure if what is received would come into the home itself
    SyncSettings without(OwnHome home, SyncSettings settings, Consumer<String> say) {
        try {
            Optional<Tree> opened = existing(path);
            if (opened.isPresent()) {
                try (Tree tree = opened.get()) {
                    return home.leftOut(settings, tree, say);
                }
            }
        } catch (TreeException e) {
            throw new Failure(e.getMessage(), e);
        }
        try (Tree parent = Tree.open(SendSource.parentOf(path))) {
            byte[] name = SendSource.nameOf(path);
            boolean isFile = TreePath.fault(name).isEmpty()
                    && parent.stat(TreePath.of(name)).isPresent();
            if (isFile) {
                home.refuse(parent);
            }
            return settings;
        } catch (TreeException e) {
            throw new Failure(e.getMessage(), e);
        }
    }

    /// Opens it for a session.
    Target open(SessionOptions options) throws TreeException {
        Tree tree;
        try {
            tree = Tree.open(path);
        } catch (TreeException e) {
            boolean isMissing = e.reason() == Reason.VANISHED;
            if (options.single() && (isMissing || e.reason() == Reason.KIND)) {
                return asFile(options);
            }
            if (!isMissing) {
                throw e.reason() == Reason.KIND
                        ? new TreeException(
                                Reason.KIND, Shown.of(path), "it is a file there, and a folder is being sent")
                        : e;
            }
            // A dry run makes no folder: it compares with one that is empty.
            return options.dryRun() ? emptyTarget(options) : target(Tree.create(path), Optional.empty(), options);
        }
        return target(tree, Optional.empty(), options);
    }

    private Target asFile(SessionOptions options) throws TreeException {
        TreePath name;
        try {
            name = TreePath.of(SendSource.nameOf(path));
        } catch (IllegalArgumentException e) {
            throw new TreeException(Reason.NAME, Shown.of(path), e.getMessage());
        }
        return target(Tree.open(SendSource.parentOf(path)), Optional.of(name), options);
    }

    private synchronized Target emptyTarget(SessionOptions options) throws TreeException {
        try {
            if (empty.isEmpty()) {
                empty = Optional.of(Files.createTempDirectory("postroad-dry-"));
            }
        } catch (IOException e) {
            throw new TreeException(
                    Reason.OTHER, Shown.of(path), "it is missing, and nothing can stand in for it: " + e);
        }
        return target(Tree.open(ByteWords.bytes(empty.get().toString())), Optional.empty(), options);
    }

    /// One session at a time: the memory of the one before is closed with the next.
    private synchronized Target target(Tree tree, Optional<TreePath> only, SessionOptions options)
            throws TreeException {
        memory.close();
        memory = options.dryRun() ? new NoMemory() : memories.apply(tree);
        try {
            return Target.of(tree, memory, only, false, backup, options);
        } catch (TreeException e) {
            tree.close();
            throw e;
        }
    }

    @Override
    public synchronized void close() throws IOException {
        memory.close();
        backup.ifPresent(Tree::close);
        if (empty.isPresent()) {
            Files.deleteIfExists(empty.get());
        }
    }
}
