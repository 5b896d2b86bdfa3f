package postroad.nostr.relay;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DuplexChannel;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;

/// One WebSocket connection: bytes in, frames out, pauses, time-outs, and how it ends. What the messages
/// mean is the [Session]'s business.
///
/// Everything that is answered during one read leaves with one flush. Reading pauses, in the middle of what
/// was read if need be, while the reader on the other side is behind, while its events are in flight beyond
/// the bound, and when it has had its share of the loop. Owned by its loop.
final class Connection extends ChannelInboundHandlerAdapter implements FrameReader.Sink {
    private static final System.Logger LOG = System.getLogger(Connection.class.getName());

    /// How long one connection may keep the loop before others have their turn.
    private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    /// How long the other side has to take the close frame and to end the connection itself.
    private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(5);

    /// The same while too much waits for all: what the socket was given is held until then.
    private static final long SHORT_LINGER_NANOS = TimeUnit.SECONDS.toNanos(1);

    /// How long something may wait for a reader while too much waits for all.
    private static final long SHORT_STALL_NANOS = TimeUnit.SECONDS.toNanos(5);

    /// What is always held of a connection that is read no further.
    private static final int FREELY_HELD = 4 << 10;

    private enum State {
        OPEN,
        /// The close frame is out or on its way; what comes in is dropped.
        CLOSING,
        CLOSED
    }

    private final Relay relay;
    private final Loop loop;
    private final Channel channel;
    private final FrameReader reader;
    private final Outbox outbox;
    private final Session session;

    private State state = State.OPEN;
    private int index;
    private boolean touched;
    private boolean overflowing;
    private boolean paused;
    private boolean listed;
    private boolean inTurn;
    private ByteBuf held = Unpooled.EMPTY_BUFFER;
    private long heldAccounted;
    private byte[] pong = {};
    private boolean hasPong;

    private long lastRead;
    private boolean pinged;
    private long messageSince;
    private long messagesSeen;
    private long turnSince;
    private long closingSince;
    private boolean closeWhenSent;
    private boolean isFinishing;
    private long behindSince;

    Connection(Relay relay, Loop loop, Channel channel, String client, String host, boolean deflate) {
        this.relay = relay;
        this.loop = loop;
        this.channel = channel;
        Limits limits = relay.limits();
        this.reader = new FrameReader(limits.messageBytes(), deflate, relay.messages());
        this.outbox = new Outbox(channel, deflate, loop.deflating(), limits, relay.output());
        this.session = new Session(relay, loop, this, outbox, client, host, deflate);
        this.lastRead = System.nanoTime();
    }

    /// Begins; what it has to say first waits for the flush.
    void open() {
        loop.add(this);
        relay.counters().opened.increment();
        session.open();
    }

    /// Whether the loop has noted that this connection is paused.
    boolean isListed() {
        return listed;
    }

    void setListed(boolean newListed) {
        listed = newListed;
    }

    int index() {
        return index;
    }

    void setIndex(int newIndex) {
        index = newIndex;
    }

