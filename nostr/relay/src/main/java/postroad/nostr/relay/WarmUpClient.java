package postroad.nostr.relay;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// The least client that can drive a relay on loopback: text frames of one part, masked with zeroes.
final class WarmUpClient implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 2_000;
    private static final int LONGEST_HEADER = 14;
    private static final int FIN_TEXT = 0x81;
    private static final int MASKED = 0x80;
    private static final String REQUEST = """
            GET / HTTP/1.1
            Host: localhost
            Upgrade: websocket
            Connection: Upgrade
            Sec-WebSocket-Version: 13
            Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==

            """.replace("\n", "\r\n");

    private final Socket socket;
    private final DataInputStream in;
    private final OutputStream out;

    private WarmUpClient(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), 1 << 16));
        this.out = socket.getOutputStream();
    }

    static WarmUpClient open(InetSocketAddress relay) throws IOException {
        Socket socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.connect(relay, PATIENCE_MILLIS);
            WarmUpClient client = new WarmUpClient(socket);
            client.upgrade();
            return client;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /// Sends one text message.
    void send(byte[] message) throws IOException {
        ByteBuffer frame = ByteBuffer.allocate(LONGEST_HEADER + message.length).put((byte) FIN_TEXT);
        if (message.length < 126) {
            frame.put((byte) (MASKED | message.length));
        } else {
            frame.put((byte) (MASKED | 126)).putShort((short) message.length);
        }
        frame.putInt(0).put(message);
        out.write(frame.array(), 0, frame.position());
    }

    /// Reads messages up to the one that begins so.
    void readUntil(String beginning) throws IOException {
        byte[] begin = beginning.getBytes(StandardCharsets.US_ASCII);
        while (true) {
            in.readByte();
            int length = in.readUnsignedByte();
            if (length == 126) {
                length = in.readUnsignedShort();
            }
            byte[] head = in.readNBytes(Math.min(length, begin.length));
            in.skipNBytes(length - head.length);
            if (Arrays.equals(head, begin)) {
                return;
            }
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    private void upgrade() throws IOException {
        out.write(REQUEST.getBytes(StandardCharsets.US_ASCII));
        int newLines = 0;
        while (newLines < 2) {
            switch (in.read()) {
                case -1 -> throw new EOFException("no answer to the handshake");
                case '\n' -> newLines++;
                case '\r' -> {}
                default -> newLines = 0;
            }
        }
    }
}
