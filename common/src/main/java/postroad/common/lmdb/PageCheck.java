package postroad.common.lmdb;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.BitSet;
import java.util.Optional;

/// Looks at an LMDB file page by page, without LMDB, which trusts what it maps: a page that was copied while it was
/// written could lead it out of the file.
///
/// Follows the layout of LMDB 0.9 data files, version 1. A page begins with its number (8), padding (2), flags (2), and
/// where its free space begins (2) and ends (2), or its number of overflow pages (4); then come offsets of nodes (2
/// each). A node is low and high half of a data size (2 + 2), flags (2), key size (2), key, data; in a branch the first
/// three are the number of a child page. A tree is described by 48 bytes: padding (4), flags (2), depth (2), three
/// counts of pages (8 each), entries (8), root page (8). All numbers are in the machine's own byte order.
public final class PageCheck {
    private static final int HEADER = 16;
    private static final int NODE = 8;
    private static final int TREE = 48;
    private static final int BRANCH = 1;
    private static final int LEAF = 2;
    private static final int OVERFLOW = 4;
    private static final int META = 8;
    private static final int BIG_DATA = 1;
    private static final int SUB_DATA = 2;
    private static final int MAGIC = 0xBEEFC0DE;
    private static final int META_BYTES = 136;
    private static final int MOST_DEPTH = 32;
    private static final long NO_PAGE = -1;

    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;

    private final MemorySegment file;
    private final BitSet seen = new BitSet();
    private int pageSize;
    private long lastPage;

    private PageCheck(MemorySegment file) {
        this.file = file;
    }

    /// How a file's length compares to the pages that it says were given out: negative when it is
    /// shorter, positive when it is longer. It may rightly be either: the last pages may have been free
    /// when they were to be written, and what an undone batch wrote remains.
    ///
    /// @throws NotLmdb when it does not begin as LMDB's do
    public static int compareLength(Path path) throws IOException {
        int[] result = new int[1];
        Optional<String> problem = read(path, check -> result[0] = check.compareLength());
        if (problem.isPresent()) {
            throw new NotLmdb(problem.get());
        }
        return result[0];
    }

    /// Whether every page that is reachable is whole, and no page is used twice; the first problem if not.
    public static Optional<String> whole(Path path) throws IOException {
        return read(path, PageCheck::checkAll);
    }

    /// A file does not begin as LMDB's do; the message says in what.
    public static final class NotLmdb extends IOException {
        private static final long serialVersionUID = 1;

        NotLmdb(String text) {
            super(text);
        }
    }

    /// What is wrong with a page.
    private static final class Problem extends Exception {
        private static final long serialVersionUID = 1;

        Problem(String text) {
            super(text);
        }
    }

    @FunctionalInterface
    private interface Check {
        void run(PageCheck check) throws Problem;
    }

