package postroad.sync.folder;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import postroad.sync.core.Kind;
import postroad.sync.core.TreePath;

/// Puts what is staged in its place, moves away what stands there, deletes.
///
/// Whatever fails leaves the name as it was. A folder that its owner made read-only is opened for the moment.
final class Placement {
    private final Tree tree;
    private final int session;
    private final Staging.Rules rules;
    private final Optional<Backup> backup;
    private final boolean caseInsensitive;
    private final AtomicLong serial;

    Placement(Tree tree, int session, Staging.Rules rules, boolean caseInsensitive, AtomicLong serial) {
        this.tree = tree;
        this.session = session;
        this.rules = rules;
        this.caseInsensitive = caseInsensitive;
        this.serial = serial;
        backup = rules.backup().map(Backup::new);
    }

    @FunctionalInterface
    private interface Step {
        Result run() throws TreeException;
    }

    /// Gives the staged `name` its place.
    Result place(byte[] name, TreePath path, Unlocked unlocked, Allowance allowance) {
        return attempt(path, unlocked, () -> {
            try (Folder parent = tree.folders().parentOf(path)) {
                recase(parent, path.name());
                int result = Tree.rename(session, name, parent.handle, path.name(), Tree.Renaming.KEEP);
                if (result != -Errno.EEXIST) {
                    Tree.checked(result, path);
                    return new Result.Done(false, 0);
                }
                return replace(name, parent, path, unlocked, allowance);
            }
        });
    }

    /// Makes a folder that only its owner may enter until it gets its mode; a file or link there goes.
    Result makeFolder(TreePath path, Unlocked unlocked) {
        return attempt(path, unlocked, () -> {
            try (Folder parent = tree.folders().parentOf(path)) {
                recase(parent, path.name());
                int result = Posix.makeFolder(parent.handle, path.name(), 0700);
                if (result != -Errno.EEXIST) {
                    Tree.checked(result, path);
                    return new Result.Done(false, 0);
                }
                Tree.checked(Posix.stat(parent.handle, path.name()), path);
                return switch (Posix.lastStat().type()) {
                    case FOLDER -> new Result.Done(true, 0);
                    case FILE, LINK, PIPE, SOCKET, DEVICE -> folderForFile(parent, path);
                };
            }
        });
    }

    /// Removes a name, or moves it to the backup; one that is gone already is no error.
    Result delete(TreePath path, Kind kind, Unlocked unlocked) {
        Result result = attempt(path, unlocked, () -> {
            try (Folder parent = tree.folders().parentOf(path)) {
                if (!isThere(parent, path)) {
                    return new Result.Done(false, 0);
                }
                if (!Posix.lastStat().kind().equals(Optional.of(kind))) {
                    return new Result.Refused(Reason.CHANGED, "it is no longer what it was");
                }
                return kind == Kind.FOLDER ? deleteFolder(parent, path) : deleteFile(parent, path);
            }
        });
        boolean gone = result instanceof Result.Refused refused && refused.reason() == Reason.VANISHED;
        return gone ? new Result.Done(false, 0) : result;
    }

    /// Sets times, then the mode.
    Result setMeta(TreePath path, Kind kind, long seconds, int nanos, int mode, Unlocked unlocked) {
        return attempt(path, unlocked, () -> {
            try (Folder parent = tree.folders().parentOf(path)) {
                byte[] name = path.name();
                Tree.checked(Posix.stat(parent.handle, name), path);
                EntryStat stat = Posix.lastStat();
                if (!stat.kind().equals(Optional.of(kind))) {
                    return new Result.Refused(Reason.CHANGED, "it is no longer what it was");
                }
                Tree.checked(Posix.setTimes(parent.handle, name, seconds, nanos), path);
                int wanted = rules.mode(kind, mode, stat.mode());
                if (kind != Kind.LINK && stat.mode() != wanted) {
                    Tree.checked(Tree.setMode(parent.handle, name, wanted), path);
                }
                return new Result.Done(true, 0);
            }
        });
    }

