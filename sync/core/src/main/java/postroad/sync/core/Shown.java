package postroad.sync.core;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/// Bytes of a name as text that is safe on a terminal and unique: control, format and undecodable bytes
/// as `\xNN`, a backslash doubled.
public final class Shown {
    private Shown() {}

    /// The text for `bytes`.
    public static String of(byte[] bytes) {
        CharsetDecoder decoder = StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        ByteBuffer in = ByteBuffer.wrap(bytes);
        CharBuffer out = CharBuffer.allocate(bytes.length);
        StringBuilder text = new StringBuilder(bytes.length);
        while (true) {
            var result = decoder.decode(in, out, true);
            append(text, out.flip().toString());
            out.clear();
            if (result.isUnderflow()) {
                return text.toString();
            }
            for (int left = result.length(); left > 0; left--) {
                escape(text, in.get());
            }
            decoder.reset();
        }
    }

    private static void append(StringBuilder text, String decoded) {
        decoded.codePoints().forEach(point -> {
            if (point == '\\') {
                text.append("\\\\");
            } else if (isUnsafe(point)) {
                for (byte each : Character.toString(point).getBytes(StandardCharsets.UTF_8)) {
                    escape(text, each);
                }
            } else {
                text.appendCodePoint(point);
            }
        });
    }

    /// Control characters move a terminal's cursor, format characters turn text round, separators break
    /// a line.
    static boolean isUnsafe(int point) {
        return switch (Character.getType(point)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.PRIVATE_USE,
                    Character.SURROGATE,
                    Character.UNASSIGNED -> true;
            default -> false;
        };
    }

    private static void escape(StringBuilder text, byte value) {
        text.append(String.format("\\x%02x", Byte.toUnsignedInt(value)));
    }
}
