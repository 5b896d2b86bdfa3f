package postroad.nostr.relay;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import postroad.nostr.core.PackedEvent;

/// Builds the frames of one answer, one after another, in one direct buffer (RFC 6455; a server masks
/// nothing).
///
/// An event goes from where it lies, the store's mapped file or the parser's array, straight into the
/// buffer; no object is made for a row. Owned by one thread at a time: a connection's loop, or the worker
/// of a scan.
final class FrameBuffer {
    /// Messages shorter than this go out as they are: deflating them costs more time than it saves bytes.
    static final int DEFLATE_FROM = 1 << 10;

    private static final int FIRST = 1 << 10;
    private static final int LARGEST_HINT = 64 << 10;
    private static final int FIN_TEXT = 0x81;
    private static final int FIN_TEXT_DEFLATED = 0xc1;
    private static final int FIN_CLOSE = 0x88;
    private static final int FIN_PING = 0x89;
    private static final int FIN_PONG = 0x8a;
    private static final int LONGEST_HEADER = 10;
    private static final byte CLOSING_BRACKET = ']';

    private final ByteBufAllocator allocator;
    private final boolean deflate;

    private ByteBuf buffer = Unpooled.EMPTY_BUFFER;
    private MemorySegment segment = MemorySegment.NULL;
    private int hint = FIRST;

    /// @param deflate whether long messages are compressed
    FrameBuffer(ByteBufAllocator allocator, boolean deflate) {
        this.allocator = allocator;
        this.deflate = deflate;
    }

    /// Whether nothing was written since the last [#take].
    boolean isEmpty() {
        return buffer.writerIndex() == 0;
    }

    /// Bytes written since the last [#take].
    int bytes() {
        return buffer.writerIndex();
    }

    /// Appends a text message.
    void text(byte[] message, Deflating deflating) {
        if (deflate && message.length >= DEFLATE_FROM) {
            deflated(deflating, message, message.length);
            return;
        }
        header(FIN_TEXT, message.length, message.length);
        append(message, message.length);
    }

    /// Appends an EVENT message: `prefix`, the JSON of the packed event of `length` bytes at `at`, and a
    /// bracket.
    void event(byte[] prefix, MemorySegment base, long at, int length, Deflating deflating) {
        int jsonOffset = PackedEvent.jsonOffset(base, at);
        int jsonLength = length - jsonOffset;
        int message = prefix.length + jsonLength + 1;
        if (deflate && message >= DEFLATE_FROM) {
            deflated(deflating, deflating.gather(prefix, base, at + jsonOffset, jsonLength), message);
            return;
        }
        header(FIN_TEXT, message, message);
        append(prefix, prefix.length);
        int target = buffer.writerIndex();
        MemorySegment.copy(base, at + jsonOffset, segment, target, jsonLength);
        segment.set(ValueLayout.JAVA_BYTE, target + jsonLength, CLOSING_BRACKET);
        buffer.writerIndex(target + jsonLength + 1);
    }

    /// Appends an EVENT message up to its JSON; `tail` bytes, the JSON and the bracket, follow in another
    /// buffer.
    void eventHead(byte[] prefix, int tail) {
        if (isEmpty()) {
            // As many wait as there are readers behind, so each is as small as it can be.
            hold(allocator.directBuffer(LONGEST_HEADER + prefix.length));
        }
        header(FIN_TEXT, prefix.length + tail, prefix.length);
        append(prefix, prefix.length);
    }

    /// Appends a ping.
    void ping() {
        header(FIN_PING, 0, 0);
    }

    /// Appends the answer to a ping.
    void pong(byte[] payload) {
        header(FIN_PONG, payload.length, payload.length);
        append(payload, payload.length);
    }

    /// Appends a close frame.
    void close(int code, String reason) {
        byte[] text = FrameReader.closeReason(reason);
        header(FIN_CLOSE, 2 + text.length, 2 + text.length);
        buffer.writeShort(code);
        append(text, text.length);
    }

    /// Hands over what was written, in a buffer not much larger than its content, and begins anew.
    ByteBuf take() {
        ByteBuf taken = buffer;
        buffer = Unpooled.EMPTY_BUFFER;
        segment = MemorySegment.NULL;
        int used = taken.writerIndex();
        hint = Math.clamp(used, FIRST, LARGEST_HINT);
        if (used >= taken.capacity() / 4 || taken.capacity() <= FIRST) {
            return taken;
        }
        ByteBuf fitting = allocator.directBuffer(used, used);
        fitting.writeBytes(taken);
        taken.release();
        return fitting;
    }

    /// Drops what was written.
    void discard() {
        buffer.release();
        buffer = Unpooled.EMPTY_BUFFER;
        segment = MemorySegment.NULL;
    }

    private void deflated(Deflating deflating, byte[] message, int length) {
        int compressed = deflating.deflate(message, length);
        if (compressed < 0) {
            header(FIN_TEXT, length, length);
            append(message, length);
        } else {
            header(FIN_TEXT_DEFLATED, compressed, compressed);
            append(deflating.output(), compressed);
        }
    }

    /// Writes a frame's header and makes room for `room` bytes after it.
    private void header(int first, int length, int room) {
        reserve(LONGEST_HEADER + room);
        buffer.writeByte(first);
        if (length < 126) {
            buffer.writeByte(length);
        } else if (length < 1 << 16) {
            buffer.writeByte(126);
            buffer.writeShort(length);
        } else {
            buffer.writeByte(127);
            buffer.writeLong(length);
        }
    }

    private void append(byte[] bytes, int length) {
        buffer.writeBytes(bytes, 0, length);
    }

    private void reserve(int room) {
        if (buffer.capacity() == 0) {
            hold(allocator.directBuffer(Math.max(hint, room)));
        } else if (buffer.writableBytes() < room) {
            ByteBuf larger = allocator.directBuffer(Math.max(2 * buffer.capacity(), buffer.writerIndex() + room));
            larger.writeBytes(buffer, 0, buffer.writerIndex());
            buffer.release();
            hold(larger);
        }
    }

    private void hold(ByteBuf held) {
        buffer = held;
        segment = MemorySegment.ofBuffer(held.internalNioBuffer(0, held.capacity()));
    }
}