    /// Runs `step`, and once more if a folder on the way can be opened for it.
    private Result attempt(TreePath path, Unlocked unlocked, Step step) {
        if (Staging.isReserved(path, caseInsensitive)) {
            return new Result.Refused(Reason.NAME, "the name " + Staging.FOLDER + " is reserved");
        }
        try {
            return step.run();
        } catch (TreeException denied) {
            if (denied.reason() != Reason.DENIED || path.isTop()) {
                return refused(denied);
            }
            try {
                return unlocked.unlockAnew(path.parent()) ? step.run() : refused(denied);
            } catch (TreeException e) {
                return refused(e);
            }
        }
    }

    private static Result refused(TreeException problem) {
        return new Result.Refused(problem.reason(), problem.why());
    }

    private Result replace(byte[] name, Folder parent, TreePath path, Unlocked unlocked, Allowance allowance)
            throws TreeException {
        Tree.checked(Posix.stat(parent.handle, path.name()), path);
        EntryStat there = Posix.lastStat();
        if (there.type() == EntryStat.Type.FOLDER) {
            return replaceFolder(name, parent, path, unlocked, allowance);
        }
        if (backup.isPresent() && !copyToBackup(backup.get(), parent, path)) {
            try (Backup.Place away = moveAway(parent, path)) {
                placeOrUndo(name, parent, path, away);
            }
        } else {
            int result = Tree.rename(session, name, parent.handle, path.name(), Tree.Renaming.REPLACE);
            Tree.checked(result, path);
        }
        return new Result.Done(true, 0);
    }

    /// Gives what is there a second name in the backup, so that its own is never without a file; whether that works.
    private static boolean copyToBackup(Backup backup, Folder parent, TreePath path) {
        Backup.Taking second = (folder, name) -> Posix.addName(parent.handle, path.name(), folder, name);
        try (Backup.Place place = backup.put(path, second)) {
            return place.name().length > 0;
        } catch (TreeException e) {
            return false;
        }
    }

    private Result replaceFolder(byte[] name, Folder parent, TreePath path, Unlocked unlocked, Allowance allowance)
            throws TreeException {
        long left = allowance.left();
        if (left < 1) {
            return new Result.Refused(Reason.KIND, "a folder has its name, and nothing may be deleted for it");
        }
        Content content = content(path, left);
        if (!content.fault().isEmpty()) {
            return new Result.Refused(Reason.KIND, content.fault());
        }
        unlocked.unlock(path);
        try (Backup.Place away = moveAway(parent, path)) {
            tree.forgetFolder(path);
            placeOrUndo(name, parent, path, away);
        }
        allowance.take(content.names());
        return new Result.Done(true, content.names());
    }

    private record Content(long names, String fault) {}

    /// How many names a folder and all in it are, or why it may not go.
    private Content content(TreePath path, long most) {
        boolean[] isProtected = {false};
        EntryFilter watching = (inner, kind) -> {
            isProtected[0] |= rules.protectedNames().excludes(inner, kind);
            return false;
        };
        long names = 1;
        try (Walker walker = Walker.unlocking(tree, watching, Optional.of(path))) {
            while (true) {
                Item item = walker.next();
                if (isProtected[0]) {
                    return new Content(names, "a folder has its name, and excluded names are in it");
                }
                switch (item) {
                    case Item.Found _, Item.Skipped _ -> names++;
                    case Item.Fault fault -> {
                        return new Content(
                                names, "a folder has its name, and not all of it can be read: " + fault.why());
                    }
                    case Item.End _ -> {
                        return new Content(names, "");
                    }
                }
                if (names > most) {
                    return new Content(names, "a folder has its name, and holds more than may be deleted");
                }
            }
        }
    }

