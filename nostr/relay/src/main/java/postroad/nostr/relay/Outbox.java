package postroad.nostr.relay;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;

/// What waits to go out on one connection, counted in bytes.
///
/// Frames are gathered in one buffer and leave together at [#flush]. The socket gets only so much at a
/// time; the rest waits here, so that it can be dropped for a close frame when the reader is cut. Owned by
/// the connection's loop.
final class Outbox {
    private static final int SHIP_FROM = 64 << 10;

    /// Events from this size on are not copied for each receiver.
    private static final int SHARE_FROM = 2 << 10;

    private final Channel channel;
    private final Deflating deflating;
    private final boolean deflate;
    private final int pauseBytes;
    private final FrameBuffer frames;
    private final ArrayDeque<ByteBuf> waiting = new ArrayDeque<>(0);
    private long waitingBytes;
    private long handed;
    private boolean unflushed;
    private boolean ended;

    private long progressSeen;
    private long progressAt;

    Outbox(Channel channel, boolean deflate, Deflating deflating, int pauseBytes) {
        this.channel = channel;
        this.deflating = deflating;
        this.deflate = deflate;
        this.pauseBytes = pauseBytes;
        this.frames = new FrameBuffer(channel.alloc(), deflate);
    }

    /// The socket's own share of `pauseBytes`, above which it is given no more.
    static int socketBytes(int pauseBytes) {
        return Math.clamp(pauseBytes / 2, 1 << 10, 256 << 10);
    }

    /// Appends a text message.
    void text(byte[] message) {
        if (!ended) {
            frames.text(message, deflating);
            shipIfLarge();
        }
    }

    /// Appends an EVENT message with the packed event of `length` bytes at `at`.
    void event(byte[] prefix, MemorySegment base, long at, int length) {
        if (!ended) {
            frames.event(prefix, base, at, length, deflating);
            shipIfLarge();
        }
    }

    /// Appends an EVENT message with a live event, whose bytes all receivers share when it is large.
    void live(byte[] prefix, LiveEvent event) {
        if (ended) {
            return;
        }
        if (deflate || event.jsonLength() < SHARE_FROM) {
            frames.event(prefix, event.packed(), 0, event.packedLength(), deflating);
            shipIfLarge();
            return;
        }
        ByteBuf tail = event.sharedTail(channel.alloc());
        frames.eventHead(prefix, tail.readableBytes());
        ship();
        hand(tail);
    }

    /// Appends frames that a worker built; takes them over.
    void frames(ByteBuf built) {
        if (ended) {
            built.release();
            return;
        }
        ship();
        hand(built);
    }

    /// Appends a ping.
    void ping() {
        if (!ended) {
            frames.ping();
        }
    }

    /// Appends the answer to a ping.
    void pong(byte[] payload) {
        if (!ended) {
            frames.pong(payload);
        }
    }

    /// Appends a close frame, after which nothing is taken any more.
    void close(int code, String reason) {
        if (!ended) {
            frames.close(code, reason);
            flush();
            ended = true;
        }
    }

    /// Drops what has not reached the socket, but for the frame it is in, and appends a close frame in its
    /// place.
    void cut(int code, String reason) {
        if (!ended) {
            frames.discard();
            dropWaiting();
            close(code, reason);
        }
    }

    /// Sends what was gathered.
    void flush() {
        if (!frames.isEmpty()) {
            ship();
        }
        if (unflushed) {
            unflushed = false;
            channel.flush();
        }
    }

    /// Goes on after the socket has taken something.
    void pump() {
        while (!waiting.isEmpty() && channel.isWritable()) {
            ByteBuf next = waiting.removeFirst();
            waitingBytes -= next.readableBytes();
            write(next);
        }
        flush();
    }

    /// Whether something waits that the socket has no room for.
    boolean hasWaiting() {
        return !waiting.isEmpty();
    }

    /// Bytes that have not left.
    long bytes() {
        ChannelOutboundBuffer socket = channel.unsafe().outboundBuffer();
        long inSocket = socket == null ? 0 : socket.totalPendingWriteBytes();
        return frames.bytes() + waitingBytes + inSocket;
    }

    /// Whether so much waits that nothing new should be begun for this reader.
    boolean isOverPause() {
        return bytes() > pauseBytes;
    }

    /// Whether there is room again after a pause.
    boolean isDrained() {
        return bytes() <= pauseBytes / 2;
    }

    /// How long, at `now`, something has waited without any of it leaving.
    long stalledNanos(long now) {
        ChannelOutboundBuffer socket = channel.unsafe().outboundBuffer();
        if (socket == null || socket.isEmpty()) {
            progressAt = now;
            return 0;
        }
        long progress = ((handed - socket.size()) << 32) + socket.currentProgress();
        if (progress != progressSeen || progressAt == 0) {
            progressSeen = progress;
            progressAt = now;
        }
        return now - progressAt;
    }

    /// Gives up everything, when the connection is gone.
    void release() {
        ended = true;
        frames.discard();
        dropWaiting();
    }

    private void shipIfLarge() {
        if (frames.bytes() >= SHIP_FROM) {
            ship();
        }
    }

    private void ship() {
        if (!frames.isEmpty()) {
            hand(frames.take());
        }
    }

    private void hand(ByteBuf buffer) {
        if (waiting.isEmpty() && channel.isWritable()) {
            write(buffer);
        } else {
            waiting.addLast(buffer);
            waitingBytes += buffer.readableBytes();
        }
    }

    private void write(ByteBuf buffer) {
        handed++;
        unflushed = true;
        var _ = channel.write(buffer, channel.voidPromise());
    }

    private void dropWaiting() {
        waiting.forEach(ByteBuf::release);
        waiting.clear();
        waitingBytes = 0;
    }
}