    private static Optional<String> read(Path path, Check check) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
                Arena arena = Arena.ofConfined()) {
            check.run(new PageCheck(channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena)));
            return Optional.empty();
        } catch (Problem e) {
            return Optional.of(e.getMessage());
        }
    }

    private void checkMeta() throws Problem {
        require(file.byteSize() >= HEADER + META_BYTES, "it is too short");
        require((file.get(SHORT, 10) & META) != 0 && file.get(INT, HEADER) == MAGIC, "it does not begin like one");
        pageSize = file.get(INT, HEADER + 24);
        require(Integer.bitCount(pageSize) == 1 && pageSize >= 512 && pageSize <= 65_536, "its page size is wrong");
        require(file.byteSize() >= 2L * pageSize, "it ends within its first two pages");
    }

    private int compareLength() throws Problem {
        checkMeta();
        lastPage = file.get(LONG, newestMeta() + 120);
        return Long.compare(file.byteSize(), (lastPage + 1) * pageSize);
    }

    private long newestMeta() throws Problem {
        require(file.get(INT, (long) pageSize + HEADER) == MAGIC, "its second page is damaged");
        long first = file.get(LONG, HEADER + 128L);
        long second = file.get(LONG, (long) pageSize + HEADER + 128);
        return HEADER + (second > first ? pageSize : 0L);
    }

    private void checkAll() throws Problem {
        checkMeta();
        long meta = newestMeta();
        lastPage = file.get(LONG, meta + 120);
        seen.set(0, 2);
        checkTree(meta + 24, true, false);
        checkTree(meta + 72, false, true);
    }

    /// A tree as described at `at`. The tree of free pages has numbers as keys and lists of pages as values; the main
    /// tree's values are descriptions of the tables' trees.
    private void checkTree(long at, boolean free, boolean main) throws Problem {
        long root = file.get(LONG, at + 40);
        int depth = file.get(SHORT, at + 6) & 0xffff;
        long entries = file.get(LONG, at + 32);
        if (root == NO_PAGE) {
            require(entries == 0 && depth == 0, "an empty tree claims entries");
            return;
        }
        require(depth >= 1 && depth <= MOST_DEPTH, "a tree claims to be " + depth + " deep");
        long found = checkPage(root, depth, free, main);
        require(found == entries, "a tree has " + found + " entries where it should have " + entries);
    }

    /// A page and those below it; returns the number of entries.
    private long checkPage(long number, int depth, boolean free, boolean main) throws Problem {
        long page = use(number, 1);
        int flags = file.get(SHORT, page + 10) & 0xffff;
        require(flags == (depth > 1 ? BRANCH : LEAF), "page " + number + " is of the wrong sort");
        int lower = file.get(SHORT, page + 12) & 0xffff;
        int upper = file.get(SHORT, page + 14) & 0xffff;
        require(
                lower >= HEADER && lower % 2 == 0 && lower <= upper && upper <= pageSize,
                "page " + number + " has wrong bounds");
        int nodes = (lower - HEADER) / 2;
        long entries = 0;
        long before = 0;
        for (int i = 0; i < nodes; i++) {
            int offset = file.get(SHORT, page + HEADER + 2L * i) & 0xffff;
            require(offset >= upper && offset + NODE <= pageSize, "page " + number + " has a node outside of it");
            long node = page + offset;
            require(node + NODE + keySize(node) <= page + pageSize, "page " + number + " has a key that is cut off");
            if (depth == 1) {
                require(i == 0 || compare(before, node, free) < 0, "page " + number + " is out of order");
                checkLeaf(node, page, free, main);
                entries++;
            } else {
                require(i < 2 || compare(before, node, free) < 0, "page " + number + " is out of order");
                entries += checkPage(child(node), depth - 1, free, main);
            }
            before = node;
        }
        return entries;
    }

    private void checkLeaf(long node, long page, boolean free, boolean main) throws Problem {
        int flags = file.get(SHORT, node + 4) & 0xffff;
        long size = dataSize(node);
        long data = node + NODE + keySize(node);
        if ((flags & BIG_DATA) != 0) {
            require(data + 8 <= page + pageSize, "a node is cut off");
            long number = file.get(LONG, data);
            long pages = (HEADER - 1 + size) / pageSize + 1;
            data = use(number, pages) + HEADER;
            require((file.get(SHORT, data - 6) & 0xffff) == OVERFLOW, "page " + number + " is of the wrong sort");
        } else {
            require(data + size <= page + pageSize, "a value is cut off");
        }
        if (main) {
            require((flags & SUB_DATA) != 0 && size == TREE, "a table is damaged");
            checkTree(data, false, false);
        }
        if (free) {
            checkFree(data, size);
        }
    }

    private void checkFree(long data, long size) throws Problem {
        long count = file.get(LONG, data);
        require(count >= 0 && 8 * (count + 1) <= size, "a list of free pages is damaged");
        for (long i = 1; i <= count; i++) {
            long number = file.get(LONG, data + 8 * i);
            require(number >= 2 && number <= lastPage, "page " + number + " is listed as free, but there is none");
            require(!seen.get((int) number), "page " + number + " is used twice");
            seen.set((int) number);
        }
    }

    /// Marks pages as used and returns where the first begins.
    private long use(long number, long pages) throws Problem {
        require(number >= 2 && number + pages - 1 <= lastPage, "there is no page " + number);
        require((number + pages) * pageSize <= file.byteSize(), "page " + number + " is missing");
        for (long i = number; i < number + pages; i++) {
            require(!seen.get((int) i), "page " + i + " is used twice");
            seen.set((int) i);
        }
        long at = number * pageSize;
        require(file.get(LONG, at) == number, "page " + number + " holds another page");
        return at;
    }

    private int keySize(long node) {
        return file.get(SHORT, node + 6) & 0xffff;
    }

    private long dataSize(long node) {
        return file.get(SHORT, node) & 0xffffL | (file.get(SHORT, node + 2) & 0xffffL) << 16;
    }

    private long child(long node) {
        return dataSize(node) | (file.get(SHORT, node + 4) & 0xffffL) << 32;
    }

    private int compare(long a, long b, boolean asNumbers) {
        if (asNumbers) {
            return Long.compareUnsigned(file.get(LONG, a + NODE), file.get(LONG, b + NODE));
        }
        int lengthA = keySize(a);
        int lengthB = keySize(b);
        MemorySegment keyA = file.asSlice(a + NODE, lengthA);
        MemorySegment keyB = file.asSlice(b + NODE, lengthB);
        long at = keyA.mismatch(keyB);
        if (at < 0 || at == lengthA || at == lengthB) {
            return Integer.compare(lengthA, lengthB);
        }
        return Integer.compare(keyA.get(ValueLayout.JAVA_BYTE, at) & 0xff, keyB.get(ValueLayout.JAVA_BYTE, at) & 0xff);
    }

    private static void require(boolean condition, String problem) throws Problem {
        if (!condition) {
            throw new Problem(problem);
        }
    }
}
