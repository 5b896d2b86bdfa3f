package postroad.nostr.relay;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import postroad.nostr.core.Event;

/// A plain blocking WebSocket client that can also do what a good client never does. Owned by one thread.
final class RawClient implements AutoCloseable {
    static final int TEXT = 1;
    static final int BINARY = 2;
    static final int CLOSE = 8;
    static final int PING = 9;
    static final int PONG = 10;

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int PATIENCE_MILLIS = 20_000;

    private final Socket socket;
    private final DataInputStream in;
    private final OutputStream out;
    private String challenge = "";

    /// A frame as it came.
    record Frame(int first, int opcode, String text, List<Byte> bytes) {
        int closeCode() {
            return (bytes.get(0) & 0xff) << 8 | bytes.get(1) & 0xff;
        }

        String closeReason() {
            return text.substring(2);
        }
    }

    private RawClient(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), 1 << 16));
        this.out = socket.getOutputStream();
    }

    /// A connection on which nothing was said yet.
    static RawClient tcp(InetSocketAddress relay) throws IOException {
        return tcp(relay, InetAddress.getLoopbackAddress());
    }

    static RawClient tcp(InetSocketAddress relay, InetAddress from) throws IOException {
        Socket socket = new Socket();
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(PATIENCE_MILLIS);
        socket.bind(new InetSocketAddress(from, 0));
        socket.connect(relay);
        return new RawClient(socket);
    }

    /// A connection with a small receive window, which fills soon when nobody reads.
    static RawClient deaf(InetSocketAddress relay) throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(4 << 10);
        socket.setSoTimeout(PATIENCE_MILLIS);
        socket.connect(relay);
        RawClient client = new RawClient(socket);
        client.upgrade();
        return client;
    }

    /// An open WebSocket; the greeting was read.
    static RawClient open(TestRelay relay, String... headers) throws IOException {
        RawClient client = tcp(relay.address());
        String answer = client.upgrade(headers);
        if (!answer.startsWith("HTTP/1.1 101 ")) {
            throw new IOException(answer);
        }
        if (relay.config().auth() != AuthMode.OFF) {
            client.challenge = client.nextMessage().get(1).asText();
        }
        return client;
    }

    String upgrade(String... headers) throws IOException {
        return upgradeAs(host(), headers);
    }

    /// Asks for the upgrade, calling the relay `host`; status line and headers of the answer.
    String upgradeAs(String host, String... headers) throws IOException {
        StringBuilder request = new StringBuilder("GET / HTTP/1.1\r\nHost: " + host
                + "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n");
        for (String header : headers) {
            request.append(header).append("\r\n");
        }
        raw(request.append("\r\n").toString());
        return readHead();
    }

    String host() {
        return "127.0.0.1:" + socket.getPort();
    }

    String challenge() {
        return challenge;
    }

    void raw(String text) throws IOException {
        raw(text.getBytes(ISO_8859_1));
    }

    void raw(byte[] bytes) throws IOException {
        out.write(bytes);
        out.flush();
    }

    /// Status line and headers of an HTTP answer.
    String readHead() throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                throw new EOFException(head.toString());
            }
            head.append((char) next);
        }
        return head.toString();
    }

    /// Everything until the other side ends.
    String readAll() throws IOException {
        return new String(in.readAllBytes(), UTF_8);
    }

    void send(String text) throws IOException {
        frame(0x80 | TEXT, text.getBytes(UTF_8));
    }

    void sendEvent(Event event) throws IOException {
        send("[\"EVENT\"," + event.json() + "]");
    }

    /// A masked frame with this first byte.
    void frame(int first, byte[] payload) throws IOException {
        raw(masked(first, payload));
    }

    static byte[] masked(int first, byte[] payload) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(payload.length + 14);
        bytes.write(first);
        header(bytes, payload.length);
        byte[] mask = new byte[4];
        ThreadLocalRandom.current().nextBytes(mask);
        bytes.write(mask);
        for (int i = 0; i < payload.length; i++) {
            bytes.write(payload[i] ^ mask[i & 3]);
        }
        return bytes.toByteArray();
    }

    private static void header(ByteArrayOutputStream bytes, int length) {
        if (length < 126) {
            bytes.write(0x80 | length);
        } else if (length < 1 << 16) {
            bytes.write(0x80 | 126);
            bytes.write(length >>> 8);
            bytes.write(length);
        } else {
            bytes.write(0x80 | 127);
            for (int shift = 56; shift >= 0; shift -= 8) {
                bytes.write((int) ((long) length >>> shift));
            }
        }
    }

    /// The next frame, whatever it is.
    Frame nextFrame() throws IOException {
        int first = in.readUnsignedByte();
        int second = in.readUnsignedByte();
        if ((second & 0x80) != 0) {
            throw new IOException("a server must not mask");
        }
        long length = second;
        if (length == 126) {
            length = in.readUnsignedShort();
        } else if (length == 127) {
            length = in.readLong();
        }
        byte[] payload = in.readNBytes((int) length);
        if (payload.length < length) {
            throw new EOFException();
        }
        List<Byte> bytes = new ArrayList<>();
        if ((first & 0x0f) != TEXT || (first & 0x40) != 0) {
            for (byte one : payload) {
                bytes.add(one);
            }
        }
        return new Frame(first, first & 0x0f, new String(payload, (first & 0x40) != 0 ? ISO_8859_1 : UTF_8), bytes);
    }

    /// The next text message as JSON; pings are answered.
    JsonNode nextMessage() throws IOException {
        while (true) {
            Frame frame = nextFrame();
            switch (frame.opcode()) {
                case TEXT -> {
                    return JSON.readTree(frame.text());
                }
                case PING -> frame(0x80 | PONG, new byte[0]);
                case CLOSE -> throw new EOFException("closed: " + frame.closeCode() + " " + frame.closeReason());
                default -> throw new IOException("unexpected opcode " + frame.opcode());
            }
        }
    }

    /// The next text message, without white space, as it came.
    String next() throws IOException {
        return nextMessage().toString();
    }

    /// The close frame, after whatever comes before it.
    Frame nextClose() throws IOException {
        while (true) {
            Frame frame = nextFrame();
            if (frame.opcode() == CLOSE) {
                return frame;
            }
        }
    }

    /// Publishes and waits for the OK; its whole text.
    String publish(Event event) throws IOException {
        sendEvent(event);
        return next();
    }

    /// Sends a REQ and collects the ids until EOSE; CLOSED is an error.
    List<String> request(String id, String filters) throws IOException {
        send("[\"REQ\",\"" + id + "\"," + filters + "]");
        List<String> ids = new ArrayList<>();
        while (true) {
            JsonNode message = nextMessage();
            if (!message.get(1).asText().equals(id)) {
                continue;
            }
            switch (message.get(0).asText()) {
                case "EVENT" -> ids.add(message.get(2).get("id").asText());
                case "EOSE" -> {
                    return ids;
                }
                default -> throw new IOException(message.toString());
            }
        }
    }

    /// Waits at most this long for a read.
    void patience(Duration time) throws IOException {
        socket.setSoTimeout((int) time.toMillis());
    }

    /// Nothing was sent by the relay up to here: proven by a round trip.
    boolean isQuiet() throws IOException {
        frame(0x80 | PING, "quiet?".getBytes(UTF_8));
        return nextFrame().opcode() == PONG;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
