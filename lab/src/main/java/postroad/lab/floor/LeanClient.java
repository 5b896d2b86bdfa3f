package postroad.lab.floor;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import postroad.lab.fuzz.Frame;

/// The plain client of all measurements on the wire: one blocking socket, frames made before the clock
/// starts, answers recognised by their first bytes. Owned by one thread.
///
/// It reads no JSON but where a caller asks for an id. Every read waits for as long as the relay takes; a
/// watchdog over the whole run is the caller's business.
final class LeanClient implements AutoCloseable {
    /// Agrees to compression without contexts, as Postroad and others do.
    private static final String DEFLATE =
            "Sec-WebSocket-Extensions: permessage-deflate; client_no_context_takeover; server_no_context_takeover\r\n";

    private static final byte[] TAIL = {0, 0, (byte) 0xff, (byte) 0xff};
    private static final int LARGEST_MESSAGE = 16 << 20;
    private static final int MASK = 0x5a17c3e9;

    private final SocketChannel socket;
    private final Inflater inflater = new Inflater(true);
    private ByteBuffer in = ByteBuffer.allocateDirect(256 << 10).flip();
    private byte[] message = new byte[4 << 10];
    private int length;
    private boolean isDeflated;

    private LeanClient(SocketChannel socket) {
        this.socket = socket;
    }

    /// Connects with TCP_NODELAY and without compression.
    static LeanClient open(InetSocketAddress address) throws IOException {
        return open(address, true, false, Optional.empty());
    }

    /// Connects.
    ///
    /// @param from the local address, where it matters
    static LeanClient open(InetSocketAddress address, boolean noDelay, boolean deflate, Optional<SocketAddress> from)
            throws IOException {
        SocketChannel socket = SocketChannel.open();
        try {
            socket.setOption(StandardSocketOptions.TCP_NODELAY, noDelay);
            if (from.isPresent()) {
                socket.bind(from.get());
            }
            socket.connect(address);
            LeanClient client = new LeanClient(socket);
            client.isDeflated = shakeHands(socket, address, deflate).contains("permessage-deflate");
            return client;
        } catch (IOException | RuntimeException e) {
            socket.close();
            throw e;
        }
    }

    /// A text message as a masked frame.
    static byte[] frame(String text) {
        return Frame.text(text).bytes(MASK);
    }

    /// A message of UTF-8 as a masked frame.
    static byte[] frame(byte[] text) {
        return new Frame(Frame.FIN | Frame.TEXT, ByteBuffer.wrap(text)).bytes(MASK);
    }

    /// Whether compression was agreed on.
    boolean isDeflated() {
        return isDeflated;
    }

    /// Sends frames that were made before.
    void send(byte[] frames) throws IOException {
        ByteBuffer out = ByteBuffer.wrap(frames);
        while (out.hasRemaining()) {
            socket.write(out);
        }
    }

    /// Reads the next text message; see [#startsWith] and [#text].
    void read() throws IOException {
        while (true) {
            int head = readFrame();
            switch (head & 0x0f) {
                case Frame.TEXT -> {
                    return;
                }
                case Frame.PING ->
                    send(new Frame(Frame.FIN | Frame.PONG, ByteBuffer.wrap(Arrays.copyOf(message, length)))
                            .bytes(MASK));
                case Frame.PONG -> {}
                default -> throw new IOException("the relay ended the connection: " + text());
            }
        }
    }

    /// Whether a message lies in what was received already.
    boolean hasMore() {
        return in.remaining() >= 2 && in.remaining() >= headerLength() && in.remaining() >= headerLength() + payload();
    }

    /// Whether the message begins so.
    boolean startsWith(byte[] beginning) {
        return length >= beginning.length
                && Arrays.equals(message, 0, beginning.length, beginning, 0, beginning.length);
    }

    /// The message as text.
    String text() {
        return new String(message, 0, length, UTF_8);
    }

    /// The bytes of the message.
    int length() {
        return length;
    }

    /// The bytes of the message from `at` on that are an id in hex, as a number of its first 16 digits.
    long idAt(int at) {
        return Long.parseUnsignedLong(new String(message, at, 16, ISO_8859_1), 16);
    }

    /// Ends the connection without a close frame.
    @Override
    public void close() throws IOException {
        inflater.end();
        socket.close();
    }

    /// Shakes hands on a socket that blocks; the head of the answer, and not a byte behind it.
    ///
    /// @throws IOException when the answer is not a switch of protocols
    static String shakeHands(SocketChannel socket, InetSocketAddress address, boolean deflate) throws IOException {
        String host = address.getAddress().getHostAddress() + ":" + address.getPort();
        ByteBuffer request = ByteBuffer.wrap(("GET / HTTP/1.1\r\nHost: " + host
                        + "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                        + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
                        + (deflate ? DEFLATE : "") + "\r\n")
                .getBytes(ISO_8859_1));
        while (request.hasRemaining()) {
            socket.write(request);
        }
        StringBuilder head = new StringBuilder();
        ByteBuffer one = ByteBuffer.allocate(1);
        while (head.indexOf("\r\n\r\n") < 0) {
            if (socket.read(one.clear()) < 0) {
                throw new EOFException("no handshake: " + head);
            }
            head.append((char) one.get(0));
        }
        if (!head.toString().startsWith("HTTP/1.1 101")) {
            throw new IOException("no handshake: " + head);
        }
        return head.toString();
    }

    /// Reads a frame's payload into `message`, inflated; its first byte.
    private int readFrame() throws IOException {
        need(2);
        need(headerLength());
        int header = headerLength();
        int size = payload();
        need(header + size);
        int head = in.get(in.position());
        in.position(in.position() + header);
        if (message.length < size) {
            message = new byte[2 * size];
        }
        in.get(message, 0, size);
        length = size;
        if ((head & Frame.RSV1) != 0) {
            inflate();
        }
        if ((head & Frame.FIN) == 0) {
            throw new IOException("the relay sent a message in several frames");
        }
        return head;
    }

    private int headerLength() {
        int first = in.get(in.position() + 1) & 0x7f;
        return first < 126 ? 2 : first == 126 ? 4 : 10;
    }

    private int payload() {
        int at = in.position();
        int first = in.get(at + 1) & 0x7f;
        long size = first < 126 ? first : first == 126 ? in.getShort(at + 2) & 0xffff : in.getLong(at + 2);
        return Math.clamp(size, 0, LARGEST_MESSAGE);
    }

    /// Reads until `count` bytes are there.
    private void need(int count) throws IOException {
        if (in.remaining() >= count) {
            return;
        }
        if (in.capacity() < count) {
            in = ByteBuffer.allocateDirect(2 * count).put(in).flip();
        }
        while (in.remaining() < count) {
            in.compact();
            int read = socket.read(in);
            in.flip();
            if (read < 0) {
                throw new EOFException("the relay ended the connection");
            }
        }
    }

    private void inflate() throws IOException {
        inflater.reset();
        byte[] packed = Arrays.copyOf(message, length + TAIL.length);
        System.arraycopy(TAIL, 0, packed, length, TAIL.length);
        inflater.setInput(packed);
        length = 0;
        try {
            while (!inflater.needsInput() && !inflater.finished()) {
                if (length == message.length) {
                    message = Arrays.copyOf(message, 2 * length);
                }
                length += inflater.inflate(message, length, message.length - length);
            }
        } catch (DataFormatException e) {
            throw new IOException("the relay sent a compressed message that is damaged", e);
        }
    }
}
