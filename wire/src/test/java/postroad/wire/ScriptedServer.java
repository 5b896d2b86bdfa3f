package postroad.wire;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import javax.net.ServerSocketFactory;

/// A server on loopback that takes one connection and does to it what a test says. Not a WebSocket library: it
/// shares no code with the client under test.
final class ScriptedServer implements AutoCloseable {
    private final ServerSocket listener;
    private final CompletableFuture<Void> done = new CompletableFuture<>();

    private ScriptedServer(ServerSocket listener) {
        this.listener = listener;
    }

    static ScriptedServer start(Script script) throws IOException {
        return start(ServerSocketFactory.getDefault(), InetAddress.getLoopbackAddress(), script);
    }

    static ScriptedServer start(ServerSocketFactory factory, InetAddress address, Script script) throws IOException {
        ScriptedServer server = new ScriptedServer(factory.createServerSocket(0, 5, address));
        Thread.ofVirtual().start(() -> server.serve(script));
        return server;
    }

    private void serve(Script script) {
        try (Socket socket = listener.accept()) {
            script.run(new Peer(socket));
            done.complete(null);
        } catch (Throwable e) {
            done.completeExceptionally(e);
        }
    }

    int port() {
        return listener.getLocalPort();
    }

    WebSocketUrl url() {
        return WebSocketUrl.parse("ws://"
                + (listener.getInetAddress() instanceof java.net.Inet6Address ? "[::1]" : "127.0.0.1") + ":" + port());
    }

    /// Waits for the script's end and passes on its failure.
    void join() throws Exception {
        done.get(10, java.util.concurrent.TimeUnit.SECONDS);
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }

    @FunctionalInterface
    interface Script {
        void run(Peer peer) throws Exception;
    }

    /// The server's end of the connection.
    static final class Peer {
        final Socket socket;
        final DataInputStream in;
        final OutputStream out;

        Peer(Socket socket) throws IOException {
            this.socket = socket;
            this.in = new DataInputStream(socket.getInputStream());
            this.out = socket.getOutputStream();
        }

        String readRequest() throws IOException {
            ByteArrayOutputStream head = new ByteArrayOutputStream();
            while (!head.toString(ISO_8859_1).endsWith("\r\n\r\n")) {
                head.write(in.readByte());
            }
            return head.toString(ISO_8859_1);
        }

        String upgrade() throws IOException {
            String request = readRequest();
            String key = request.lines()
                    .filter(line -> line.startsWith("Sec-WebSocket-Key: "))
                    .map(line -> line.substring(19))
                    .findFirst()
                    .orElseThrow();
            send("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    + "Sec-WebSocket-Accept: " + Handshake.accept(key) + "\r\n\r\n");
            return request;
        }

        void send(String raw) throws IOException {
            out.write(raw.getBytes(ISO_8859_1));
        }

        void sendFrame(int first, byte[] payload) throws IOException {
            out.write(frame(first, payload));
        }

        static byte[] frame(int first, byte[] payload) {
            ByteArrayOutputStream frame = new ByteArrayOutputStream();
            frame.write(first);
            if (payload.length < 126) {
                frame.write(payload.length);
            } else if (payload.length < 65_536) {
                frame.write(126);
                frame.write(payload.length >> 8);
                frame.write(payload.length);
            } else {
                frame.write(127);
                for (int shift = 56; shift >= 0; shift -= 8) {
                    frame.write((int) ((long) payload.length >> shift));
                }
            }
            frame.writeBytes(payload);
            return frame.toByteArray();
        }

        void sendText(String text) throws IOException {
            sendFrame(0x81, text.getBytes(UTF_8));
        }

        /// Reads one frame of the client: its first byte, and the payload unmasked.
        Frame readFrame() throws IOException {
            int first = in.readUnsignedByte();
            int size = in.readUnsignedByte();
            if (size < 128) {
                throw new IOException("the client did not mask");
            }
            long length = size & 127;
            if (length == 126) {
                length = in.readUnsignedShort();
            } else if (length == 127) {
                length = in.readLong();
            }
            byte[] key = in.readNBytes(4);
            byte[] payload = in.readNBytes((int) length);
            for (int i = 0; i < payload.length; i++) {
                payload[i] ^= key[i % 4];
            }
            return new Frame(first, payload);
        }
    }

    @SuppressWarnings("ArrayRecordComponent") // tests compare the arrays themselves
    record Frame(int first, byte[] payload) {
        String text() {
            return new String(payload, UTF_8);
        }

        int closeCode() {
            return (payload[0] & 0xff) << 8 | payload[1] & 0xff;
        }
    }
}
