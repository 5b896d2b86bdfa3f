package postroad.sync.folder;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;
import postroad.sync.core.LinkTarget;
import postroad.sync.core.Shown;
import postroad.sync.core.TreePath;

/// A tree's root held open: all that is done below it goes from folder handle to folder handle and follows no link, so
/// that no path and no link made meanwhile leads outside.
///
/// Safe for several threads; call it on platform threads only, because a disk may block. [Folders] keeps the folders
/// that were used last open: a folder that another program moves away meanwhile may still be written to under its
/// new name, until [#forgetFolders].
public final class Tree implements AutoCloseable {
    /// How a rename treats what is there.
    public enum Renaming {
        /// It is replaced in one step.
        REPLACE,
        /// The rename fails with [Reason#EXISTS].
        KEEP,
        /// Both change places; not every file system can.
        EXCHANGE
    }

    private final Folders folders;
    private final Unlocker unlocker = new Unlocker();
    private final String shown;

    private Tree(int root, String shown, boolean stepwise) {
        folders = new Folders(root, stepwise);
        this.shown = shown;
    }

    /// Opens the folder at `path`, a path of the system as bytes; links on the way are followed, being its owner's.
    public static Tree open(byte[] path) throws TreeException {
        return open(path, false);
    }

    /// Opens the folder at `path` as [#open] does, and makes it when its last component is missing.
    public static Tree create(byte[] path) throws TreeException {
        check(path);
        int made = Posix.makeFolder(Posix.CURRENT_FOLDER, path, 0777);
        if (made < 0 && made != -Errno.EEXIST && made != -Errno.EISDIR) {
            throw TreeException.of(-made, Shown.of(path));
        }
        return open(path);
    }

    static Tree open(byte[] path, boolean stepwise) throws TreeException {
        check(path);
        int root = Posix.open(Posix.CURRENT_FOLDER, path, Posix.READ | Posix.DIRECTORY, 0);
        if (root < 0) {
            throw TreeException.of(-root, Shown.of(path));
        }
        return new Tree(root, Shown.of(path), stepwise);
    }

    private static void check(byte[] path) throws TreeException {
        String fault = Posix.fault();
        if (!fault.isEmpty()) {
            throw new TreeException(Reason.UNSUPPORTED, Shown.of(path), fault);
        }
        for (byte each : path) {
            if (each == 0) {
                throw new TreeException(Reason.NAME, Shown.of(path), "a path cannot hold a NUL");
            }
        }
    }

    /// What the root is.
    public EntryStat stat() throws TreeException {
        checked(Posix.stat(root()), shown);
        return Posix.lastStat();
    }

