package postroad.nostr.core;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// An event's id by the letter of NIP-01, from a Jackson tree: the judge of the parser's canonical form.
final class SlowCanonical {
    private SlowCanonical() {}

    static String id(JsonNode event) {
        StringBuilder text = new StringBuilder("[0,");
        text.append(string(event.get("pubkey").asText())).append(',');
        text.append(event.get("created_at").asText()).append(',');
        text.append(event.get("kind").asText()).append(",[");
        String comma = "";
        for (JsonNode tag : event.get("tags")) {
            text.append(comma).append('[');
            String inner = "";
            for (JsonNode value : tag) {
                text.append(inner).append(string(value.asText()));
                inner = ",";
            }
            text.append(']');
            comma = ",";
        }
        text.append("],").append(string(event.get("content").asText())).append(']');
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256").digest(text.toString().getBytes(UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    static String string(String value) {
        StringBuilder text = new StringBuilder("\"");
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            text.append(
                    switch (c) {
                        case '\n' -> "\\n";
                        case '"' -> "\\\"";
                        case '\\' -> "\\\\";
                        case '\r' -> "\\r";
                        case '\t' -> "\\t";
                        case '\b' -> "\\b";
                        case '\f' -> "\\f";
                        default -> c < 0x20 ? String.format("\\u%04x", (int) c) : String.valueOf(c);
                    });
        }
        return text.append('"').toString();
    }
}
