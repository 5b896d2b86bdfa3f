package postroad.nostr.core;

import static java.nio.charset.StandardCharsets.UTF_8;

import postroad.common.Hex;
import postroad.common.Sha256;

/// An event's text as a client might send it, part by part, right or wrong.
final class WireEvent {
    static final String AUTHOR = "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798";
    static final String SIGNATURE = "0".repeat(128);

    private WireEvent() {}

    /// Text with these parts; `tags` is JSON, `content` the inside of a JSON string.
    static String of(String id, long createdAt, int kind, String tags, String content) {
        return "{\"kind\": " + kind + ", \"content\":\"" + content + "\",\n\t\"tags\":" + tags + ",\"created_at\":"
                + createdAt + ",\"sig\":\"" + SIGNATURE + "\",\"id\":\"" + id + "\",\"pubkey\":\"" + AUTHOR + "\"}\r\n";
    }

    /// Text with the id that belongs to it, where `tags` and `content` are in canonical form already.
    static String withId(long createdAt, int kind, String tags, String content) {
        return of(id(createdAt, kind, tags, content), createdAt, kind, tags, content);
    }

    static String id(long createdAt, int kind, String tags, String content) {
        String hashed = "[0,\"" + AUTHOR + "\"," + createdAt + "," + kind + "," + tags + ",\"" + content + "\"]";
        return Hex.encode(Sha256.of(hashed.getBytes(UTF_8)));
    }
}
