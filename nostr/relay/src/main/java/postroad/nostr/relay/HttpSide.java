package postroad.nostr.relay;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.concurrent.Future;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// The first and only HTTP request of a connection: an upgrade to WebSocket, the NIP-11 document, the page
/// for browsers, or a refusal that says why.
///
/// After the upgrade every HTTP handler leaves the pipeline. Owned by the connection's loop.
final class HttpSide extends SimpleChannelInboundHandler<HttpObject> {
    private static final int LONGEST_LINE = 4 << 10;
    private static final int LONGEST_HEADERS = 16 << 10;
    private static final int LARGEST_CHUNK = 8 << 10;
    private static final int LINGER_SECONDS = 1;
    private static final String NOSTR_JSON = "application/nostr+json";

    private final Relay relay;
    private final Loop loop;
    private final Channel channel;
    private final InetAddress peer;
    private final Future<?> timeout;
    private Optional<String> counted = Optional.empty();
    private Optional<Runnable> upgrade = Optional.empty();
    private boolean answered;

    private HttpSide(Relay relay, Loop loop, Channel channel, InetAddress peer) {
        this.relay = relay;
        this.loop = loop;
        this.channel = channel;
        this.peer = peer;
        this.timeout = channel.eventLoop()
                .schedule(this::tooLate, relay.config().timeouts().handshake().toNanos(), TimeUnit.NANOSECONDS);
    }

    /// Makes a fresh connection speak HTTP, or closes it when there are too many.
    static void begin(Relay relay, Loop loop, Channel channel) {
        InetAddress peer = ((InetSocketAddress) channel.remoteAddress()).getAddress();
        HttpSide side = new HttpSide(relay, loop, channel, peer);
        if (!relay.addresses().tryOpen()) {
            side.turnAway(503, "this relay has all the connections it takes; try again later");
            return;
        }
        channel.closeFuture().addListener(closed -> side.left());
        if (!relay.addresses().isTrusted(peer) && !side.enter(Addresses.key(peer.getAddress()))) {
            side.turnAway(429, tooMany(relay));
            return;
        }
        channel.pipeline().addLast(new RequestHead(relay.messages(), LONGEST_LINE + LONGEST_HEADERS, side));
    }

    /// The head of the request is there, or more than a head may have.
    void hear(ByteBuf request) {
        channel.pipeline()
                .addLast(new HttpServerCodec(LONGEST_LINE, LONGEST_HEADERS, LARGEST_CHUNK))
                .addLast(this);
        channel.pipeline().remove(RequestHead.class);
        channel.pipeline().fireChannelRead(request);
    }

    /// What came is no HTTP.
    void turnAwayForeign() {
        turnAway(400, "this is not HTTP; if it is TLS: the relay speaks none itself, use http:// or ws://");
    }

    /// So many requests have begun and not ended that this one is not waited for.
    void turnAwaySlow() {
        turnAway(503, "too many long requests are under way; try again later");
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, HttpObject part) {
        if (part instanceof HttpRequest request && !answered) {
            read(request);
        }
        // Only now has the decoder given away everything of the request.
        if (part instanceof LastHttpContent && upgrade.isPresent() && !answered) {
            upgrade.get().run();
        }
    }

    private void read(HttpRequest request) {
        if (!request.decoderResult().isSuccess()) {
            refuse(request, 400, "the request is not HTTP/1.1, or its line or headers are too long");
            return;
        }
        if (!relay.serves(path(request))) {
            refuse(request, 404, "the relay is at /");
            return;
        }
        switch (Handshake.judge(request, relay.config().deflate())) {
            case Handshake.Agreed agreed
            when hasBody(request) -> refuse(request, 400, "a request for a WebSocket has no body");
            case Handshake.Agreed agreed -> upgrade = Optional.of(() -> upgrade(request, agreed));
            case Handshake.Refused(int status, String reason) -> refuse(request, status, reason);
            case Handshake.NotAsked() -> inform(request);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        var _ = context.close();
    }

    private void upgrade(HttpRequest request, Handshake.Agreed agreed) {
        HttpHeaders headers = request.headers();
        if (relay.isStopping()) {
            refuse(request, 503, "the relay is shutting down");
            return;
        }
        if (counted.isEmpty() && !enter(relay.addresses().client(peer, headers.getAll("X-Forwarded-For")))) {
            refuse(request, 429, tooMany(relay));
            return;
        }
        timeout.cancel(false);
        var response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.SWITCHING_PROTOCOLS);
        response.headers()
                .set(HttpHeaderNames.UPGRADE, "websocket")
                .set(HttpHeaderNames.CONNECTION, "Upgrade")
                .set(HttpHeaderNames.SEC_WEBSOCKET_ACCEPT, agreed.accept());
        agreed.extensions()
                .ifPresent(extensions -> response.headers().set(HttpHeaderNames.SEC_WEBSOCKET_EXTENSIONS, extensions));
        var _ = channel.write(response);
        var connection = new Connection(
                relay,
                loop,
                channel,
                counted.orElseThrow(),
                headers.get(HttpHeaderNames.HOST, ""),
                agreed.extensions().isPresent());
        channel.pipeline().addLast(connection);
        channel.pipeline().remove(this);
        connection.open();
        // Bytes the client sent behind its request move on to the connection now.
        channel.pipeline().remove(HttpServerCodec.class);
        // The answer and the first frames leave in one write.
        connection.afterWriting();
        channel.flush();
    }

