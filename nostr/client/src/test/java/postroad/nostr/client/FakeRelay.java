package postroad.nostr.client;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.security.MessageDigest;
import java.util.Base64;

/// A relay on loopback that says what a test tells it to, well-formed or not. It keeps no events.
final class FakeRelay implements AutoCloseable {
    private final ServerSocket listener = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());

    private FakeRelay(Script script) throws IOException {
        Thread.ofVirtual().start(() -> {
            try (Socket socket = listener.accept()) {
                script.run(new Peer(socket));
            } catch (Exception e) {
                // The client sees its connection end; the test's claim is about that side.
                return;
            }
        });
    }

    static FakeRelay start(Script script) throws IOException {
        return new FakeRelay(script);
    }

    String url() {
        return "ws://127.0.0.1:" + listener.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }

    @FunctionalInterface
    interface Script {
        void run(Peer peer) throws Exception;
    }

    static final class Peer {
        private final Socket socket;
        private final DataInputStream in;

        private Peer(Socket socket) throws Exception {
            this.socket = socket;
            this.in = new DataInputStream(socket.getInputStream());
            ByteArrayOutputStream head = new ByteArrayOutputStream();
            while (!head.toString(ISO_8859_1).endsWith("\r\n\r\n")) {
                head.write(in.readByte());
            }
            String key = head.toString(ISO_8859_1)
                    .lines()
                    .filter(line -> line.startsWith("Sec-WebSocket-Key: "))
                    .map(line -> line.substring(19))
                    .findFirst()
                    .orElseThrow();
            byte[] digest = MessageDigest.getInstance("SHA-1")
                    .digest((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").getBytes(ISO_8859_1));
            raw(("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                            + "Sec-WebSocket-Accept: " + Base64.getEncoder().encodeToString(digest) + "\r\n\r\n")
                    .getBytes(ISO_8859_1));
        }

        void say(String message) throws IOException {
            byte[] payload = message.getBytes(UTF_8);
            ByteArrayOutputStream frame = new ByteArrayOutputStream();
            frame.write(0x81);
            if (payload.length < 126) {
                frame.write(payload.length);
            } else {
                frame.write(126);
                frame.write(payload.length >> 8);
                frame.write(payload.length);
            }
            frame.writeBytes(payload);
            raw(frame.toByteArray());
        }

        void raw(byte[] bytes) throws IOException {
            socket.getOutputStream().write(bytes);
        }

        /// The next text message; fails at the end of the connection.
        String hear() throws IOException {
            while (true) {
                int opcode = in.readUnsignedByte() & 15;
                int size = in.readUnsignedByte() & 127;
                int length = size == 126 ? in.readUnsignedShort() : size == 127 ? (int) in.readLong() : size;
                byte[] key = in.readNBytes(4);
                byte[] payload = in.readNBytes(length);
                for (int i = 0; i < length; i++) {
                    payload[i] ^= key[i % 4];
                }
                if (opcode == 1) {
                    return new String(payload, UTF_8);
                }
                if (opcode == 8) {
                    throw new EOFException("closed");
                }
                heardPing |= opcode == 9;
            }
        }

        boolean heardPing;
    }
}