    Channel channel() {
        return channel;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf in = (ByteBuf) message;
        lastRead = System.nanoTime();
        pinged = false;
        if (state != State.OPEN) {
            in.release();
        } else if (paused) {
            hold(in);
        } else if (relay.isIngestFull()) {
            hold(in);
            pause();
        } else {
            if (turnSince == 0) {
                turnSince = lastRead;
            }
            take(in);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        turnSince = 0;
        afterWriting();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (channel.isWritable()) {
            pump();
        }
    }

    private void pump() {
        outbox.pump();
        if (outbox.isDrained()) {
            session.drained();
            resume();
        }
        finishClosing();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        if (state == State.OPEN) {
            session.end();
        }
        state = State.CLOSED;
        dropHeld();
        reader.release();
        outbox.release();
        loop.remove(this);
        relay.counters().closed.increment();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        fail(cause);
    }

    /// Something went wrong that must not: it costs this connection, and no other.
    void fail(Throwable cause) {
        if (!(cause instanceof IOException)) {
            LOG.log(Level.ERROR, "a connection failed and is closed", cause);
        }
        var _ = channel.close();
    }

    @Override
    public void text(byte[] bytes, int from, int to) {
        if (Utf8.isWellFormed(bytes, from, to)) {
            session.message(bytes, from, to);
        } else {
            broken(CloseCode.NOT_UTF8, "the message is not UTF-8");
        }
    }

    /// Of several pings read at once the last is answered (RFC 6455, 5.5.3), so that a flood of them costs
    /// one frame.
    @Override
    public void ping(byte[] payload) {
        pong = payload;
        hasPong = true;
    }

    @Override
    public void pong() {
        // That something came is noted already.
    }

    @Override
    public void close(int code) {
        begin(State.CLOSING);
        closeWhenSent = true;
        outbox.close(code == 1005 ? CloseCode.NORMAL.number() : code, "");
        finishClosing();
    }

    @Override
    public void broken(CloseCode code, String reason) {
        end(code, reason);
    }

    /// Ends the connection from this side: a close frame with the reason, then the client has a few seconds
    /// to go.
    void end(CloseCode code, String reason) {
        if (state != State.OPEN) {
            return;
        }
        begin(State.CLOSING);
        outbox.close(code.number(), reason);
        finishClosing();
    }

    /// The relay stops: open subscriptions are closed, then the connection.
    void sayGoodbye() {
        if (state == State.OPEN) {
            session.closeAll();
            end(CloseCode.GOING_AWAY, "the relay is shutting down");
        }
    }

    /// Something was written by others than the connection's own read; flushed with everything of the same
    /// batch.
    void touch() {
        if (!touched && !inTurn) {
            touched = true;
            loop.touch(this);
        }
    }

    void flushTouched() {
        touched = false;
        afterWriting();
    }

    /// Whether the outbox takes more; once it is full it stays so, and the connection is cut when the batch
    /// is through.
    boolean hasRoom() {
        overflowing |= outbox.isFull();
        return !overflowing;
    }

    /// Sends what was written, and judges whether the reader keeps up.
    void afterWriting() {
        if (hasPong) {
            hasPong = false;
            outbox.pong(pong);
        }
        outbox.flush();
        if (state != State.OPEN) {
            finishClosing();
            return;
        }
        session.drained();
        long waiting = outbox.bytes();
        if (overflowing || waiting > relay.limits().outboxBytes()) {
            cutSlowReader("you read too slowly: " + waiting + " bytes wait");
        } else if (!paused && outbox.isOverPause()) {
            pause();
        }
    }

    /// Reads on, if nothing stands against it.
    void resume() {
        try {
            tryResume();
        } catch (RuntimeException | Error e) {
            fail(e);
        }
    }

    private void tryResume() {
        if (!paused || state != State.OPEN) {
            return;
        }
        if (isHeldUp()) {
            loop.pause(this);
            return;
        }
        paused = false;
        turnSince = System.nanoTime();
        lastRead = turnSince;
        messageSince = messageSince == 0 ? 0 : turnSince;
        ByteBuf in = held;
        held = Unpooled.EMPTY_BUFFER;
        accountHeld();
        take(in);
        turnSince = 0;
        if (!paused && state == State.OPEN) {
            channel.config().setAutoRead(true);
        }
        afterWriting();
    }

    /// Looks at the clock.
    void tick(long now) {
        session.tick();
        if (state == State.CLOSING) {
            outbox.account();
            boolean isDear = relay.output().isExceeded();
            if (now - closingSince > (isDear ? SHORT_LINGER_NANOS : LINGER_NANOS)) {
                var _ = channel.close();
            }
            return;
        }
        Timeouts timeouts = relay.config().timeouts();
        session.drained();
        outbox.account();
        noteBehind(now);
        if (relay.output().isExceeded() && behindSince != 0 && now - behindSince > SHORT_STALL_NANOS) {
            cutSlowReader("you read slowly, and too much waits for all readers");
        } else if (outbox.stalledNanos(now) > timeouts.stall().toNanos()) {
            cutSlowReader("you have read nothing for " + timeouts.stall().toSeconds() + " s");
        } else if (paused) {
            lastRead = now;
        } else if (now - lastRead > timeouts.idle().toNanos()) {
            end(CloseCode.POLICY, "nothing came from you for " + timeouts.idle().toSeconds() + " s, not even a pong");
        } else if (messageSince != 0 && now - messageSince > timeouts.message().toNanos()) {
            end(
                    CloseCode.POLICY,
                    "the message took longer than " + timeouts.message().toSeconds() + " s");
        } else if (!pinged && now - lastRead > timeouts.ping().toNanos()) {
            pinged = true;
            outbox.ping();
            outbox.flush();
        }
    }

    private void take(ByteBuf in) {
        inTurn = true;
        try {
            while (state == State.OPEN && reader.readOne(in, loop.inbox(), this)) {
                if (isHeldUp()) {
                    outbox.flush();
                    if (isHeldUp()) {
                        pause();
                        break;
                    }
                } else if (System.nanoTime() - turnSince > TURN_NANOS) {
                    pause();
                    loop.execute(this::resume);
                    break;
                }
            }
            noteMessage();
            if (state == State.OPEN && in.isReadable()) {
                hold(in.retain());
            }
        } finally {
            inTurn = false;
            in.release();
        }
    }

    /// Notes since when a message is under way that has not ended.
    private void noteMessage() {
        if (!reader.isMidMessage()) {
            messageSince = 0;
        } else if (messageSince == 0 || reader.messages() != messagesSeen) {
            messageSince = lastRead;
        }
        messagesSeen = reader.messages();
    }

    /// Notes since when there was always something that the reader had not taken.
    private void noteBehind(long now) {
        if (outbox.bytes() == 0) {
            behindSince = 0;
        } else if (behindSince == 0) {
            behindSince = now;
        }
    }

    private boolean isHeldUp() {
        return outbox.isOverPause() || session.bytesInFlight() > relay.limits().ingestBytes() || relay.isIngestFull();
    }

    private void pause() {
        paused = true;
        loop.pause(this);
        channel.config().setAutoRead(false);
    }

    /// Keeps what was read and not yet looked at, until reading goes on.
    private void hold(ByteBuf in) {
        if (in.readableBytes() > FREELY_HELD && relay.output().isFarExceeded()) {
            in.release();
            end(CloseCode.TRY_AGAIN_LATER, "too much waits for all readers; try again later");
            return;
        }
        try {
            holdMore(in);
        } finally {
            accountHeld();
        }
    }

    private void holdMore(ByteBuf in) {
        if (!held.isReadable()) {
            held = fitting(in);
            return;
        }
        try {
            ByteBuf both = channel.alloc().buffer(held.readableBytes() + in.readableBytes());
            both.writeBytes(held).writeBytes(in);
            held.release();
            held = both;
        } finally {
            in.release();
        }
    }

    /// The same bytes in a buffer not much larger.
    private ByteBuf fitting(ByteBuf in) {
        int length = in.readableBytes();
        if (length >= in.capacity() / 2) {
            return in;
        }
        try {
            return channel.alloc().directBuffer(length, length).writeBytes(in);
        } finally {
            in.release();
        }
    }

    private void dropHeld() {
        held.release();
        held = Unpooled.EMPTY_BUFFER;
        accountHeld();
    }

    /// What is held lies in the same memory as what waits for readers.
    private void accountHeld() {
        long now = held.capacity();
        relay.output().add(now - heldAccounted);
        heldAccounted = now;
    }

    private void cutSlowReader(String reason) {
        relay.counters().slowReadersCut.increment();
        begin(State.CLOSING);
        outbox.cut(CloseCode.POLICY.number(), reason);
        finishClosing();
    }

    private void begin(State next) {
        state = next;
        closingSince = System.nanoTime();
        session.end();
        // What still comes is dropped, and the other side's end is noticed.
        paused = false;
        dropHeld();
        channel.config().setAutoRead(true);
    }

    /// Once the close frame has left: ends the connection when the other side has said goodbye, else only
    /// our half, so that what it is still sending does not reset the connection before it has read the
    /// reason.
    private void finishClosing() {
        if (state != State.CLOSING || isFinishing || outbox.hasWaiting()) {
            return;
        }
        isFinishing = true;
        var _ = channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(sent -> {
            if (closeWhenSent) {
                var _ = channel.close();
            } else {
                var _ = ((DuplexChannel) channel).shutdownOutput();
            }
        });
    }
}
