package postroad.sync.folder;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import postroad.sync.core.Kind;
import postroad.sync.core.LinkTarget;
import postroad.sync.core.Shown;
import postroad.sync.core.TreePath;

/// Walks a tree in the order of [TreePath], streaming: memory holds the names of the folders on the current path only.
///
/// Follows no link and leaves [Staging#FOLDER] at the root alone. A tree that changes meanwhile gives each name as it
/// was when it was looked at; a name that is gone by then never was. Owned by one thread.
public final class Walker implements AutoCloseable {
    /// The deepest folder that is entered; each on the way holds a file handle.
    public static final int MAX_DEPTH = 512;
    /// The most bytes of names that are held at once, over all folders on the current path.
    public static final long MAX_NAME_BYTES = 128L << 20;

    private static final int NAME_OVERHEAD = 24;
    private static final int ENTER_AND_LIST = 0500;
    private static final byte[] ITSELF = {'.'};

    private final Tree tree;
    private final EntryFilter filter;
    private final Optional<TreePath> start;
    private final boolean unlocks;
    private final Listing listing = new Listing();
    private final Deque<Level> levels = new ArrayDeque<>();
    private final Deque<Item> waiting = new ArrayDeque<>();
    private Optional<Item.Found> toEnter = Optional.empty();
    private long nameBytes;
    private boolean started;
    private boolean complete = true;

    /// A folder that is open, with the names in it that are still to come.
    private static final class Level {
        final int handle;
        final Optional<Unlocker.Held> held;
        final Optional<TreePath> path;
        final long nameBytes;
        final byte[][] names;
        int next;

        Level(int handle, Optional<Unlocker.Held> held, Optional<TreePath> path, byte[][] names, long nameBytes) {
            this.handle = handle;
            this.held = held;
            this.path = path;
            this.names = names;
            this.nameBytes = nameBytes;
        }
    }

    /// Walks all of `tree` but what `filter` leaves out, and changes nothing in it. A folder that is locked is a
    /// [Item.Fault].
    public Walker(Tree tree, EntryFilter filter) {
        this(tree, filter, Optional.empty(), false);
    }

    private Walker(Tree tree, EntryFilter filter, Optional<TreePath> start, boolean unlocks) {
        this.tree = tree;
        this.filter = filter;
        this.start = start;
        this.unlocks = unlocks;
    }

    /// The same for a tree that may be written to: folders that this user owns and has locked are opened while they are
    /// walked, and locked again. The modes told of them are their own.
    public static Walker unlocking(Tree tree, EntryFilter filter) {
        return unlocking(tree, filter, Optional.empty());
    }

    /// Walks so what lies in the folder at `start`, the root if empty.
    static Walker unlocking(Tree tree, EntryFilter filter, Optional<TreePath> start) {
        return new Walker(tree, filter, start, true);
    }

    /// What is at `path` alone, without what lies in it: a folder of one, or a second look. A name that is gone is a
    /// [Item.Fault].
    public static Item look(Tree tree, TreePath path) {
        try (Folder parent = tree.folders().parentOf(path)) {
            int result = Posix.stat(parent.handle, path.name());
            return result < 0 ? fault(path, result) : seen(parent.handle, path, path.name(), Posix.lastStat());
        } catch (TreeException e) {
            return fault(path, e);
        }
    }

    /// The next item; after [Item.End] that again.
    public Item next() {
        if (!started) {
            started = true;
            enterStart();
        }
        while (true) {
            Item item = waiting.poll();
            if (item == null && toEnter.isPresent()) {
                enter(
                        levels.getLast().handle,
                        toEnter.get().entry().path(),
                        toEnter.get().stat());
                toEnter = Optional.empty();
                continue;
            }
            if (item == null && levels.isEmpty()) {
                return new Item.End(complete);
            }
            Optional<Item> found = item == null ? step(levels.getLast()) : Optional.of(item);
            if (found.isPresent()) {
                return noted(found.get());
            }
        }
    }

