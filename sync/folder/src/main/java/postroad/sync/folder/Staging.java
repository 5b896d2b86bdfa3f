package postroad.sync.folder;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import postroad.sync.core.Kind;
import postroad.sync.core.SessionId;
import postroad.sync.core.Shown;
import postroad.sync.core.TreePath;

/// The receiver's reserved folder at the root of its tree: what is being received lies here until it is complete, safe
/// on the disk and renamed into its place.
///
/// ```
/// .postroad/            0700, one session at a time
///   lock                locked by the session
///   <session>/          32 hexadecimal digits
///     f<id>.<n>         a file that is being received, 0600 until it is sealed
///     l<n>              a link on its way
///     a<n>              what had to make room, gone with the session
/// ```
///
/// [#create] may be called by many threads at once, the rest one after the other (they lock). Call on platform
/// threads. A commit that failed leaves the names as they were; what is done is on the disk when it returns, as far as
/// the file system can promise (see [FileSystem.Barrier]).
public final class Staging implements AutoCloseable {
    /// Its name; never walked, sent or written by a peer.
    public static final String FOLDER = ".postroad";

    /// Up to this many files or folders are synced one by one; more are cheaper with the whole file system, see
    /// docs/decisions/0611.
    private static final int FEW = 2;

    private static final int MOST_TOUCHED = 10_000;
    private static final int ATTEMPTS = 16;
    private static final int HIDDEN_ROUNDS = 200;
    private static final long HIDDEN_NANOS = 5_000_000;
    private static final byte[] NAME = FOLDER.getBytes(StandardCharsets.US_ASCII);
    private static final String RESERVED = "it is no folder, and the name is reserved for Postroad's own: move it away";
    private static final byte[] LOCK = "lock".getBytes(StandardCharsets.US_ASCII);

    private final Tree tree;
    private final Rules rules;
    private final FileSystem.Barrier barrier;
    private final int folder;
    private final int lock;
    private final byte[] sessionName;
    private final int session;
    private final AtomicLong serial = new AtomicLong();
    private final Traits traits;
    private final Placement placement;
    private final Set<Optional<TreePath>> touched = new HashSet<>();
    private boolean open = true;

    /// What a session may do to the tree.
    ///
    /// @param protectedNames excluded names: never deleted, not even with the folder they lie in
    /// @param backup where replaced and deleted things go, on the same file system; the caller closes it, later
    /// @param keepSetIds whether set-user-id and set-group-id bits are taken over from the sender
    public record Rules(EntryFilter protectedNames, Optional<Tree> backup, boolean keepSetIds) {
        /// Nothing protected, no backup, no set-id bits.
        public static final Rules PLAIN = new Rules(EntryFilter.NOTHING, Optional.empty(), false);

        /// A folder keeps the set-id bits that it has: they are the receiver's way to share folders in a group.
        int mode(Kind kind, int wanted, int present) {
            int stripped = wanted & 01777;
            return keepSetIds ? wanted : kind == Kind.FOLDER ? stripped | present & 06000 : stripped;
        }
    }

    private Staging(Tree tree, Rules rules, int folder, int lock, byte[] sessionName, int session)
            throws TreeException {
        this.tree = tree;
        this.rules = rules;
        this.folder = folder;
        this.lock = lock;
        this.sessionName = sessionName;
        this.session = session;
        barrier = tree.fileSystem().barrier();
        removeRefuse();
        byte[] probe = name("p");
        try (FileHandle file = createFile(probe)) {
            traits = Traits.of(file, Posix.stat(session, name("P")) >= 0);
        } finally {
            Posix.unlink(session, probe, 0);
        }
        placement = new Placement(tree, session, rules, traits, serial);
    }

