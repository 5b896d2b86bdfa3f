package postroad.sync.peer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import postroad.sync.core.Entry;
import postroad.sync.core.Kind;
import postroad.sync.core.TreePath;

/// The sender's entries by id: what is needed of them once they are sent. One thread adds, any reads. Thread-safe.
///
/// Lies in a few large arrays, about path length + 14 bytes an entry, since a tree has many.
final class EntryTable {
    private static final int SEGMENT = 1 << 20;

    private final long mostBytes;
    private final List<byte[]> segments = new ArrayList<>();
    private int[] places = new int[1024];
    private long[] sizes = new long[1024];
    private byte[] kinds = new byte[1024];
    private int count;
    private int end = SEGMENT;

    /// @param mostBytes of paths; a tree with more is refused
    EntryTable(long mostBytes) {
        this.mostBytes = mostBytes;
    }

    /// Adds the next entry; returns false when the table is full.
    synchronized boolean add(Entry entry) {
        int length = entry.path().length();
        int needed = 2 + length;
        if (end + needed > SEGMENT) {
            if ((segments.size() + 1L) * SEGMENT > mostBytes || segments.size() == 2047) {
                return false;
            }
            segments.add(new byte[SEGMENT]);
            end = 0;
        }
        grow();
        byte[] segment = segments.getLast();
        places[count] = (segments.size() - 1) * SEGMENT + end;
        segment[end] = (byte) (length >>> 8);
        segment[end + 1] = (byte) length;
        entry.path().copyTo(0, segment, end + 2);
        end += needed;
        sizes[count] = entry.size();
        kinds[count] = switch (entry.kind()) {
            case FILE -> 0;
            case FOLDER -> 1;
            case LINK -> 2;
        };
        count++;
        return true;
    }

    private void grow() {
        if (count == places.length) {
            int more = count + (count >> 1);
            places = Arrays.copyOf(places, more);
            sizes = Arrays.copyOf(sizes, more);
            kinds = Arrays.copyOf(kinds, more);
        }
    }

    /// How many there are.
    synchronized int count() {
        return count;
    }

    /// Whether `id` is one of them.
    synchronized boolean has(long id) {
        return id >= 0 && id < count;
    }

    /// Its path.
    synchronized TreePath path(long id) {
        int place = places[(int) id];
        byte[] segment = segments.get(place / SEGMENT);
        int at = place % SEGMENT;
        int length = Byte.toUnsignedInt(segment[at]) << 8 | Byte.toUnsignedInt(segment[at + 1]);
        return TreePath.of(Arrays.copyOfRange(segment, at + 2, at + 2 + length));
    }

    /// Its size when it was scanned.
    synchronized long size(long id) {
        return sizes[(int) id];
    }

    /// What it is.
    synchronized Kind kind(long id) {
        return switch (kinds[(int) id]) {
            case 0 -> Kind.FILE;
            case 1 -> Kind.FOLDER;
            default -> Kind.LINK;
        };
    }
}
