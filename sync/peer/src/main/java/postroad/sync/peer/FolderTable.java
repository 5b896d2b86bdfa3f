package postroad.sync.peer;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import postroad.sync.core.Entry;
import postroad.sync.core.Kind;
import postroad.sync.core.LinkTarget;
import postroad.sync.core.TreePath;

/// Folders whose time and mode are set at the end of a session. The comparer adds, then the committer reads.
///
/// Lies in a few large arrays, about path length + 29 bytes a folder, since a tree may have many.
final class FolderTable {
    /// A folder and what changed of it.
    record Work(long id, Entry entry, int changes) {}

    private static final int SEGMENT = 128 << 10;
    private static final int FIXED = 25;
    private static final int PLACE = 4;

    private final Room room;
    private final List<ByteBuffer> segments = new ArrayList<>();
    private int[] places = new int[256];
    private int count;

    FolderTable(Room room) {
        this.room = room;
    }

    /// Adds the next one.
    ///
    /// @throws postroad.sync.core.ProtocolException with LIMIT if there are too many
    synchronized void add(long id, Entry entry, int changes) {
        int length = entry.path().length();
        room.take(FIXED + PLACE + length, "the folders of the tree");
        if (segments.isEmpty() || segments.getLast().remaining() < FIXED + length) {
            segments.add(ByteBuffer.allocate(SEGMENT));
        }
        if (count == places.length) {
            places = Arrays.copyOf(places, 2 * count);
        }
        ByteBuffer to = segments.getLast();
        places[count++] = (segments.size() - 1) * SEGMENT + to.position();
        to.putLong(id).putLong(entry.seconds()).putInt(entry.nanos()).putShort((short) entry.mode());
        to.put((byte) changes).putShort((short) length).put(entry.path().toBytes());
    }

    /// How many there are.
    synchronized int count() {
        return count;
    }

    /// The one with this place in the order in which they were added.
    synchronized Work get(int index) {
        ByteBuffer from = segments.get(places[index] / SEGMENT).duplicate().position(places[index] % SEGMENT);
        long id = from.getLong();
        long seconds = from.getLong();
        int nanos = from.getInt();
        int mode = from.getShort();
        int changes = from.get();
        byte[] path = new byte[Short.toUnsignedInt(from.getShort())];
        from.get(path);
        return new Work(
                id, new Entry(TreePath.of(path), Kind.FOLDER, 0, seconds, nanos, mode, LinkTarget.NONE), changes);
    }
}
