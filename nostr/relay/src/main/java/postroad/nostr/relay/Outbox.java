package postroad.nostr.relay;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;

/// What waits to go out on one connection, counted in bytes.
///
/// Frames are gathered in one buffer and leave together at [#flush]. The socket gets only so much at a
/// time; the rest waits here, so that it can be dropped for a close frame when the reader is cut. Owned by
/// the connection's loop.
final class Outbox {
    private static final System.Logger LOG = System.getLogger(Outbox.class.getName());

    private static final int SHIP_FROM = 64 << 10;

    /// Events from this size on are not copied for each receiver.
    private static final int SHARE_FROM = 2 << 10;

    /// What one live reader may leave waiting while too much waits for all.
    private static final int FAIR_BYTES = 256 << 10;

    /// What one buffer that waits takes on the heap.
    private static final int ENTRY_BYTES = 256;

    /// A buffer that the socket has no room for.
    private record Waiting(ByteBuf buffer, int cost) {}

    private final Channel channel;
    private final Deflating deflating;
    private final boolean deflate;
    private final int pauseBytes;
    private final int mostBytes;
    private final ByteBudget output;
    private final FrameBuffer frames;
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>(0);
    private long waitingBytes;

    /// What each buffer costs that the socket has, in the order in which it gives them up.
    private final ArrayDeque<Integer> inSocket = new ArrayDeque<>(0);

    private long handed;
    private long taken;
    private long accounted;
    private boolean unflushed;
    private boolean ended;

    private long progressSeen;
    private long progressAt;

    /// @param limits what may wait until the reader is given nothing more, and until it is cut
    /// @param output what waits for all readers takes
    Outbox(Channel channel, boolean deflate, Deflating deflating, Limits limits, ByteBudget output) {
        this.channel = channel;
        this.deflating = deflating;
        this.deflate = deflate;
        this.pauseBytes = limits.outboxPauseBytes();
        this.mostBytes = limits.outboxBytes();
        this.output = output;
        this.frames = new FrameBuffer(channel.alloc(), deflate);
    }

    /// The socket's own share of `pauseBytes`, above which it is given no more.
    static int socketBytes(int pauseBytes) {
        return Math.clamp(pauseBytes / 2, 1 << 10, 256 << 10);
    }

    /// Appends a text message.
    void text(byte[] message) {
        if (ended) {
            return;
        }
        try {
            frames.text(message, deflating);
            shipIfLarge();
        } catch (OutOfMemoryError e) {
            giveUp(e);
        }
    }

    /// Appends an EVENT message with the packed event of `length` bytes at `at`.
    void event(byte[] prefix, MemorySegment base, long at, int length) {
        if (ended) {
            return;
        }
        try {
            frames.event(prefix, base, at, length, deflating);
            shipIfLarge();
        } catch (OutOfMemoryError e) {
            giveUp(e);
        }
    }

    /// Appends an EVENT message with a live event, whose bytes all receivers share when it is large.
    void live(byte[] prefix, LiveEvent event) {
        if (ended) {
            return;
        }
        if (deflate || event.jsonLength() < SHARE_FROM) {
            event(prefix, event.packed(), 0, event.packedLength());
            return;
        }
        try {
            frames.eventHead(prefix, event.jsonLength() + 1);
            ship();
            hand(event.sharedTail(channel.alloc()), ENTRY_BYTES);
        } catch (OutOfMemoryError e) {
            giveUp(e);
        }
    }

    /// Appends frames that a worker built; takes them over.
    void frames(ByteBuf built) {
        if (ended) {
            built.release();
            return;
        }
        ship();
        handOwn(built);
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
        account();
    }

    /// Goes on after the socket has taken something.
    void pump() {
        while (!waiting.isEmpty() && channel.isWritable()) {
            Waiting next = waiting.removeFirst();
            waitingBytes -= next.buffer.readableBytes();
            write(next.buffer, next.cost);
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
        return bytes() > pauseNow();
    }

    /// Whether there is room again after a pause.
    boolean isDrained() {
        return bytes() <= pauseNow() / 2;
    }

    /// Whether a live reader is so far behind that it is cut: by its own bound, or by a fair share of what
    /// there is for all.
    boolean isFull() {
        long bytes = bytes();
        return bytes > mostBytes || output.isExceeded() && bytes > output.shrunk(FAIR_BYTES);
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
        account();
    }

    /// The direct memory is full of what others wait for: this connection ends, nothing else is harmed.
    private void giveUp(OutOfMemoryError cause) {
        LOG.log(Level.WARNING, "a connection is closed, there is no memory for its answer: " + cause.getMessage());
        release();
        var _ = channel.close();
    }

    /// What may wait before nothing new is begun: less when little is left for all, nothing when too much
    /// waits.
    private int pauseNow() {
        if (output.isExceeded()) {
            return 0;
        }
        return output.isTight() ? Math.min(pauseBytes, socketBytes(pauseBytes)) : pauseBytes;
    }

    /// Tells what is taken for this reader alone: whole buffers, however little is in them, but nothing of
    /// what it shares with others.
    void account() {
        ChannelOutboundBuffer socket = channel.unsafe().outboundBuffer();
        int left = socket == null ? 0 : socket.size();
        while (inSocket.size() > left) {
            taken -= inSocket.removeFirst();
        }
        output.add(taken - accounted);
        accounted = taken;
    }

    private void shipIfLarge() {
        if (frames.bytes() >= SHIP_FROM) {
            ship();
        }
    }

    private void ship() {
        if (!frames.isEmpty()) {
            handOwn(frames.take());
        }
    }

    private void handOwn(ByteBuf buffer) {
        hand(buffer, ENTRY_BYTES + buffer.capacity());
    }

    private void hand(ByteBuf buffer, int cost) {
        taken += cost;
        if (waiting.isEmpty() && channel.isWritable()) {
            write(buffer, cost);
        } else {
            waiting.addLast(new Waiting(buffer, cost));
            waitingBytes += buffer.readableBytes();
        }
    }

    private void write(ByteBuf buffer, int cost) {
        inSocket.addLast(cost);
        handed++;
        unflushed = true;
        var _ = channel.write(buffer, channel.voidPromise());
    }

    private void dropWaiting() {
        for (Waiting dropped : waiting) {
            taken -= dropped.cost;
            dropped.buffer.release();
        }
        waiting.clear();
        waitingBytes = 0;
    }
}