    /// What is at `path`, a link for itself; empty when nothing is, or when its way there is not all folders.
    public Optional<EntryStat> stat(TreePath path) throws TreeException {
        try (Folder parent = folders.parentOf(path)) {
            checked(Posix.stat(parent.handle, path.name()), path);
            return Optional.of(Posix.lastStat());
        } catch (TreeException e) {
            if (e.reason() == Reason.VANISHED || e.reason() == Reason.KIND) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /// Finds out whether this user may make names in the root.
    ///
    /// @throws TreeException if not
    public void checkWritable() throws TreeException {
        checked(Posix.mayWriteIn(root()), shown);
    }

    /// Whether both are the same folder.
    public boolean isSameAs(Tree other) throws TreeException {
        EntryStat mine = stat();
        EntryStat theirs = other.stat();
        return mine.device() == theirs.device() && mine.inode() == theirs.inode();
    }

    /// Where `other` lies in this tree, as long as nobody moves it; empty when it does not, or is this tree.
    ///
    /// @throws TreeException [Reason#NAME] when that is no path of a tree, being too long
    public Optional<TreePath> find(Tree other) throws TreeException {
        byte[] mine = place();
        byte[] theirs = other.place();
        int from = mine.length == 1 ? 1 : mine.length + 1;
        boolean isInside = theirs.length > from
                && theirs[from - 1] == '/'
                && Arrays.equals(mine, 0, mine.length, theirs, 0, mine.length);
        if (!isInside) {
            return Optional.empty();
        }
        try {
            return Optional.of(TreePath.of(Arrays.copyOfRange(theirs, from, theirs.length)));
        } catch (IllegalArgumentException e) {
            throw new TreeException(Reason.NAME, Shown.of(theirs), e.getMessage());
        }
    }

    /// Opens the regular file at `path` to read it; anything else there is a [Reason#KIND].
    public FileHandle openForReading(TreePath path) throws TreeException {
        try (Folder parent = folders.parentOf(path)) {
            return openFile(parent.handle, path.name(), path);
        }
    }

    /// Opens the regular file at `path` to read it if it is `version` still, even when it is locked: folders on
    /// the way and the file itself, as far as they are this user's, are opened for the moment. Opening the
    /// file moves its ctime, so a later comparison of versions has to begin with what the handle tells.
    public Optional<FileHandle> openVersion(TreePath path, EntryStat version) throws TreeException {
        try {
            return ifVersion(openForReading(path), version);
        } catch (TreeException e) {
            if (e.reason() != Reason.DENIED) {
                throw e;
            }
        }
        try (Unlocked unlocked = new Unlocked(this)) {
            boolean opened = !path.isTop() && unlocked.unlock(path.parent());
            return opened ? openInUnlocked(path, version) : openLocked(path, version);
        }
    }

    private Optional<FileHandle> openInUnlocked(TreePath path, EntryStat version) throws TreeException {
        try {
            return ifVersion(openForReading(path), version);
        } catch (TreeException e) {
            if (e.reason() != Reason.DENIED) {
                throw e;
            }
            return openLocked(path, version);
        }
    }

    private Optional<FileHandle> openLocked(TreePath path, EntryStat version) throws TreeException {
        try (Folder parent = folders.parentOf(path)) {
            int handle = unlocker.openFile(parent.handle, path.name(), version);
            return Optional.of(new FileHandle(checked(handle, path), path));
        }
    }

    private static Optional<FileHandle> ifVersion(FileHandle file, EntryStat version) throws TreeException {
        boolean isVersion = false;
        try {
            isVersion = file.stat().isSameVersion(version);
        } finally {
            if (!isVersion) {
                file.close();
            }
        }
        return isVersion ? Optional.of(file) : Optional.empty();
    }

    /// Opening must not wait for a pipe's writer, nor mark the file as read if that can be helped: only its owner may.
    static FileHandle openFile(int folder, byte[] name, Object shown) throws TreeException {
        int flags = Posix.READ | Posix.NOFOLLOW | Posix.NONBLOCK;
        int handle = Posix.open(folder, name, flags | Posix.NOATIME, 0);
        if (handle == -Errno.EPERM) {
            handle = Posix.open(folder, name, flags, 0);
        }
        checked(handle, shown);
        int known = Posix.stat(handle);
        if (known < 0 || Posix.lastStat().type() != EntryStat.Type.FILE) {
            Posix.close(handle);
            checked(known, shown);
            throw new TreeException(Reason.KIND, shown.toString(), "it is not a regular file");
        }
        return new FileHandle(handle, shown);
    }

    /// Makes a folder; `mode` is narrowed by the process's umask.
    public void makeFolder(TreePath path, int mode) throws TreeException {
        try (Folder parent = folders.parentOf(path)) {
            checked(Posix.makeFolder(parent.handle, path.name(), mode), path);
        }
    }

    /// Makes a symbolic link.
    public void makeLink(TreePath path, LinkTarget target) throws TreeException {
        try (Folder parent = folders.parentOf(path)) {
            checked(Posix.makeLink(target.toBytes(), parent.handle, path.name()), path);
        }
    }

    /// What the link at `path` names.
    public LinkTarget readLink(TreePath path) throws TreeException {
        try (Folder parent = folders.parentOf(path)) {
            return readLink(parent.handle, path.name(), path);
        }
    }

    static LinkTarget readLink(int folder, byte[] name, Object shown) throws TreeException {
        int length = Posix.readLink(folder, name);
        if (length == -Errno.EINVAL) {
            throw new TreeException(Reason.CHANGED, shown.toString(), "it is no link any more");
        }
        checked(length, shown);
        if (length > LinkTarget.MAX_LENGTH) {
            throw new TreeException(Reason.NAME, shown.toString(), "what the link names is too long");
        }
        return LinkTarget.of(Posix.lastTarget(length));
    }

    /// Gives what is at `from` the name `to`.
    public void rename(TreePath from, TreePath to, Renaming how) throws TreeException {
        try (Folder source = folders.parentOf(from);
                Folder target = folders.parentOf(to)) {
            int result = rename(source.handle, from.name(), target.handle, to.name(), how);
            checked(result, from);
        }
        folders.forget(from);
        folders.forget(to);
    }

    /// A file system that knows no flags says so with `EINVAL`; a plain rename is then the most that it can do.
    static int rename(int fromFolder, byte[] from, int toFolder, byte[] to, Renaming how) {
        return switch (how) {
            case REPLACE -> Posix.rename(fromFolder, from, toFolder, to, 0);
            case EXCHANGE -> Posix.rename(fromFolder, from, toFolder, to, Posix.RENAME_EXCHANGE);
            case KEEP -> {
                int result = Posix.rename(fromFolder, from, toFolder, to, Posix.RENAME_NOREPLACE);
                if (result != -Errno.EINVAL) {
                    yield result;
                }
                boolean free = Posix.stat(toFolder, to) == -Errno.ENOENT;
                yield free ? Posix.rename(fromFolder, from, toFolder, to, 0) : -Errno.EEXIST;
            }
        };
    }

    /// Removes what is at `path` and is no folder.
    public void removeFile(TreePath path) throws TreeException {
        try (Folder parent = folders.parentOf(path)) {
            checked(Posix.unlink(parent.handle, path.name(), 0), path);
        }
    }

    /// Removes an empty folder.
    public void removeFolder(TreePath path) throws TreeException {
        try (Folder parent = folders.parentOf(path)) {
            checked(Posix.unlink(parent.handle, path.name(), Posix.AT_REMOVEDIR), path);
        }
        folders.forget(path);
    }

    /// Sets a modification time, a link's own.
    public void setTimes(TreePath path, long seconds, int nanos) throws TreeException {
        try (Folder parent = folders.parentOf(path)) {
            checked(Posix.setTimes(parent.handle, path.name(), seconds, nanos, Posix.AccessTime.KEPT), path);
        }
    }

    /// Sets permission bits; links have none and are refused.
    public void setMode(TreePath path, int mode) throws TreeException {
        try (Folder parent = folders.parentOf(path)) {
            checked(setMode(parent.handle, path.name(), mode), path);
        }
    }

    /// Kernels before 6.6 change the mode of a name only by following it, so the handle that was looked at is named.
    static int setMode(int folder, byte[] name, int mode) {
        int result = Posix.chmodNoFollow(folder, name, mode);
        if (result != -Errno.ENOSYS && result != -Errno.EPERM) {
            return result;
        }
        int handle = Posix.open(folder, name, Posix.PATH | Posix.NOFOLLOW, 0);
        if (handle < 0) {
            return handle;
        }
        int known = Posix.stat(handle);
        boolean isLink = known >= 0 && Posix.lastStat().type() == EntryStat.Type.LINK;
        int changed = known < 0 ? known : isLink ? -Errno.EOPNOTSUPP : Posix.chmodSeen(handle, mode);
        Posix.close(handle);
        return changed;
    }

    /// Waits until the names in the folder at `path` are on the disk.
    public void syncFolder(TreePath path) throws TreeException {
        try (Folder folder = folders.folder(path)) {
            syncFolder(folder.handle, path);
        }
    }

    /// Waits until the names in the root are on the disk.
    public void syncRoot() throws TreeException {
        checked(Posix.sync(root()), shown);
    }

    static void syncFolder(int folder, Object shown) throws TreeException {
        int handle = checked(Posix.reopen(folder, 0), shown);
        int result = Posix.sync(handle);
        Posix.close(handle);
        checked(result, shown);
    }

    /// Waits until all that was written to the file system is on the disk, other programs' files too.
    public void syncAll() throws TreeException {
        checked(Posix.syncFileSystem(root()), shown);
    }

    /// How many bytes ordinary users may still write; empty when the file system does not say.
    public OptionalLong freeBytes() throws TreeException {
        FileSystem facts = fileSystem();
        return facts.size() == 0 ? OptionalLong.empty() : OptionalLong.of(facts.free());
    }

    FileSystem fileSystem() throws TreeException {
        checked(Posix.fileSystem(root()), shown);
        return Posix.lastFileSystem();
    }

    /// Looks every folder up anew from here on.
    public void forgetFolders() {
        folders.forget();
    }

    void forgetFolder(TreePath path) {
        folders.forget(path);
    }

    Unlocker unlocker() {
        return unlocker;
    }

    Folders folders() {
        return folders;
    }

    int root() {
        return folders.rootHandle();
    }

    /// Where the root is now, absolute and without links on the way; as it was opened when the system does not say.
    byte[] place() {
        byte[] byHandle = ("/proc/self/fd/" + root()).getBytes(StandardCharsets.US_ASCII);
        int length = Posix.readLink(Posix.CURRENT_FOLDER, byHandle);
        return length > 0 ? Posix.lastTarget(length) : shown.getBytes(StandardCharsets.UTF_8);
    }

    /// Closes the root; a file that is open stays so.
    @Override
    public void close() {
        folders.close();
    }

    /// The root's path as it was given, for people.
    @Override
    public String toString() {
        return shown;
    }

    /// @param shown the name for people, put into words only when it is needed
    static int checked(int result, Object shown) throws TreeException {
        if (result < 0) {
            throw TreeException.of(-result, shown.toString());
        }
        return result;
    }
}
