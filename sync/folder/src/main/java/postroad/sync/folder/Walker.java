package postroad.sync.folder;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import postroad.sync.core.Entry;
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

    private final Tree tree;
    private final EntryFilter filter;
    private final Optional<TreePath> start;
    private final Listing listing = new Listing();
    private final Deque<Level> levels = new ArrayDeque<>();
    private final Deque<Item> waiting = new ArrayDeque<>();
    private Optional<TreePath> toEnter = Optional.empty();
    private long nameBytes;
    private boolean started;
    private boolean complete = true;

    /// A folder that is open, with the names in it that are still to come.
    private static final class Level {
        final int handle;
        final Optional<TreePath> path;
        final long nameBytes;
        final byte[][] names;
        int next;

        Level(int handle, Optional<TreePath> path, byte[][] names, long nameBytes) {
            this.handle = handle;
            this.path = path;
            this.names = names;
            this.nameBytes = nameBytes;
        }
    }

    /// Walks all of `tree` but what `filter` leaves out.
    public Walker(Tree tree, EntryFilter filter) {
        this(tree, filter, Optional.empty());
    }

    /// Walks what lies in the folder at `start`, the root if empty.
    Walker(Tree tree, EntryFilter filter, Optional<TreePath> start) {
        this.tree = tree;
        this.filter = filter;
        this.start = start;
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
                enter(toEnter.get());
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
            case Item.Found(Entry entry, EntryStat _)
            when entry.kind() == Kind.FOLDER -> toEnter = Optional.of(entry.path());
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
        try (Folder folder = start.isPresent()
                ? tree.folders().folder(start.get())
                : tree.folders().root()) {
            int handle = Posix.reopen(folder.handle, 0);
            if (handle < 0) {
                waiting.add(faultOfFolder(start, Errno.reason(-handle), Errno.words(-handle)));
            } else {
                list(handle, start);
            }
        } catch (TreeException e) {
            waiting.add(faultOfFolder(start, e.reason(), e.why()));
        }
    }

    /// Opens the folder found last; its parent is the innermost one that is open.
    private void enter(TreePath path) {
        if (levels.size() >= MAX_DEPTH) {
            String why = "folders lie more than " + MAX_DEPTH + " deep";
            waiting.add(new Item.Fault(Optional.of(path), path.toString(), Reason.NAME, why));
            return;
        }
        int parent = levels.getLast().handle;
        int flags = Posix.READ | Posix.DIRECTORY | Posix.NOFOLLOW;
        int handle = Posix.open(parent, path.name(), flags | Posix.NOATIME, 0);
        if (handle == -Errno.EPERM) {
            handle = Posix.open(parent, path.name(), flags, 0);
        }
        if (handle < 0) {
            waiting.add(fault(path, handle));
        } else {
            list(handle, Optional.of(path));
        }
    }

    private void list(int handle, Optional<TreePath> path) {
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
        levels.addLast(new Level(handle, path, sorted(names), nameBytes - before));
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
