package postroad.nostr.relay;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/// Gathers a fresh connection's bytes until they hold the whole head of its HTTP request, so that a client that
/// dawdles costs the bytes it has sent: a header that was parsed takes many times as much.
///
/// Owned by the connection's loop.
final class RequestHead extends ChannelInboundHandlerAdapter {
    private static final byte[] NONE = {};
    private static final int FIRST = 1 << 10;

    private final ByteBudget unfinished;
    private final int most;
    private final HttpSide side;
    private byte[] gathered = NONE;
    private int length;
    private boolean begun;
    private int newlines;
    private boolean ended;

    /// @param unfinished what requests and messages that have not ended take, over all connections
    /// @param most longest head
    RequestHead(ByteBudget unfinished, int most, HttpSide side) {
        this.unfinished = unfinished;
        this.most = most;
        this.side = side;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf in = (ByteBuf) message;
        if (!ended && !begun && isForeign(in)) {
            forget();
            side.turnAwayForeign();
        }
        boolean isWhole = !ended && isWhole(in);
        if (isWhole && length == 0) {
            ended = true;
            side.hear(in);
            return;
        }
        try {
            if (!ended) {
                gather(in, isWhole);
            }
        } finally {
            in.release();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        forget();
        context.fireChannelInactive();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        var _ = context.close();
    }

    private void gather(ByteBuf in, boolean isWhole) {
        int needed = length + in.readableBytes();
        if (needed > gathered.length) {
            int room = Math.max(needed, Math.max(FIRST, 2 * gathered.length));
            if (!isWhole && needed > FIRST && unfinished.wouldExceed(room - (long) gathered.length)) {
                forget();
                side.turnAwaySlow();
                return;
            }
            unfinished.add(room - (long) gathered.length);
            gathered = java.util.Arrays.copyOf(gathered, room);
        }
        in.readBytes(gathered, length, in.readableBytes());
        length = needed;
        if (isWhole) {
            ByteBuf request = Unpooled.wrappedBuffer(gathered, 0, length);
            forget();
            side.hear(request);
        }
    }

    /// Whether what begins here can be no request, such as the hello of a client that speaks TLS: its end would be
    /// waited for in vain.
    private static boolean isForeign(ByteBuf in) {
        for (int i = in.readerIndex(); i < in.writerIndex(); i++) {
            byte b = in.getByte(i);
            if (b > ' ') {
                return false;
            }
            if (b != '\n' && b != '\r' && b != ' ' && b != '\t') {
                return true;
            }
        }
        return false;
    }

    /// Whether an empty line has come, or more than a head may have. What is empty before the request is no part
    /// of it.
    private boolean isWhole(ByteBuf in) {
        for (int i = in.readerIndex(); i < in.writerIndex(); i++) {
            byte b = in.getByte(i);
            if (b > ' ' || b < 0) {
                begun = true;
            }
            if (b == '\n' && begun && ++newlines == 2) {
                return true;
            } else if (b != '\n' && b != '\r') {
                newlines = 0;
            }
        }
        return length + in.readableBytes() > most;
    }

    private void forget() {
        ended = true;
        unfinished.add(-gathered.length);
        gathered = NONE;
    }
}
