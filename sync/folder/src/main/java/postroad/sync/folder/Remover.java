package postroad.sync.folder;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Removes whole folders inside the staging folder, however deep they are and whatever their modes.
///
/// A folder inside a folder is first moved up next to it, so that no depth is ever walked.
final class Remover {
    private final int top;
    private final Listing listing = new Listing();
    private long serial;

    /// @param top the handle of the folder in which room is made for what is moved up
    Remover(int top) {
        this.top = top;
    }

    /// Removes what `name` is in the top folder; whether nothing is left of it.
    boolean remove(byte[] name) {
        return removeOne(top, name) && removeMovedUp();
    }

    /// Removes all that was moved up, now or by a process that did not come to its end.
    boolean removeMovedUp() {
        while (true) {
            List<byte[]> waiting = new ArrayList<>();
            for (byte[] name : listing.all(top)) {
                if (name[0] == 'x') {
                    waiting.add(name);
                }
            }
            if (waiting.isEmpty()) {
                return true;
            }
            for (byte[] name : waiting) {
                if (!removeOne(top, name)) {
                    return false;
                }
            }
        }
    }

    private boolean removeOne(int folder, byte[] name) {
        int result = Posix.unlink(folder, name, 0);
        if (result >= 0 || result == -Errno.ENOENT) {
            return true;
        }
        return isFolder(folder, name) && empty(folder, name) && gone(Posix.unlink(folder, name, Posix.AT_REMOVEDIR));
    }

    private static boolean isFolder(int folder, byte[] name) {
        return Posix.stat(folder, name) >= 0 && Posix.lastStat().type() == EntryStat.Type.FOLDER;
    }

    private static boolean gone(int result) {
        return result >= 0 || result == -Errno.ENOENT;
    }

    private boolean empty(int folder, byte[] name) {
        Tree.setMode(folder, name, 0700);
        int handle = Posix.open(folder, name, Posix.READ | Posix.DIRECTORY | Posix.NOFOLLOW, 0);
        if (handle < 0) {
            return false;
        }
        boolean emptied = true;
        for (byte[] inner : listing.all(handle)) {
            int result = Posix.unlink(handle, inner, 0);
            emptied &= gone(result) || isFolder(handle, inner) && moveUp(handle, inner);
        }
        Posix.close(handle);
        return emptied;
    }

    private boolean moveUp(int folder, byte[] name) {
        if (Posix.unlink(folder, name, Posix.AT_REMOVEDIR) >= 0) {
            return true;
        }
        Tree.setMode(folder, name, 0700);
        while (true) {
            byte[] free = ("x" + serial++).getBytes(StandardCharsets.US_ASCII);
            int result = Tree.rename(folder, name, top, free, Tree.Renaming.KEEP);
            if (result != -Errno.EEXIST) {
                return gone(result);
            }
        }
    }
}
