package postroad.sync.peer;

import java.util.ArrayDeque;
import postroad.sync.core.Frame;
import postroad.sync.core.FrameCodec;

/// Pages of the sender's entries on their way to the comparer, bounded by the window of entries. Thread-safe.
final class EntryQueue {
    /// Something that came.
    sealed interface Item {
        /// How long its frame was.
        int length();

        /// Some entries.
        record Page(Frame.Entries entries, int length) implements Item {}

        /// Some entries, compressed as they came.
        record Packed(Frame.PackedEntries entries, int length) implements Item {}

        /// Some entries as bytes: that is a tenth of the memory.
        @SuppressWarnings("ArrayRecordComponent") // handed on, never compared
        record Encoded(byte[] frame, int length) implements Item {}

        /// There are no more.
        record End(int length) implements Item {}
    }

    /// Pages that wait as they are; those behind them wait as bytes.
    private static final int AS_THEY_ARE = 8;

    private final ArrayDeque<Item> items = new ArrayDeque<>();
    private boolean aborted;

    synchronized void add(Item item) {
        boolean encodes = items.size() >= AS_THEY_ARE;
        items.addLast(
                encodes && item instanceof Item.Page(Frame.Entries page, int length)
                        ? new Item.Encoded(FrameCodec.encode(page), length)
                        : item);
        notifyAll();
    }

    /// The next one, waiting for it; null when the session is over.
    synchronized Item take() throws InterruptedException {
        while (items.isEmpty() && !aborted) {
            wait();
        }
        return aborted ? null : decoded(items.removeFirst());
    }

    private static Item decoded(Item item) {
        if (item instanceof Item.Encoded(byte[] bytes, int length)) {
            int type = Byte.toUnsignedInt(bytes[0]);
            Frame.Entries page = (Frame.Entries) FrameCodec.decode(type, bytes, FrameCodec.HEADER, bytes.length);
            return new Item.Page(page, length);
        }
        return item;
    }

    synchronized boolean isEmpty() {
        return items.isEmpty();
    }

    /// Nobody waits any more.
    synchronized void abort() {
        aborted = true;
        notifyAll();
    }
}