    private Item noted(Item item) {
        switch (item) {
            case Item.Found found when found.entry().kind() == Kind.FOLDER -> toEnter = Optional.of(found);
            case Item.Fault _ -> complete = false;
            case Item.Found _, Item.Skipped _, Item.End _ -> {}
        }
        return item;
    }

    /// Looks at the next name of a folder; empty when there is nothing to tell of it.
    private Optional<Item> step(Level level) {
        if (level.next == level.names.length) {
            leave(level);
            return Optional.empty();
        }
        byte[] name = level.names[level.next];
        level.names[level.next++] = null;
        if (level.path.isEmpty() && Staging.isReserved(name)) {
            return Optional.empty();
        }
        Optional<TreePath> path = pathOf(level, name);
        if (path.isEmpty()) {
            return Optional.of(new Item.Fault(
                    Optional.empty(), shown(level, name), Reason.NAME, "the name or its path is too long"));
        }
        return look(level, path.get(), name);
    }

    private Optional<Item> look(Level level, TreePath path, byte[] name) {
        int result = Posix.stat(level.handle, name);
        if (result == -Errno.ENOENT) {
            return Optional.empty();
        }
        if (result < 0) {
            return filter.excludes(path, Kind.FILE) ? Optional.empty() : Optional.of(fault(path, result));
        }
        EntryStat stat = Posix.lastStat();
        if (filter.excludes(path, stat.kind().orElse(Kind.FILE))) {
            return Optional.empty();
        }
        return Optional.of(seen(level.handle, path, name, stat));
    }

    private static Item seen(int folder, TreePath path, byte[] name, EntryStat stat) {
        return switch (stat.type()) {
            case FILE, FOLDER -> new Item.Found(stat.toEntry(path, LinkTarget.NONE), stat);
            case LINK -> seenLink(folder, path, name, stat);
            case PIPE -> new Item.Skipped(path, "a pipe");
            case SOCKET -> new Item.Skipped(path, "a socket");
            case DEVICE -> new Item.Skipped(path, "a device");
        };
    }

    private static Item seenLink(int folder, TreePath path, byte[] name, EntryStat stat) {
        try {
            return new Item.Found(stat.toEntry(path, Tree.readLink(folder, name, path)), stat);
        } catch (TreeException e) {
            return fault(path, e);
        }
    }

    private void enterStart() {
        try {
            if (start.isPresent()) {
                enterStart(start.get());
            } else {
                enterRoot();
            }
        } catch (TreeException e) {
            waiting.add(faultOfFolder(start, e.reason(), e.why()));
        }
    }

    private void enterRoot() throws TreeException {
        try (Folder root = tree.folders().root()) {
            list(Tree.checked(Posix.reopen(root.handle, 0), tree), Optional.empty(), Optional.empty());
        }
    }

    private void enterStart(TreePath path) throws TreeException {
        try (Folder parent = tree.folders().parentOf(path)) {
            Tree.checked(Posix.stat(parent.handle, path.name()), path);
            enter(parent.handle, path, Posix.lastStat());
        }
    }

    /// Opens a folder that was found.
    private void enter(int parent, TreePath path, EntryStat stat) {
        if (levels.size() >= MAX_DEPTH) {
            String why = "folders lie more than " + MAX_DEPTH + " deep";
            waiting.add(new Item.Fault(Optional.of(path), path.toString(), Reason.NAME, why));
            return;
        }
        int handle = openToList(parent, path.name());
        Optional<Unlocker.Held> held = Optional.empty();
        if (unlocks && isLocked(handle, stat)) {
            held = tree.unlocker().hold(parent, path.name());
        }
        if (held.isPresent()) {
            if (handle >= 0) {
                Posix.close(handle);
            }
            handle = openToList(parent, path.name());
        }
        if (handle < 0) {
            held.ifPresent(Unlocker.Held::close);
            waiting.add(fault(path, handle));
        } else {
            list(handle, held, Optional.of(path));
        }
    }

