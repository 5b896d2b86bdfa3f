package postroad.lab.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.OptionalInt;

/// One WebSocket frame as it lies on the wire (RFC 6455), right or wrong.
///
/// @param head the first byte: FIN, three reserved bits, opcode
/// @param payload its bytes, unmasked; read-only
public record Frame(int head, ByteBuffer payload) {
    /// FIN set.
    public static final int FIN = 0x80;

    /// The first reserved bit: the message is compressed (RFC 7692).
    public static final int RSV1 = 0x40;

    public static final int CONTINUATION = 0;
    public static final int TEXT = 1;
    public static final int BINARY = 2;
    public static final int CLOSE = 8;
    public static final int PING = 9;
    public static final int PONG = 10;

    /// Keeps a read-only view.
    public Frame {
        payload = payload.asReadOnlyBuffer();
    }

    /// A whole text message.
    public static Frame text(String text) {
        return new Frame(FIN | TEXT, ByteBuffer.wrap(text.getBytes(UTF_8)));
    }

    /// What kind of frame it is.
    public int opcode() {
        return head & 0x0f;
    }

    /// The payload as text.
    public String text() {
        return UTF_8.decode(payload.duplicate()).toString();
    }

    /// The status code of a close frame, if it carries one.
    public OptionalInt closeCode() {
        return opcode() == CLOSE && payload.remaining() >= 2
                ? OptionalInt.of(payload.getShort(payload.position()) & 0xffff)
                : OptionalInt.empty();
    }

    /// The reason of a close frame.
    public String closeReason() {
        return payload.remaining() < 2
                ? ""
                : UTF_8.decode(payload.slice(2, payload.remaining() - 2)).toString();
    }

    /// The frame as bytes, masked with `key`, or unmasked when it is 0.
    public byte[] bytes(int key) {
        int length = payload.remaining();
        int extended = length < 126 ? 0 : length < 65_536 ? 2 : 8;
        ByteBuffer out = ByteBuffer.allocate(2 + extended + (key == 0 ? 0 : 4) + length);
        int mask = key == 0 ? 0 : 0x80;
        out.put((byte) head);
        switch (extended) {
            case 0 -> out.put((byte) (mask | length));
            case 2 -> out.put((byte) (mask | 126)).putShort((short) length);
            default -> out.put((byte) (mask | 127)).putLong(length);
        }
        int body = out.position();
        if (key != 0) {
            out.putInt(key);
            body += 4;
        }
        out.put(payload.duplicate());
        if (key != 0) {
            for (int i = 0; i < length; i++) {
                out.put(body + i, (byte) (out.get(body + i) ^ key >>> 24 - 8 * (i & 3)));
            }
        }
        return out.array();
    }
}
