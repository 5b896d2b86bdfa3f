package postroad.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/// A blocking WebSocket client connection (RFC 6455), over TCP or TLS, without extensions.
///
/// One thread receives; any thread may send or close. Pings are answered by the receiving thread, or by the sending
/// one when the two meet, so that a slow send never keeps the receiver from reading.
public final class WebSocketLink implements AutoCloseable {
    private static final int NORMAL = 1000;
    private static final int PROTOCOL_ERROR = 1002;
    private static final int NO_CODE = 1005;
    private static final int GONE = 1006;
    private static final int TOO_BIG = 1009;
    private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(1);

    private final WebSocketUrl url;
    private final WebSocketOptions options;
    private final Socket socket;
    private final InputBuffer in;
    private final FrameWriter out;
    private final ReentrantLock sending = new ReentrantLock();
    private final ReentrantLock receiving = new ReentrantLock();
    private final AtomicReference<byte[]> pong = new AtomicReference<>();

    // Guarded by `sending`.
    private boolean closeSent;

    // Guarded by `receiving`.
    private final ByteArrayOutputStream fragments = new ByteArrayOutputStream();
    private int fragmented;
    private LinkMessage.Closed ended;
    private long frames;

    private WebSocketLink(WebSocketUrl url, WebSocketOptions options, Socket socket) throws IOException {
        this.url = url;
        this.options = options;
        this.socket = socket;
        this.in = new InputBuffer(socket.getInputStream());
        this.out = new FrameWriter(socket.getOutputStream());
    }

    /// Opens a link; returns once both sides have agreed on it.
    ///
    /// @throws LinkException when that fails, with the reason in words for a person
    public static WebSocketLink open(WebSocketUrl url, WebSocketOptions options) throws IOException {
        Socket plain = Dialer.dial(url, options);
        Socket socket = plain;
        try {
            var deadline = Handshake.Deadline.in(url, options.handshakeTimeout());
            if (url.secure()) {
                socket = secured(plain, url, options, deadline);
            }
            WebSocketLink link = new WebSocketLink(url, options, socket);
            new Handshake(url, options).run(socket, link.in, deadline);
            socket.setSoTimeout(millis(options.readTimeout()));
            return link;
        } catch (LinkException e) {
            socket.close();
            throw e;
        } catch (IOException e) {
            socket.close();
            throw new LinkException(url.authority() + " broke off the handshake: " + e.getMessage(), e);
        }
    }

    private static SSLSocket secured(
            Socket plain, WebSocketUrl url, WebSocketOptions options, Handshake.Deadline deadline) throws IOException {
        SSLSocketFactory factory = options.tls()
                .map(SSLContext::getSocketFactory)
                .orElseGet(() -> (SSLSocketFactory) SSLSocketFactory.getDefault());
        // Layered over a socket by host name, the JDK sends the name along (SNI) and checks it against the certificate.
        SSLSocket socket = (SSLSocket) factory.createSocket(plain, url.host(), url.port(), true);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        parameters.setApplicationProtocols(new String[] {"http/1.1"});
        socket.setSSLParameters(parameters);
        try {
            socket.setSoTimeout(deadline.remainingMillis());
            socket.startHandshake();
            return socket;
        } catch (SocketTimeoutException e) {
            socket.close();
            throw deadline.passed("no end of the TLS handshake", e);
        } catch (SSLException e) {
            socket.close();
            throw new LinkException("TLS with " + url.authority() + " failed: " + tlsReason(e), e);
        }
    }