    private static int openToList(int parent, byte[] name) {
        int flags = Posix.READ | Posix.DIRECTORY | Posix.NOFOLLOW;
        int handle = Posix.open(parent, name, flags | Posix.NOATIME, 0);
        return handle == -Errno.EPERM ? Posix.open(parent, name, flags, 0) : handle;
    }

    /// Whether a folder could not be opened, or what lies in it cannot be looked at, for want of its owner's bits; root
    /// needs none.
    private static boolean isLocked(int handle, EntryStat stat) {
        boolean lacksBits = (stat.mode() & ENTER_AND_LIST) != ENTER_AND_LIST;
        return lacksBits && (handle >= 0 ? Posix.stat(handle, ITSELF) : handle) == -Errno.EACCES;
    }

    private void list(int handle, Optional<Unlocker.Held> held, Optional<TreePath> path) {
        List<byte[]> names = new ArrayList<>();
        long before = nameBytes;
        int length = listNext(handle, names);
        while (length > 0 && nameBytes <= MAX_NAME_BYTES) {
            length = listNext(handle, names);
        }
        if (length < 0 && length != -Errno.ENOENT) {
            waiting.add(faultOfFolder(path, Errno.reason(-length), Errno.words(-length)));
        } else if (length != 0) {
            boolean gone = length < 0;
            String why = gone ? "it was removed meanwhile" : "its names need more memory than is set aside";
            waiting.add(faultOfFolder(path, gone ? Reason.VANISHED : Reason.OTHER, why));
        }
        levels.addLast(new Level(handle, held, path, sorted(names), nameBytes - before));
    }

    private int listNext(int handle, List<byte[]> names) {
        int before = names.size();
        int length = listing.next(handle, names);
        for (byte[] name : names.subList(before, names.size())) {
            nameBytes += name.length + NAME_OVERHEAD;
        }
        return length;
    }

    /// Sorted, each once: a folder that changes while it is listed may give a name twice.
    private static byte[][] sorted(List<byte[]> names) {
        byte[][] sorted = names.toArray(byte[][]::new);
        Arrays.sort(sorted, (a, b) -> Arrays.compareUnsigned(a, b));
        int kept = 0;
        for (int at = 0; at < sorted.length; at++) {
            if (kept == 0 || !Arrays.equals(sorted[kept - 1], sorted[at])) {
                sorted[kept++] = sorted[at];
            }
        }
        return kept == sorted.length ? sorted : Arrays.copyOf(sorted, kept);
    }

    private void leave(Level level) {
        Posix.close(level.handle);
        level.held.ifPresent(Unlocker.Held::close);
        nameBytes -= level.nameBytes;
        levels.removeLast();
    }

    private static Optional<TreePath> pathOf(Level level, byte[] name) {
        int above = level.path.map(path -> path.length() + 1).orElse(0);
        if (name.length > TreePath.MAX_NAME || above + name.length > TreePath.MAX_LENGTH) {
            return Optional.empty();
        }
        return Optional.of(level.path.isPresent() ? level.path.get().child(name) : TreePath.of(name));
    }

    private static String shown(Level level, byte[] name) {
        return level.path.map(path -> path + "/").orElse("") + Shown.of(name);
    }

    private Item faultOfFolder(Optional<TreePath> path, Reason reason, String why) {
        return new Item.Fault(path, path.map(TreePath::toString).orElseGet(tree::toString), reason, why);
    }

    private static Item fault(TreePath path, int result) {
        return new Item.Fault(Optional.of(path), path.toString(), Errno.reason(-result), Errno.words(-result));
    }

    private static Item fault(TreePath path, TreeException problem) {
        return new Item.Fault(Optional.of(path), path.toString(), problem.reason(), problem.why());
    }

    /// Closes the folders that are still open.
    @Override
    public void close() {
        while (!levels.isEmpty()) {
            leave(levels.getLast());
        }
    }
}
