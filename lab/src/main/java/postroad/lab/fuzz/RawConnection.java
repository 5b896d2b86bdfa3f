package postroad.lab.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.Optional;

/// A WebSocket client that sends whatever it is told, byte by byte if need be, and reads strictly. For one
/// thread.
///
/// Every wait is bounded: a read that gets nothing for [#PATIENCE_MILLIS] fails.
public final class RawConnection implements AutoCloseable {
    /// How long a read waits.
    public static final int PATIENCE_MILLIS = 30_000;

    private static final int LARGEST_FRAME = 64 << 20;

    private final Socket socket;
    private final DataInputStream in;
    private final String host;

    private RawConnection(Socket socket, String host) throws IOException {
        this.socket = socket;
        this.host = host;
        this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), 1 << 11));
    }

    /// Connects without saying anything.
    public static RawConnection connect(InetSocketAddress address) throws IOException {
        return connect(address, Optional.empty(), 0);
    }

    /// Connects from the local address `from`, with a receive buffer of `receiveBytes` (0: the system's own).
    public static RawConnection connect(InetSocketAddress address, Optional<InetAddress> from, int receiveBytes)
            throws IOException {
        Socket socket = new Socket();
        try {
            if (receiveBytes > 0) {
                socket.setReceiveBufferSize(receiveBytes);
            }
            if (from.isPresent()) {
                socket.bind(new InetSocketAddress(from.get(), 0));
            }
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.connect(address, PATIENCE_MILLIS);
            return new RawConnection(socket, address.getAddress().getHostAddress() + ":" + address.getPort());
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /// Connects and shakes hands.
    public static RawConnection open(InetSocketAddress address) throws IOException {
        RawConnection connection = connect(address);
        connection.shakeHands();
        return connection;
    }

    /// The request of a proper handshake.
    public byte[] handshake() {
        return handshake("");
    }

    private byte[] handshake(String headers) {
        return ("GET / HTTP/1.1\r\nHost: " + host + "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                        + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n" + headers
                        + "\r\n")
                .getBytes(ISO_8859_1);
    }

    /// Shakes hands properly.
    ///
    /// @throws IOException when the answer is not a switch of protocols
    public void shakeHands() throws IOException {
        shakeHands("");
    }

    /// Shakes hands properly, and agrees on compressed messages without context.
    ///
    /// @throws IOException when the answer is something else
    public void shakeHandsDeflating() throws IOException {
        String answer = shakeHands("Sec-WebSocket-Extensions: permessage-deflate; client_no_context_takeover;"
                + " server_no_context_takeover\r\n");
        if (!answer.contains("permessage-deflate")) {
            throw new IOException("no compression: " + answer);
        }
    }

    private String shakeHands(String headers) throws IOException {
        send(handshake(headers));
        String answer = readHead();
        if (!answer.startsWith("HTTP/1.1 101 ")) {
            throw new IOException("no handshake: " + answer);
        }
        return answer;
    }

    /// Sends bytes as they are.
    public void send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    /// Sends a whole text message, masked.
    public void sendText(String text) throws IOException {
        send(Frame.text(text).bytes(0x5a17c3e9));
    }

    /// Sends a frame, masked.
    public void send(Frame frame) throws IOException {
        send(frame.bytes(0x5a17c3e9));
    }

    /// The head of an HTTP answer, up to its empty line; short when the connection ends before.
    public String readHead() throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.length() < 65_536 && head.indexOf("\r\n\r\n") < 0) {
            int next = read();
            if (next < 0) {
                break;
            }
            head.append((char) next);
        }
        return head.toString();
    }

    /// The next frame; empty at the end of the stream, clean or not.
    public Optional<Frame> readFrame() throws IOException {
        try {
            int head = in.read();
            if (head < 0) {
                return Optional.empty();
            }
            long length = in.readUnsignedByte();
            if ((length & 0x80) != 0) {
                throw new IOException("the relay masked a frame");
            }
            if (length == 126) {
                length = in.readUnsignedShort();
            } else if (length == 127) {
                length = in.readLong();
            }
            if (length < 0 || length > LARGEST_FRAME) {
                throw new IOException("the relay sent a frame of " + length + " bytes");
            }
            byte[] payload = new byte[(int) length];
            in.readFully(payload);
            return Optional.of(new Frame(head, ByteBuffer.wrap(payload)));
        } catch (EOFException | SocketException e) {
            return Optional.empty();
        }
    }

    /// The next text message or close frame, pings answered on the way; empty at the end of the stream.
    public Optional<Frame> readMessage() throws IOException {
        while (true) {
            Optional<Frame> frame = readFrame();
            if (frame.isEmpty()) {
                return frame;
            }
            switch (frame.get().opcode()) {
                case Frame.PING ->
                    send(new Frame(Frame.FIN | Frame.PONG, frame.get().payload()));
                case Frame.PONG -> {}
                default -> {
                    return frame;
                }
            }
        }
    }

    /// Reads messages until one begins with `prefix`, and returns it; the challenge for AUTH, which may
    /// come at any time, is passed over.
    ///
    /// @throws IOException when the connection ends before, with what came instead
    public String awaitText(String prefix) throws IOException {
        StringBuilder instead = new StringBuilder();
        while (true) {
            Optional<Frame> message = readMessage();
            if (message.isEmpty() || message.get().opcode() == Frame.CLOSE) {
                throw new IOException("the connection ended before " + prefix + "…"
                        + message.map(close -> ", with " + close.closeCode() + " " + close.closeReason())
                                .orElse("")
                        + (instead.isEmpty() ? "" : ", after " + instead));
            }
            String text = message.get().text();
            if (text.startsWith(prefix) && !text.startsWith("[\"AUTH\"")) {
                return text;
            }
            if (instead.length() < 2_000) {
                instead.append(text, 0, Math.min(300, text.length())).append(' ');
            }
        }
    }

    /// Reads on until the connection ends; returns the close frame if one came.
    public Optional<Frame> awaitEnd() throws IOException {
        Optional<Frame> close = Optional.empty();
        while (true) {
            Optional<Frame> frame = readFrame();
            if (frame.isEmpty()) {
                return close;
            }
            if (frame.get().opcode() == Frame.CLOSE) {
                close = frame;
            }
        }
    }

    /// Sends no more, as far as TCP is concerned.
    public void endOutput() throws IOException {
        socket.shutdownOutput();
    }

    /// Breaks the connection with a reset instead of an end.
    public void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    /// Ends the connection without a close frame.
    @Override
    public void close() throws IOException {
        socket.close();
    }

    private int read() throws IOException {
        try {
            return in.read();
        } catch (SocketException e) {
            return -1;
        }
    }
}