    private static String tlsReason(SSLException e) {
        String said = String.valueOf(e.getMessage());
        if (said.contains("plaintext connection") || said.contains("unrecognized SSL message")) {
            return "it does not speak TLS there; perhaps ws:// is meant";
        }
        String root = "";
        for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
            root = String.valueOf(cause.getMessage());
        }
        return root.isEmpty() || said.contains(root) ? said : said + " (" + root + ")";
    }

    /// Where the link leads.
    public WebSocketUrl url() {
        return url;
    }

    /// Sends a text message.
    public void send(String text) throws IOException {
        byte[] utf8 = text.getBytes(UTF_8);
        send(utf8, 0, utf8.length);
    }

    /// Sends UTF-8 bytes as a text message: one frame, one write. Waits while the peer does not read.
    ///
    /// @throws LinkException when the link has ended
    public void send(byte[] utf8, int from, int to) throws IOException {
        sending.lock();
        try {
            if (closeSent) {
                throw new LinkException("the connection to " + url.authority() + " is closed");
            }
            out.write(FrameWriter.TEXT, utf8, from, to);
        } finally {
            sending.unlock();
        }
        flushPong();
    }

    /// Asks the peer for a sign of life; it comes as bytes received, not as a message.
    public void ping() throws IOException {
        sending.lock();
        try {
            if (!closeSent) {
                out.write(FrameWriter.PING, new byte[0], 0, 0);
            }
        } finally {
            sending.unlock();
        }
        flushPong();
    }

    /// Waits for the next message; after the end, always the same [LinkMessage.Closed].
    ///
    /// @throws SocketTimeoutException when nothing came within the read time-out; nothing is lost, call again
    public LinkMessage receive() throws SocketTimeoutException {
        receiving.lock();
        try {
            while (ended == null) {
                LinkMessage message = step();
                if (message != null) {
                    return message;
                }
            }
            return ended;
        } finally {
            receiving.unlock();
        }
    }

    /// How many frames came so far, pongs among them: whether a silent peer is alive. For the receiving thread.
    public long framesReceived() {
        return frames;
    }

    /// Handles one frame; null when it made no message.
    private LinkMessage step() throws SocketTimeoutException {
        try {
            int header = frameHeader();
            return header == 0 ? null : frame(header);
        } catch (SocketTimeoutException e) {
            throw e;
        } catch (IOException e) {
            return end(GONE, "connection lost: " + e.getMessage());
        }
    }

    /// Waits for a frame's header and payload; returns the header's length, 0 when the link ended instead.
    private int frameHeader() throws IOException {
        if (!in.await(2)) {
            end(GONE, "the peer closed the connection without a close frame");
            return 0;
        }
        if ((in.at(0) & 0x70) != 0) {
            fail(PROTOCOL_ERROR, "the peer set a reserved bit");
            return 0;
        }
        if ((in.at(1) & 0x80) != 0) {
            fail(PROTOCOL_ERROR, "the peer masked a frame");
            return 0;
        }
        int size = in.at(1);
        int header = size < 126 ? 2 : size == 126 ? 4 : 10;
        if (in.await(header) && isLengthAllowed(header)) {
            if (in.await(header + length(header))) {
                return header;
            }
        }
        if (ended == null) {
            end(GONE, "the peer closed the connection in the middle of a frame");
        }
        return 0;
    }

    private boolean isLengthAllowed(int header) {
        long room = (long) options.maxMessageBytes() - fragments.size();
        boolean huge = header == 10 && (in.at(2) | in.at(3) | in.at(4) | in.at(5) | in.at(6) & 0x80) != 0;
        boolean control = (in.at(0) & 8) != 0;
        if (control && (header > 2 || (in.at(0) & 0x80) == 0)) {
            fail(PROTOCOL_ERROR, "the peer sent a control frame that is too long or in pieces");
            return false;
        }
        if (!control && (huge || length(header) > room)) {
            fail(TOO_BIG, "the peer sent a message of more than " + options.maxMessageBytes() + " bytes");
            return false;
        }
        return true;
    }

    private int length(int header) {
        return switch (header) {
            case 2 -> in.at(1);
            case 4 -> in.at(2) << 8 | in.at(3);
            default -> in.at(6) << 24 | in.at(7) << 16 | in.at(8) << 8 | in.at(9);
        };
    }

    private LinkMessage frame(int header) {
        boolean last = (in.at(0) & 0x80) != 0;
        int opcode = in.at(0) & 15;
        int length = length(header);
        byte[] payload = in.copy(header, header + length);
        in.skip(header + length);
        frames++;
        return switch (opcode) {
            case 0, 1, 2 -> data(opcode, last, payload);
            case FrameWriter.CLOSE -> closed(payload);
            case FrameWriter.PING -> {
                pong.set(payload);
                flushPong();
                yield null;
            }
            case FrameWriter.PONG -> null;
            default -> fail(PROTOCOL_ERROR, "the peer sent a frame with the unknown opcode " + opcode);
        };
    }

    private LinkMessage data(int opcode, boolean last, byte[] payload) {
        if (opcode == 0 == (fragmented == 0)) {
            return fail(
                    PROTOCOL_ERROR,
                    opcode == 0
                            ? "the peer continued a message it had not begun"
                            : "the peer began a message in another");
        }
        if (last && opcode != 0) {
            return message(opcode, payload);
        }
        fragmented = opcode == 0 ? fragmented : opcode;
        fragments.writeBytes(payload);
        if (!last) {
            return null;
        }
        LinkMessage whole = message(fragmented, fragments.toByteArray());
        fragments.reset();
        fragmented = 0;
        return whole;
    }

    private static LinkMessage message(int opcode, byte[] payload) {
        return opcode == FrameWriter.TEXT ? new LinkMessage.Text(payload) : new LinkMessage.Binary(payload);
    }

    private LinkMessage closed(byte[] payload) {
        if (payload.length == 1) {
            return fail(PROTOCOL_ERROR, "the peer sent a close frame of one byte");
        }
        int code = payload.length == 0 ? NO_CODE : (payload[0] & 0xff) << 8 | payload[1] & 0xff;
        String reason = payload.length <= 2 ? "" : new String(payload, 2, payload.length - 2, UTF_8);
        sendClose(code == NO_CODE ? NORMAL : code, "");
        return end(code, reason);
    }

    private LinkMessage.Closed fail(int code, String reason) {
        sendClose(code, reason);
        return end(code, reason);
    }

    private LinkMessage.Closed end(int code, String reason) {
        ended = new LinkMessage.Closed(code, reason);
        closeSocket();
        return ended;
    }

    /// Sends the pong that waits, unless a sender is at work, who then does it when done.
    private void flushPong() {
        while (pong.get() != null && sending.tryLock()) {
            try {
                byte[] payload = pong.getAndSet(null);
                if (payload != null && !closeSent) {
                    out.write(FrameWriter.PONG, payload, 0, payload.length);
                }
            } catch (IOException e) {
                // The receiver learns of a broken connection from its own read.
                return;
            } finally {
                sending.unlock();
            }
        }
    }

    private void sendClose(int code, String reason) {
        byte[] text = reason.getBytes(UTF_8);
        byte[] payload = new byte[2 + Math.min(text.length, 123)];
        payload[0] = (byte) (code >>> 8);
        payload[1] = (byte) code;
        System.arraycopy(text, 0, payload, 2, payload.length - 2);
        try {
            if (!sending.tryLock(CLOSE_PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                return;
            }
            try {
                if (!closeSent) {
                    closeSent = true;
                    out.write(FrameWriter.CLOSE, payload, 0, payload.length);
                }
            } finally {
                sending.unlock();
            }
        } catch (IOException e) {
            // It was to be closed anyway.
            return;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Says goodbye, waits up to a second for the peer's own goodbye, and closes the socket.
    @Override
    public void close() {
        sendClose(NORMAL, "");
        try {
            if (!socket.isClosed() && receiving.tryLock(CLOSE_PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                try {
                    drain();
                } finally {
                    receiving.unlock();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            closeSocket();
        }
    }

    private void drain() {
        long deadline = System.nanoTime() + CLOSE_PATIENCE.toNanos();
        try {
            while (ended == null && System.nanoTime() < deadline) {
                socket.setSoTimeout((int) CLOSE_PATIENCE.toMillis());
                step();
            }
        } catch (IOException e) {
            // The peer says nothing; it had its second.
            return;
        }
    }

    private void closeSocket() {
        try {
            socket.close();
        } catch (IOException e) {
            // Nothing more can be done to it.
            return;
        }
    }

    private static int millis(Duration time) {
        return time.isZero() ? 0 : Math.clamp(time.toMillis(), 1, Integer.MAX_VALUE);
    }
}
