package postroad.nostr.relay;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/// The relay's engine with no relay behind it, for the lab: the same loops, sockets, frame reader and outbox
/// answer each text message at once, with as many frames of as many bytes as it asks for.
///
/// A message is `FRAMES BYTES` in decimal, a space, and anything. All frames of one read leave with one
/// flush. What a REQ costs more than an echo of the same size is the relay's own work.
public final class EchoServer implements AutoCloseable {
    private static final int MOST_FRAMES = 10_000;
    private static final int MOST_BYTES = 1 << 20;

    private final EventLoopGroup group;
    private final Channel listener;

    private EchoServer(EventLoopGroup group, Channel listener) {
        this.group = group;
        this.listener = listener;
    }

    /// Starts one that listens on `listen`; port 0 takes a free one.
    public static EchoServer start(InetSocketAddress listen) {
        Transport transport = Transport.choose();
        RelayConfig config = RelayConfig.at(listen);
        EventLoopGroup group = transport.loops(config.loops());
        Channel listener = new ServerBootstrap()
                .group(group)
                .channel(transport.server())
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline().addLast(new HttpServerCodec()).addLast(new Upgrade(config.limits()));
                    }
                })
                .bind(listen)
                .syncUninterruptibly()
                .channel();
        return new EchoServer(group, listener);
    }

    /// Where it listens.
    public InetSocketAddress address() {
        return (InetSocketAddress) listener.localAddress();
    }

    @Override
    public void close() {
        listener.close().awaitUninterruptibly();
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    /// The one HTTP request of a connection.
    private static final class Upgrade extends SimpleChannelInboundHandler<HttpObject> {
        private final Limits limits;
        private String accept = "";

        Upgrade(Limits limits) {
            this.limits = limits;
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, HttpObject part) {
            if (part instanceof HttpRequest request) {
                accept = switch (Handshake.judge(request, false)) {
                    case Handshake.Agreed agreed -> agreed.accept();
                    case Handshake.Refused _ -> "";
                    case Handshake.NotAsked() -> "";
                };
            }
            if (part instanceof LastHttpContent) {
                answer(context.channel());
            }
        }

        private void answer(Channel channel) {
            if (accept.isEmpty()) {
                channel.writeAndFlush(new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.BAD_REQUEST))
                        .addListener(ChannelFutureListener.CLOSE);
                return;
            }
            var response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.SWITCHING_PROTOCOLS);
            response.headers()
                    .set(HttpHeaderNames.UPGRADE, "websocket")
                    .set(HttpHeaderNames.CONNECTION, "Upgrade")
                    .set(HttpHeaderNames.SEC_WEBSOCKET_ACCEPT, accept);
            var _ = channel.writeAndFlush(response);
            channel.pipeline().addLast(new Echo(channel, limits));
            channel.pipeline().remove(this);
            channel.pipeline().remove(HttpServerCodec.class);
        }
    }

    /// One connection. Owned by its loop.
    private static final class Echo extends ChannelInboundHandlerAdapter implements FrameReader.Sink {
        private final Channel channel;
        private final FrameReader reader;
        private final Inbox inbox = new Inbox();
        private final Deflating deflating = new Deflating();
        private final Outbox outbox;
        private byte[] answer = {};

        Echo(Channel channel, Limits limits) {
            this.channel = channel;
            this.reader = new FrameReader(limits.messageBytes(), false, new ByteBudget(limits.messageBytes()));
            this.outbox = new Outbox(channel, false, deflating, limits, new ByteBudget(limits.outboxBytes()));
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf in = (ByteBuf) message;
            try {
                while (reader.readOne(in, inbox, this)) {
                    // The sink has answered.
                }
            } finally {
                in.release();
            }
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            outbox.flush();
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext context) {
            outbox.pump();
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            reader.release();
            outbox.release();
            inbox.close();
            deflating.close();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            var _ = channel.close();
        }

        @Override
        public void text(byte[] bytes, int from, int to) {
            int at = number(bytes, from, to);
            int frames = value(bytes, from, at);
            int size = value(bytes, Math.min(at + 1, to), number(bytes, Math.min(at + 1, to), to));
            if (frames > MOST_FRAMES || size > MOST_BYTES) {
                broken(CloseCode.TOO_BIG, "too much asked for");
                return;
            }
            if (answer.length != size) {
                answer = new byte[size];
                Arrays.fill(answer, (byte) 'x');
            }
            for (int i = 0; i < frames; i++) {
                outbox.text(answer);
            }
        }

        @Override
        public void ping(byte[] payload) {
            outbox.pong(payload);
        }

        @Override
        public void pong() {
            // Nothing was asked.
        }

        @Override
        public void close(int code) {
            var _ = channel.close();
        }

        @Override
        public void broken(CloseCode code, String reason) {
            var _ = channel.close();
        }

        /// Where the digits from `from` end; nine at most.
        private static int number(byte[] bytes, int from, int to) {
            int at = from;
            while (at < to && at < from + 9 && bytes[at] >= '0' && bytes[at] <= '9') {
                at++;
            }
            return at;
        }

        private static int value(byte[] bytes, int from, int to) {
            int value = 0;
            for (int i = from; i < to; i++) {
                value = 10 * value + bytes[i] - '0';
            }
            return value;
        }
    }
}
