package postroad.nostr.relay;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/// Judges a request to upgrade to WebSocket (RFC 6455, 4.2) and the extensions it offers (RFC 7692).
sealed interface Handshake {
    /// Answered with 101.
    ///
    /// @param accept the value of `Sec-WebSocket-Accept`
    /// @param extensions the value of `Sec-WebSocket-Extensions`, empty for none
    record Agreed(String accept, Optional<String> extensions) implements Handshake {}

    /// Answered with `status` and a text.
    record Refused(int status, String reason) implements Handshake {}

    /// Not a request to upgrade.
    record NotAsked() implements Handshake {}

    /// What every server appends to the client's key (RFC 6455, 1.3).
    String GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

    /// The one form of compression that is agreed on: neither side carries a context from message to message.
    String DEFLATE = "permessage-deflate; server_no_context_takeover; client_no_context_takeover";

    /// The window of the JDK's deflater.
    String WINDOW = "; server_max_window_bits=15";

    /// Judges `request`; `deflate` says whether compression is offered here.
    static Handshake judge(HttpRequest request, boolean deflate) {
        HttpHeaders headers = request.headers();
        if (!headers.containsValue(HttpHeaderNames.UPGRADE, "websocket", true)) {
            return new NotAsked();
        }
        if (!request.method().equals(HttpMethod.GET)
                || !request.protocolVersion().equals(HttpVersion.HTTP_1_1)) {
            return new Refused(400, "a WebSocket begins with GET and HTTP/1.1");
        }
        if (!headers.containsValue(HttpHeaderNames.CONNECTION, "upgrade", true)) {
            return new Refused(400, "the header Connection: Upgrade is missing");
        }
        if (!"13".equals(headers.get(HttpHeaderNames.SEC_WEBSOCKET_VERSION))) {
            return new Refused(426, "WebSocket version 13 is spoken here");
        }
        String key = headers.get(HttpHeaderNames.SEC_WEBSOCKET_KEY, "").strip();
        if (!isKey(key)) {
            return new Refused(400, "Sec-WebSocket-Key must be 16 bytes in base64");
        }
        List<String> offers = headers.getAll(HttpHeaderNames.SEC_WEBSOCKET_EXTENSIONS);
        return new Agreed(accept(key), deflate ? deflateFor(offers) : Optional.empty());
    }

    /// The answer to a client's key.
    static String accept(String key) {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-1").digest((key + GUID).getBytes(StandardCharsets.ISO_8859_1));
            return Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-1", e);
        }
    }

    private static boolean isKey(String key) {
        try {
            return Base64.getDecoder().decode(key).length == 16;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /// The answer to the first of the offers that can be met.
    private static Optional<String> deflateFor(List<String> headers) {
        return headers.stream()
                .flatMap(header -> List.of(header.split(",", -1)).stream())
                .map(Handshake::answerTo)
                .flatMap(Optional::stream)
                .findFirst();
    }

    private static Optional<String> answerTo(String offer) {
        String[] parts = offer.split(";", -1);
        if (!parts[0].strip().equalsIgnoreCase("permessage-deflate")) {
            return Optional.empty();
        }
        String answer = DEFLATE;
        Set<String> names = new HashSet<>();
        for (int i = 1; i < parts.length; i++) {
            String parameter = parts[i].strip().toLowerCase(Locale.ROOT).replace("\"", "");
            boolean known = parameter.equals("server_no_context_takeover")
                    || parameter.equals("client_no_context_takeover")
                    || parameter.equals("client_max_window_bits")
                    || parameter.matches("client_max_window_bits\\s*=\\s*([89]|1[0-5])");
            // A smaller server window cannot be promised: the JDK's deflater always uses 15 bits.
            boolean asksForWindow = parameter.matches("server_max_window_bits\\s*=\\s*15");
            if (!names.add(parameter.split("[\\s=]", 2)[0]) || !known && !asksForWindow) {
                return Optional.empty();
            }
            if (asksForWindow) {
                // Whoever asks for a window must find it in the answer (RFC 7692, 7.1.2.1).
                answer = DEFLATE + WINDOW;
            }
        }
        return Optional.of(answer);
    }
}