    private void inform(HttpRequest request) {
        HttpMethod method = request.method();
        if (method.equals(HttpMethod.OPTIONS)) {
            answer(request, 204, "text/plain", new byte[0]);
        } else if (!method.equals(HttpMethod.GET) && !method.equals(HttpMethod.HEAD)) {
            refuse(request, 405, "GET only");
        } else if (accepts(request, NOSTR_JSON)) {
            answer(request, 200, NOSTR_JSON, relay.document());
        } else if (accepts(request, "text/html")) {
            String page = new RelayDocument(relay.config()).page(url(request));
            answer(request, 200, "text/html; charset=utf-8", page.getBytes(StandardCharsets.UTF_8));
        } else {
            refuse(request, 426, "this is a Nostr relay: connect with a WebSocket, or ask with Accept: " + NOSTR_JSON);
        }
    }

    private void refuse(HttpRequest request, int status, String reason) {
        answer(request, status, "text/plain; charset=utf-8", (reason + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /// The time for the handshake is over: whoever is still asking is told so, whoever does not take an answer is not.
    private void tooLate() {
        if (answered) {
            hangUp();
            return;
        }
        long seconds = relay.config().timeouts().handshake().toSeconds();
        String reason = "the request took longer than " + (seconds == 0 ? "it may" : seconds + " s");
        if (channel.pipeline().get(HttpServerCodec.class) == null) {
            turnAway(408, reason);
        } else {
            answer(false, 408, "text/plain; charset=utf-8", (reason + "\n").getBytes(StandardCharsets.UTF_8));
        }
    }

    private void answer(HttpRequest request, int status, String type, byte[] body) {
        answer(request.method().equals(HttpMethod.HEAD), status, type, body);
    }

    private void answer(boolean isHead, int status, String type, byte[] body) {
        ByteBuf content = isHead ? Unpooled.EMPTY_BUFFER : Unpooled.wrappedBuffer(body);
        var response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(status), content);
        HttpHeaders headers = response.headers();
        headers.set(HttpHeaderNames.CONNECTION, "close")
                .set(HttpHeaderNames.ACCESS_CONTROL_ALLOW_ORIGIN, "*")
                .set(HttpHeaderNames.ACCESS_CONTROL_ALLOW_HEADERS, "*")
                .set(HttpHeaderNames.ACCESS_CONTROL_ALLOW_METHODS, "GET, HEAD, OPTIONS")
                .set(HttpHeaderNames.VARY, "Accept");
        if (status != 204) {
            headers.set(HttpHeaderNames.CONTENT_TYPE, type).set(HttpHeaderNames.CONTENT_LENGTH, body.length);
        }
        if (status == 405) {
            headers.set(HttpHeaderNames.ALLOW, "GET, HEAD, OPTIONS");
        }
        if (status == 426) {
            headers.set(HttpHeaderNames.UPGRADE, "websocket").set(HttpHeaderNames.SEC_WEBSOCKET_VERSION, "13");
        }
        answered = true;
        channel.writeAndFlush(response).addListener(sent -> endSoon());
        // What still comes is not looked at.
        channel.pipeline().remove(HttpServerCodec.class);
    }

    /// Answers before any request was read.
    private void turnAway(int status, String reason) {
        answered = true;
        String text = "HTTP/1.1 " + HttpResponseStatus.valueOf(status) + "\r\nConnection: close\r\n"
                + "Content-Type: text/plain\r\nContent-Length: " + (reason.length() + 1) + "\r\n\r\n" + reason + "\n";
        channel.writeAndFlush(Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII))
                .addListener(sent -> endSoon());
    }

    /// Ends our half now and the rest in a moment: closing at once would reset the connection while the
    /// client is still sending, and the answer might be lost with it.
    private void endSoon() {
        timeout.cancel(false);
        var _ = ((DuplexChannel) channel).shutdownOutput();
        var _ = channel.eventLoop().schedule(this::hangUp, LINGER_SECONDS, TimeUnit.SECONDS);
    }

    private void hangUp() {
        var _ = channel.close();
    }

    private boolean enter(String client) {
        if (!relay.addresses().tryEnter(client)) {
            return false;
        }
        counted = Optional.of(client);
        return true;
    }

    private void left() {
        timeout.cancel(false);
        relay.addresses().close();
        counted.ifPresent(relay.addresses()::leave);
    }

    private static String tooMany(Relay relay) {
        return "at most " + relay.config().limits().connectionsPerAddress()
                + " connections from one address are allowed";
    }

    private static boolean hasBody(HttpRequest request) {
        return HttpUtil.isTransferEncodingChunked(request) || HttpUtil.getContentLength(request, 0L) != 0;
    }

    private static String path(HttpRequest request) {
        String target = withoutAuthority(request.uri());
        int query = target.indexOf('?');
        return query < 0 ? target : target.substring(0, query);
    }

    /// Proxies may name the whole address, and every server has to understand it (RFC 9112, 3.2.2).
    private static String withoutAuthority(String target) {
        int scheme = target.indexOf("://");
        if (target.startsWith("/") || scheme < 0) {
            return target;
        }
        int path = scheme + 3;
        while (path < target.length() && target.charAt(path) != '/' && target.charAt(path) != '?') {
            path++;
        }
        return target.substring(path);
    }

    private static boolean accepts(HttpRequest request, String type) {
        return request.headers().getAll(HttpHeaderNames.ACCEPT).stream()
                .map(value -> value.toLowerCase(Locale.ROOT))
                .anyMatch(value -> value.contains(type));
    }

    /// Where clients connect: the configured address, or what the browser called us.
    private String url(HttpRequest request) {
        return relay.config().urls().stream()
                .map(Object::toString)
                .sorted()
                .findFirst()
                .orElse("ws://" + request.headers().get(HttpHeaderNames.HOST, "localhost"));
    }
}
