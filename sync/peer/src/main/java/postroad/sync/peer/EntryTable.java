package postroad.sync.peer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import postroad.sync.core.Entry;
import postroad.sync.core.Frame;
import postroad.sync.core.FrameCodec;

/// The sender's entries by id: what is needed of them once they are sent. One thread adds, any reads. Thread-safe.
///
/// Lies in pages of up to 32 entries in their form on the wire, where a path is what it does not share with the one
/// before: 20 to 30 bytes an entry, since a tree may have millions. A page is read when one of its entries is asked
/// for.
/// The pages used last stay as they are, some 2 MB, because a session asks for neighbours, and often: a small tree is
/// never read at all.
final class EntryTable {
    private static final int PAGE = 32;
    /// So many bytes of names close a page too, so that those that stay are bounded whatever the names are.
    private static final int PAGE_NAMES = 16 << 10;
    private static final int RECENT = 256;
    /// What a page takes besides its bytes.
    private static final int PAGE_BYTES = 32;

    private final long mostBytes;
    private final List<byte[]> pages = new ArrayList<>();
    private int[] firsts = new int[64];
    private final LinkedHashMap<Integer, List<Entry>> recent = new LinkedHashMap<>(16, 0.75f, true);
    private final List<Entry> last = new ArrayList<>();
    private int lastNames;
    private long bytes;
    private int count;

    /// @param mostBytes of memory; a tree that takes more is refused
    EntryTable(long mostBytes) {
        this.mostBytes = mostBytes;
    }

    /// Adds the next entry, in the order of their paths; returns false when the table is full.
    synchronized boolean add(Entry entry) {
        int names = entry.path().length() + entry.target().length();
        if (last.size() == PAGE || !last.isEmpty() && names > PAGE_NAMES - lastNames) {
            closePage();
        }
        if (bytes >= mostBytes) {
            return false;
        }
        last.add(entry);
        lastNames += names;
        count++;
        return true;
    }

    private void closePage() {
        if (pages.size() == firsts.length) {
            firsts = Arrays.copyOf(firsts, firsts.length + (firsts.length >> 1));
        }
        firsts[pages.size()] = count - last.size();
        Frame.Entries page = new Frame.Entries(last);
        if (recent.size() < RECENT) {
            recent.put(pages.size(), page.entries());
        }
        pages.add(FrameCodec.encode(page));
        bytes += pages.getLast().length + PAGE_BYTES;
        last.clear();
        lastNames = 0;
    }

    /// How many there are.
    synchronized int count() {
        return count;
    }

    /// What they take, up to the last page; for tests.
    synchronized long bytes() {
        return bytes;
    }

    /// Whether `id` is one of them.
    synchronized boolean has(long id) {
        return id >= 0 && id < count;
    }

    /// The entry as it was scanned.
    synchronized Entry entry(long id) {
        int open = count - last.size();
        if (id >= open) {
            return last.get((int) id - open);
        }
        int found = Arrays.binarySearch(firsts, 0, pages.size(), (int) id);
        int page = found >= 0 ? found : -found - 2;
        return read(page).get((int) id - firsts[page]);
    }

    private List<Entry> read(int page) {
        List<Entry> kept = recent.get(page);
        if (kept != null) {
            return kept;
        }
        byte[] frame = pages.get(page);
        int type = Byte.toUnsignedInt(frame[0]);
        Frame.Entries read = (Frame.Entries) FrameCodec.decode(type, frame, FrameCodec.HEADER, frame.length);
        if (recent.size() == RECENT) {
            recent.pollFirstEntry();
        }
        recent.put(page, read.entries());
        return read.entries();
    }
}