    /// Takes the reserved folder of `tree` for one session, named by its id.
    ///
    /// @throws TreeException [Reason#BUSY] when another session has it; when it is a link or somebody else's
    public static Staging open(Tree tree, SessionId id, Rules rules) throws TreeException {
        if (rules.backup().isPresent()) {
            checkBackup(tree, rules.backup().get());
        }
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Optional<Staging> opened = tryOpen(tree, id, rules);
            if (opened.isPresent()) {
                return opened.get();
            }
        }
        throw new TreeException(Reason.BUSY, shown(tree), "other sessions come and go in it");
    }

    /// Finds out, without changing anything, whether sessions could be staged in `tree`.
    ///
    /// @param backup as in [Rules]
    /// @throws TreeException saying why not
    public static void check(Tree tree, Optional<Tree> backup) throws TreeException {
        if (backup.isPresent()) {
            checkBackup(tree, backup.get());
        }
        tree.checkWritable();
        int known = Posix.stat(tree.root(), NAME);
        if (known == -Errno.ENOENT) {
            return;
        }
        Tree.checked(known, shown(tree));
        if (Posix.lastStat().type() != EntryStat.Type.FOLDER) {
            throw new TreeException(Reason.KIND, shown(tree), RESERVED);
        }
        checkOwner(tree, Posix.lastStat());
    }

    private static void checkBackup(Tree tree, Tree backup) throws TreeException {
        if (backup.stat().device() != tree.stat().device()) {
            String why = "it must lie on the file system of " + tree + ", because things are moved there";
            throw new TreeException(Reason.UNSUPPORTED, backup.toString(), why);
        }
    }

    /// Empty when a session that ended just now took the folder away again.
    private static Optional<Staging> tryOpen(Tree tree, SessionId id, Rules rules) throws TreeException {
        int made = Posix.makeFolder(tree.root(), NAME, 0700);
        if (made < 0 && made != -Errno.EEXIST) {
            throw TreeException.of(-made, shown(tree));
        }
        int folder = Posix.open(tree.root(), NAME, Posix.READ | Posix.DIRECTORY | Posix.NOFOLLOW, 0);
        if (folder == -Errno.ENOENT) {
            return Optional.empty();
        }
        if (folder == -Errno.ENOTDIR || folder == -Errno.ELOOP) {
            throw new TreeException(Reason.KIND, shown(tree), RESERVED);
        }
        Tree.checked(folder, shown(tree));
        int lock = -1;
        boolean taken = false;
        try {
            checkOwner(tree, folder);
            lock = Posix.open(folder, LOCK, Posix.READ_WRITE | Posix.CREATE | Posix.NOFOLLOW, 0600);
            if (lock == -Errno.ENOENT) {
                return Optional.empty();
            }
            Tree.checked(lock, shown(tree) + "/lock");
            takeLock(tree, lock);
            if (!isCurrent(tree, folder, lock)) {
                return Optional.empty();
            }
            byte[] name = name(id.toString());
            Staging staging = build(tree, rules, folder, lock, name, openSession(folder, name));
            taken = true;
            return Optional.of(staging);
        } finally {
            if (!taken) {
                closeIfOpen(lock);
                Posix.close(folder);
            }
        }
    }

    private static void takeLock(Tree tree, int lock) throws TreeException {
        int locked = Posix.lock(lock);
        if (locked == -Errno.EAGAIN) {
            throw new TreeException(Reason.BUSY, tree.toString(), "another session receives into this folder now");
        }
        Tree.checked(locked, shown(tree) + "/lock");
    }

    private static void closeIfOpen(int handle) {
        if (handle >= 0) {
            Posix.close(handle);
        }
    }

    private static Staging build(Tree tree, Rules rules, int folder, int lock, byte[] name, int session)
            throws TreeException {
        try {
            return new Staging(tree, rules, folder, lock, name, session);
        } catch (TreeException e) {
            Posix.close(session);
            throw e;
        }
    }

    private static void checkOwner(Tree tree, EntryStat stat) throws TreeException {
        if (stat.owner() != Posix.user()) {
            throw new TreeException(Reason.DENIED, shown(tree), "it belongs to another user");
        }
    }

    private static void checkOwner(Tree tree, int folder) throws TreeException {
        Tree.checked(Posix.stat(folder), shown(tree));
        EntryStat stat = Posix.lastStat();
        checkOwner(tree, stat);
        int closed = stat.mode() == 0700 ? 0 : Posix.chmod(folder, 0700);
        if (closed != -Errno.EPERM) {
            Tree.checked(closed, shown(tree));
        }
        // Its owner is only forbidden it by a file system that holds no modes.
    }

    private static boolean isCurrent(Tree tree, int folder, int lock) {
        if (Posix.stat(lock) < 0 || Posix.lastStat().links() == 0 || Posix.stat(folder) < 0) {
            return false;
        }
        long inode = Posix.lastStat().inode();
        return Posix.stat(tree.root(), NAME) >= 0 && Posix.lastStat().inode() == inode;
    }

    private static int openSession(int folder, byte[] name) throws TreeException {
        int made = Posix.makeFolder(folder, name, 0700);
        if (made != -Errno.EEXIST) {
            Tree.checked(made, FOLDER);
        }
        return Tree.checked(Posix.open(folder, name, Posix.READ | Posix.DIRECTORY | Posix.NOFOLLOW, 0), FOLDER);
    }

    /// How coarse the tree's times are: two times that differ by less are the same time, 0 when they are exact.
    public long timeToleranceNanos() {
        return traits.timeToleranceNanos();
    }

    /// Whether the tree takes upper and lower case for the same.
    public boolean isCaseInsensitive() {
        return traits.caseInsensitive();
    }

    /// Whether the tree holds modes; where it does not, none is set.
    public boolean keepsModes() {
        return traits.keepsModes();
    }

    Posix.AccessTime accessTime() {
        return traits.accessTime();
    }

    /// Whether `path` is the reserved folder or lies in it.
    public static boolean isReserved(TreePath path) {
        return isReserved(path, false);
    }

    static boolean isReserved(TreePath path, boolean anyCase) {
        if (path.length() < NAME.length || path.length() > NAME.length && path.at(NAME.length) != '/') {
            return false;
        }
        for (int at = 0; at < NAME.length; at++) {
            int each = path.at(at);
            if (each != NAME[at] && !(anyCase && Character.toLowerCase(each) == NAME[at])) {
                return false;
            }
        }
        return true;
    }

    /// Whether a name at the root is the reserved one.
    static boolean isReserved(byte[] name) {
        return Arrays.equals(name, NAME);
    }

    /// Makes an empty file, which no other user can read, for the file that the session knows as `id`.
    public StagedFile create(long id) throws TreeException {
        while (true) {
            byte[] name = name("f" + id + "." + serial.getAndIncrement());
            try {
                return new StagedFile(this, id, name, createFile(name));
            } catch (TreeException e) {
                if (e.reason() != Reason.EXISTS) {
                    throw e;
                }
            }
        }
    }

    private FileHandle createFile(byte[] name) throws TreeException {
        int flags = Posix.READ_WRITE | Posix.CREATE | Posix.EXCLUSIVE | Posix.NOFOLLOW;
        int handle = Tree.checked(Posix.open(session, name, flags, 0600), "a new file in " + FOLDER);
        return new FileHandle(handle, "a file in " + FOLDER);
    }

    /// Removes a file that will not be committed.
    public void discard(StagedFile staged) {
        staged.close();
        Posix.unlink(session, staged.name(), 0);
    }

    /// What earlier sessions staged and never committed, largest first.
    public synchronized List<Leftover> leftovers() {
        List<Leftover> found = new ArrayList<>();
        Listing listing = new Listing();
        for (byte[] earlier : listing.all(folder)) {
            int handle = isSession(earlier) ? openFolder(folder, earlier) : -1;
            if (handle >= 0) {
                for (byte[] name : listing.all(handle)) {
                    if (name[0] == 'f' && Posix.stat(handle, name) >= 0) {
                        addLeftover(found, earlier, name, Posix.lastStat());
                    }
                }
                Posix.close(handle);
            }
        }
        found.sort((a, b) -> Long.compare(b.size(), a.size()));
        return found;
    }

    private void addLeftover(List<Leftover> found, byte[] earlier, byte[] name, EntryStat stat) {
        if (stat.type() == EntryStat.Type.FILE && stat.size() > 0) {
            found.add(new Leftover(this, earlier, name, stat));
        }
    }

    FileHandle openLeftover(Leftover leftover) throws TreeException {
        String shown = FOLDER + "/" + Shown.of(leftover.session()) + "/" + Shown.of(leftover.name());
        int handle = Tree.checked(openFolder(folder, leftover.session()), shown);
        try {
            Tree.setMode(handle, leftover.name(), 0600);
            return Tree.openFile(handle, leftover.name(), shown);
        } finally {
            Posix.close(handle);
        }
    }

    void discardLeftover(Leftover leftover) {
        int handle = openFolder(folder, leftover.session());
        if (handle >= 0) {
            Posix.unlink(handle, leftover.name(), 0);
            Posix.close(handle);
        }
    }

    /// Makes a folder, 0700 until [#setMeta] gives it its own mode; a file or link in its place goes, a folder stays.
    public synchronized Result makeFolder(TreePath path) {
        try (Unlocked unlocked = new Unlocked(tree)) {
            return touching(path, placement.makeFolder(path, unlocked));
        }
    }

    /// Sets times and mode of what is there already; folders last of all, because what comes into them changes their
    /// times.
    public synchronized Result setMeta(TreePath path, Kind kind, long seconds, int nanos, int mode) {
        try (Unlocked unlocked = new Unlocked(tree)) {
            return touching(path, placement.setMeta(path, kind, seconds, nanos, mode, unlocked));
        }
    }

    /// Deletes a name of this kind, a folder only when it is empty.
    public synchronized Result delete(TreePath path, Kind kind) {
        try (Unlocked unlocked = new Unlocked(tree)) {
            return touching(path, placement.delete(path, kind, unlocked));
        }
    }

    /// Puts a group in its places: one barrier for all content, renames, folders synced. Gives a result for each, in
    /// order.
    ///
    /// @param mayRemove how many names of folders in the way of files or links may go, all in all; 0 lets none go
    public synchronized List<Result> commit(List<Change> group, long mayRemove) {
        tree.forgetFolders();
        try {
            awaitContent(group);
        } catch (TreeException e) {
            return Collections.nCopies(group.size(), new Result.Refused(e.reason(), e.why()));
        }
        List<Result> results = new ArrayList<>(group.size());
        Allowance allowance = new Allowance(mayRemove);
        try (Unlocked unlocked = new Unlocked(tree)) {
            for (Change change : group) {
                results.add(touching(change.path(), put(change, unlocked, allowance)));
            }
        }
        try {
            sync();
        } catch (TreeException e) {
            results.replaceAll(
                    result -> result instanceof Result.Done ? new Result.Refused(e.reason(), e.why()) : result);
        }
        return results;
    }

    private Result put(Change change, Unlocked unlocked, Allowance allowance) {
        return switch (change) {
            case Change.PutFile(StagedFile staged, TreePath path) -> {
                staged.close();
                yield placement.place(staged.name(), path, unlocked, allowance);
            }
            case Change.PutLink link -> putLink(link, unlocked, allowance);
        };
    }

    private Result putLink(Change.PutLink link, Unlocked unlocked, Allowance allowance) {
        byte[] name = name("l" + serial.getAndIncrement());
        try {
            int made = Posix.makeLink(link.target().toBytes(), session, name);
            if (made == -Errno.EPERM || made == -Errno.ENOSYS || made == -Errno.EOPNOTSUPP) {
                return new Result.Refused(Reason.UNSUPPORTED, "the file system holds no links");
            }
            Tree.checked(made, link.path());
            Tree.checked(Posix.setTimes(session, name, link.seconds(), link.nanos(), traits.accessTime()), link.path());
        } catch (TreeException e) {
            return new Result.Refused(e.reason(), e.why());
        }
        Result result = placement.place(name, link.path(), unlocked, allowance);
        if (result instanceof Result.Refused) {
            Posix.unlink(session, name, 0);
        }
        return result;
    }

    private void awaitContent(List<Change> group) throws TreeException {
        List<StagedFile> files = new ArrayList<>();
        for (Change change : group) {
            if (change instanceof Change.PutFile(StagedFile staged, TreePath _)) {
                files.add(staged);
            }
        }
        switch (barrier) {
            case NONE -> {}
            case EACH -> {
                for (StagedFile staged : files) {
                    staged.file().sync();
                }
            }
            case ALL_AT_ONCE -> {
                if (files.size() > FEW || !syncedEach(files)) {
                    tree.syncAll();
                }
            }
        }
    }

    /// Whether all could be opened again for it: a file with no read bit cannot.
    private boolean syncedEach(List<StagedFile> files) throws TreeException {
        for (StagedFile staged : files) {
            int handle = Posix.open(session, staged.name(), Posix.READ | Posix.NOFOLLOW, 0);
            if (handle < 0) {
                return false;
            }
            try (FileHandle file = new FileHandle(handle, "a file in " + FOLDER)) {
                file.sync();
            }
        }
        return true;
    }

    /// Waits until folders made, names deleted and metadata set since the last commit are on the disk.
    public synchronized void sync() throws TreeException {
        boolean together = touched.size() > FEW && barrier == FileSystem.Barrier.ALL_AT_ONCE;
        if (together) {
            tree.syncAll();
        } else if (barrier != FileSystem.Barrier.NONE) {
            for (Optional<TreePath> path : touched) {
                syncFolder(path);
            }
        }
        touched.clear();
    }

    /// A folder that went meanwhile has nothing to sync; one that cannot be read is synced with all.
    private void syncFolder(Optional<TreePath> path) throws TreeException {
        try {
            if (path.isPresent()) {
                tree.syncFolder(path.get());
            } else {
                tree.syncRoot();
            }
        } catch (TreeException e) {
            if (e.reason() == Reason.DENIED) {
                tree.syncAll();
            } else if (e.reason() != Reason.VANISHED && e.reason() != Reason.KIND) {
                throw e;
            }
        }
    }

    /// Notes the folder to sync. When very many are noted before anybody asked for a sync, all are synced at once.
    private Result touching(TreePath path, Result result) {
        if (result instanceof Result.Refused) {
            return result;
        }
        touched.add(path.isTop() ? Optional.empty() : Optional.of(path.parent()));
        if (touched.size() <= MOST_TOUCHED) {
            return result;
        }
        try {
            sync();
            return result;
        } catch (TreeException e) {
            return new Result.Refused(e.reason(), e.why());
        }
    }

    FileSystem.Barrier barrier() {
        return barrier;
    }

    /// The mode that a file may get of those that the sender asks for.
    int allowed(int mode) {
        return rules.mode(Kind.FILE, mode, 0);
    }

    /// What is left of moves and removals that a killed session did not finish.
    private void removeRefuse() {
        Remover remover = new Remover(folder);
        remover.removeMovedUp();
        Listing listing = new Listing();
        for (byte[] earlier : listing.all(folder)) {
            int handle = isSession(earlier) ? openFolder(folder, earlier) : -1;
            if (handle >= 0) {
                for (byte[] name : listing.all(handle)) {
                    removeUnlessFile(remover, handle, name);
                }
                Posix.close(handle);
            }
        }
    }

    /// Only staged files are of use to a later session.
    private void removeUnlessFile(Remover remover, int handle, byte[] name) {
        if (name[0] != 'f' && Posix.unlink(handle, name, 0) < 0) {
            byte[] up = name("x" + Shown.of(name) + "." + serial.getAndIncrement());
            Tree.setMode(handle, name, 0700);
            if (Tree.rename(handle, name, folder, up, Tree.Renaming.KEEP) >= 0) {
                remover.removeMovedUp();
            }
        }
    }

    /// Ends the session and removes the reserved folder with all that is in it; whether nothing is left.
    public synchronized boolean finish() {
        if (!open) {
            return true;
        }
        Remover remover = new Remover(folder);
        boolean emptied = true;
        for (byte[] name : new Listing().all(folder)) {
            if (!Arrays.equals(name, LOCK)) {
                emptied &= remover.remove(name);
            }
        }
        if (emptied) {
            Posix.unlink(folder, LOCK, 0);
        }
        close();
        return emptied && removeFolder();
    }

    /// Another session that has begun in it by now keeps it. File systems by FUSE and NFS hide what is removed while
    /// it is open under a name of their own, which goes a little after the last handle.
    private boolean removeFolder() {
        int result = Posix.unlink(tree.root(), NAME, Posix.AT_REMOVEDIR);
        for (int again = 0; result == -Errno.ENOTEMPTY && again < HIDDEN_ROUNDS && holdsHiddenOnly(); again++) {
            LockSupport.parkNanos(HIDDEN_NANOS);
            result = Posix.unlink(tree.root(), NAME, Posix.AT_REMOVEDIR);
        }
        return result >= 0;
    }

    private boolean holdsHiddenOnly() {
        int handle = openFolder(tree.root(), NAME);
        if (handle < 0) {
            return false;
        }
        List<byte[]> names = new Listing().all(handle);
        Posix.close(handle);
        return names.stream()
                .map(Shown::of)
                .allMatch(name -> name.startsWith(".fuse_hidden") || name.startsWith(".nfs"));
    }

    /// Ends the session and leaves what is staged to the next one, unless it has finished.
    @Override
    public synchronized void close() {
        if (open) {
            open = false;
            Posix.close(session);
            Posix.close(lock);
            Posix.close(folder);
        }
    }

    private static boolean isSession(byte[] name) {
        return name.length == 32;
    }

    private static int openFolder(int parent, byte[] name) {
        return Posix.open(parent, name, Posix.READ | Posix.DIRECTORY | Posix.NOFOLLOW, 0);
    }

    private static byte[] name(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static String shown(Tree tree) {
        return tree + "/" + FOLDER;
    }

    /// For people.
    @Override
    public String toString() {
        return shown(tree) + "/" + Shown.of(sessionName);
    }
}
