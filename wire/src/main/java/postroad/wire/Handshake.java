package postroad.wire;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;

/// The HTTP request that asks a server for a WebSocket, and the check of its answer (RFC 6455, section 4).
final class Handshake {
    private static final int MAX_RESPONSE = 16 << 10;
    private static final int SHOWN_BODY = 200;
    private static final String GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

    private final WebSocketUrl url;
    private final WebSocketOptions options;
    private final String key;

    Handshake(WebSocketUrl url, WebSocketOptions options) {
        byte[] nonce = new byte[16];
        new SecureRandom().nextBytes(nonce);
        this.url = url;
        this.options = options;
        this.key = Base64.getEncoder().encodeToString(nonce);
    }

    /// Sends the request and reads the answer; bytes after it stay in `in`.
    void run(Socket socket, InputBuffer in, Deadline deadline) throws IOException {
        socket.getOutputStream().write(request());
        int end = readHead(socket, in, deadline);
        List<String> lines =
                Arrays.asList(new String(in.copy(0, end), ISO_8859_1).strip().split("\r?\n", -1));
        in.skip(end);
        String status = lines.getFirst();
        if (!status.matches("HTTP/1\\.[01] 101( .*)?")) {
            throw notAWebSocket(status, lines, body(socket, in, deadline));
        }
        check(lines);
    }

    private byte[] request() {
        StringBuilder text = new StringBuilder(512)
                .append("GET ")
                .append(url.target())
                .append(" HTTP/1.1\r\nHost: ")
                .append(url.hostHeader())
                .append("\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n")
                .append("Sec-WebSocket-Key: ")
                .append(key)
                .append("\r\n");
        options.headers()
                .forEach((name, value) ->
                        text.append(name).append(": ").append(value).append("\r\n"));
        return text.append("\r\n").toString().getBytes(US_ASCII);
    }

    private int readHead(Socket socket, InputBuffer in, Deadline deadline) throws IOException {
        int seen = 0;
        while (true) {
            if (!await(socket, in, seen + 1, deadline)) {
                throw new LinkException(
                        seen == 0
                                ? url.authority() + " closed the connection without an answer; is it a relay?"
                                : url.authority() + " closed the connection in the middle of its HTTP answer");
            }
            int end = headEnd(in, Math.max(0, seen - 3));
            if (end > 0) {
                return end;
            }
            seen = in.available();
            if (seen == 1 || in.at(0) != 'H') {
                refuseOtherProtocols(in);
            }
            if (seen > MAX_RESPONSE) {
                throw new LinkException(
                        url.authority() + " answered with an HTTP head of more than " + MAX_RESPONSE + " bytes");
            }
        }
    }

    private void refuseOtherProtocols(InputBuffer in) throws LinkException {
        if (in.at(0) != 'H') {
            String hint = in.at(0) == 0x15 && !url.secure() ? "; it speaks TLS, so use wss://" : "";
            throw new LinkException(url.authority() + " does not speak HTTP" + hint);
        }
    }

    private boolean await(Socket socket, InputBuffer in, int count, Deadline deadline) throws IOException {
        try {
            socket.setSoTimeout(deadline.remainingMillis());
            return in.await(count);
        } catch (SocketTimeoutException e) {
            throw deadline.passed("no answer to the WebSocket handshake", e);
        }
    }

    private static int headEnd(InputBuffer in, int from) {
        for (int i = from; i + 3 < in.available(); i++) {
            if (in.at(i) == '\r' && in.at(i + 1) == '\n' && in.at(i + 2) == '\r' && in.at(i + 3) == '\n') {
                return i + 4;
            }
        }
        return -1;
    }

    /// As much of a refusal's body as came with the head or shortly after it: enough to show the reason.
    private static String body(Socket socket, InputBuffer in, Deadline deadline) {
        try {
            socket.setSoTimeout(Math.min(500, deadline.remainingMillis()));
            in.await(SHOWN_BODY);
        } catch (IOException e) {
            // What is there is shown; a peer that sends no more has told enough.
        }
        String text =
                new String(in.copy(0, Math.min(SHOWN_BODY, in.available())), java.nio.charset.StandardCharsets.UTF_8);
        return text.replaceAll("\\p{Cntrl}+", " ").strip();
    }

    private LinkException notAWebSocket(String status, List<String> lines, String body) {
        String said = status.startsWith("HTTP/") ? "HTTP " + status.substring(status.indexOf(' ') + 1) : status;
        StringBuilder text = new StringBuilder(url.authority())
                .append(" answered ")
                .append(said)
                .append(" instead of opening a WebSocket");
        String location = header(lines, "location");
        if (!location.isEmpty()) {
            text.append("; it points to ").append(location);
        } else if (!body.isEmpty() && !body.startsWith("<")) {
            text.append(": ").append(body);
        }
        return new LinkException(text.toString());
    }

    private void check(List<String> lines) throws LinkException {
        if (!header(lines, "upgrade").toLowerCase(Locale.ROOT).equals("websocket")
                || !header(lines, "connection").toLowerCase(Locale.ROOT).contains("upgrade")) {
            throw new LinkException(url.authority() + " agreed to switch protocols, but not to WebSocket");
        }
        if (!header(lines, "sec-websocket-accept").equals(accept(key))) {
            throw new LinkException(url.authority() + " answered the WebSocket handshake of somebody else"
                    + " (Sec-WebSocket-Accept is wrong); a cache or proxy may sit in between");
        }
        String extensions = header(lines, "sec-websocket-extensions");
        if (!extensions.isEmpty()) {
            throw new LinkException(url.authority() + " uses a WebSocket extension nobody asked for: " + extensions);
        }
    }

    private static String header(List<String> lines, String name) {
        for (String line : lines.subList(1, lines.size())) {
            int colon = line.indexOf(':');
            if (colon > 0 && line.substring(0, colon).strip().equalsIgnoreCase(name)) {
                return line.substring(colon + 1).strip();
            }
        }
        return "";
    }

    static String accept(String key) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-1").digest((key + GUID).getBytes(US_ASCII));
            return Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-1", e);
        }
    }

    /// When the handshakes must be done.
    record Deadline(String authority, long nanos, Duration allowed) {
        static Deadline in(WebSocketUrl url, Duration allowed) {
            return new Deadline(url.authority(), System.nanoTime() + allowed.toNanos(), allowed);
        }

        int remainingMillis() throws LinkException {
            long millis = (nanos - System.nanoTime()) / 1_000_000;
            if (millis <= 0) {
                throw passed("the handshake is not done", null);
            }
            return (int) Math.min(Integer.MAX_VALUE, millis);
        }

        LinkException passed(String what, Throwable cause) {
            return new LinkException(authority + ": " + what + " within " + Dialer.seconds(allowed), cause);
        }
    }
}
