package postroad.nostr.relay;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.lang.foreign.MemorySegment;
import postroad.nostr.core.Event;

/// An accepted event on its way to one loop's subscriptions. Its bytes are shared by all receivers; only
/// what stands before them differs. Owned by the loop.
final class LiveEvent implements AutoCloseable {
    private final Event event;
    private final long sequence;
    private final boolean ephemeral;
    private final Tails tails;
    private ByteBuf tail = Unpooled.EMPTY_BUFFER;

    LiveEvent(Event event, long sequence, boolean ephemeral, Tails tails) {
        this.event = event;
        this.sequence = sequence;
        this.ephemeral = ephemeral;
        this.tails = tails;
    }

    Event event() {
        return event;
    }

    long sequence() {
        return sequence;
    }

    /// Whether nothing is stored of it.
    boolean isEphemeral() {
        return ephemeral;
    }

    MemorySegment packed() {
        return event.packed();
    }

    int packedLength() {
        return event.packedLength();
    }

    int jsonLength() {
        return event.jsonLength();
    }

    /// The JSON and the closing bracket, for one more receiver, which releases it.
    ByteBuf sharedTail(ByteBufAllocator allocator) {
        if (!tail.isReadable()) {
            int length = event.jsonLength();
            tail = allocator.directBuffer(length + 1, length + 1);
            MemorySegment target = MemorySegment.ofBuffer(tail.internalNioBuffer(0, length));
            MemorySegment.copy(event.packed(), event.jsonOffset(), target, 0, length);
            tail.writerIndex(length).writeByte(']');
        }
        return tail.retainedDuplicate();
    }

    /// Gives up the loop's own hold on the bytes; the receivers keep theirs.
    @Override
    public void close() {
        if (tail.isReadable()) {
            tails.keep(tail);
        }
        tail = Unpooled.EMPTY_BUFFER;
    }
}