    private Result folderForFile(Folder parent, TreePath path) throws TreeException {
        try (Backup.Place away = moveAway(parent, path)) {
            int result = Posix.makeFolder(parent.handle, path.name(), 0700);
            if (result < 0) {
                undo(parent, path, away);
            }
            Tree.checked(result, path);
        }
        return new Result.Done(true, 1);
    }

    private void placeOrUndo(byte[] name, Folder parent, TreePath path, Backup.Place away) throws TreeException {
        int result = Tree.rename(session, name, parent.handle, path.name(), Tree.Renaming.KEEP);
        if (result < 0) {
            undo(parent, path, away);
        }
        Tree.checked(result, path);
    }

    private static void undo(Folder parent, TreePath path, Backup.Place away) throws TreeException {
        int result = Tree.rename(away.folder().handle, away.name(), parent.handle, path.name(), Tree.Renaming.KEEP);
        Tree.checked(result, path);
    }

    /// Moves what is there to the backup, or to the staging folder, from where it goes with the session.
    private Backup.Place moveAway(Folder parent, TreePath path) throws TreeException {
        Backup.Taking taking =
                (folder, name) -> Tree.rename(parent.handle, path.name(), folder, name, Tree.Renaming.KEEP);
        if (backup.isPresent()) {
            return backup.get().put(path, taking);
        }
        byte[] name = nameOf('a');
        Tree.checked(taking.take(session, name), path);
        return new Backup.Place(Folder.borrowed(session), name);
    }

    private Result deleteFile(Folder parent, TreePath path) throws TreeException {
        if (backup.isPresent()) {
            moveAway(parent, path).close();
        } else {
            Tree.checked(Posix.unlink(parent.handle, path.name(), 0), path);
        }
        return new Result.Done(true, 1);
    }

    private Result deleteFolder(Folder parent, TreePath path) throws TreeException {
        int result = Posix.unlink(parent.handle, path.name(), Posix.AT_REMOVEDIR);
        if (result == -Errno.ENOTEMPTY || result == -Errno.EEXIST) {
            String why = "names are left in it that are excluded, could not be deleted, or came meanwhile";
            return new Result.Refused(Reason.NOT_EMPTY, why);
        }
        Tree.checked(result, path);
        tree.forgetFolder(path);
        if (backup.isPresent()) {
            backup.get().makeFolders(path);
        }
        return new Result.Done(true, 1);
    }

    /// On a file system that takes upper and lower case for the same, the file of a new name may answer to the old one.
    private boolean isThere(Folder parent, TreePath path) throws TreeException {
        int result = Posix.stat(parent.handle, path.name());
        if (result == -Errno.ENOENT) {
            return false;
        }
        Tree.checked(result, path);
        return !caseInsensitive || isListed(new Listing().all(parent.handle), path.name());
    }

    /// Where another spelling of `name` is there, it becomes this one; by way of another name, because a rename between
    /// two spellings changes nothing.
    private void recase(Folder parent, byte[] name) throws TreeException {
        if (!caseInsensitive || Posix.stat(parent.handle, name) < 0) {
            return;
        }
        long inode = Posix.lastStat().inode();
        List<byte[]> names = new Listing().all(parent.handle);
        if (isListed(names, name)) {
            return;
        }
        for (byte[] other : names) {
            if (Posix.stat(parent.handle, other) >= 0 && Posix.lastStat().inode() == inode) {
                byte[] between = nameOf('c');
                Tree.checked(Tree.rename(parent.handle, other, session, between, Tree.Renaming.KEEP), tree);
                Tree.checked(Tree.rename(session, between, parent.handle, name, Tree.Renaming.KEEP), tree);
                return;
            }
        }
    }

    private static boolean isListed(List<byte[]> names, byte[] name) {
        return names.stream().anyMatch(each -> Arrays.equals(each, name));
    }

    private byte[] nameOf(char sort) {
        return (sort + "" + serial.getAndIncrement()).getBytes(StandardCharsets.US_ASCII);
    }
}
