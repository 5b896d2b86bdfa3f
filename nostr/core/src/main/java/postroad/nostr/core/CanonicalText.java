package postroad.nostr.core;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;

/// The canonical form of a JSON string's characters, which event ids are hashed over (NIP-01), both ways; and a small
/// buffer that JSON is written into with it.
///
/// Escaped are `\n \" \\ \r \t \b \f`, and the other characters below 0x20 by their four digits in lower case, as
/// `JSON.stringify` does. Everything else is verbatim UTF-8.
final class CanonicalText {
    private static final byte[] DIGITS = "0123456789abcdef".getBytes(US_ASCII);

    private byte[] bytes;
    private int length;

    /// An empty text with room for `capacity` bytes; it grows.
    CanonicalText(int capacity) {
        bytes = new byte[capacity];
    }

    /// Writes one character at `to`, at most 6 bytes; returns the place after it.
    static int write(int character, byte[] target, int to) {
        if (character < 0x80) {
            return writeAscii(character, target, to);
        }
        if (character < 0x800) {
            target[to] = (byte) (0xc0 | character >> 6);
            target[to + 1] = (byte) (0x80 | character & 0x3f);
            return to + 2;
        }
        if (character < 0x1_0000) {
            target[to] = (byte) (0xe0 | character >> 12);
            target[to + 1] = (byte) (0x80 | character >> 6 & 0x3f);
            target[to + 2] = (byte) (0x80 | character & 0x3f);
            return to + 3;
        }
        target[to] = (byte) (0xf0 | character >> 18);
        target[to + 1] = (byte) (0x80 | character >> 12 & 0x3f);
        target[to + 2] = (byte) (0x80 | character >> 6 & 0x3f);
        target[to + 3] = (byte) (0x80 | character & 0x3f);
        return to + 4;
    }

    private static int writeAscii(int character, byte[] target, int to) {
        int letter = switch (character) {
            case '\n' -> 'n';
            case '"' -> '"';
            case '\\' -> '\\';
            case '\r' -> 'r';
            case '\t' -> 't';
            case '\b' -> 'b';
            case '\f' -> 'f';
            default -> 0;
        };
        if (letter != 0) {
            target[to] = '\\';
            target[to + 1] = (byte) letter;
            return to + 2;
        }
        if (character < 0x20) {
            target[to] = '\\';
            target[to + 1] = 'u';
            target[to + 2] = '0';
            target[to + 3] = '0';
            target[to + 4] = DIGITS[character >> 4];
            target[to + 5] = DIGITS[character & 15];
            return to + 6;
        }
        target[to] = (byte) character;
        return to + 1;
    }

    /// Writes the UTF-8 that canonical text without its quotes stands for; returns the place after it. Source and
    /// target may be the same place.
    static int unescape(byte[] source, int from, int to, byte[] target, int at) {
        int i = from;
        while (i < to) {
            byte b = source[i++];
            if (b != '\\') {
                target[at++] = b;
                continue;
            }
            byte letter = source[i++];
            if (letter == 'u') {
                target[at++] = (byte) (Character.digit(source[i + 2], 16) << 4 | Character.digit(source[i + 3], 16));
                i += 4;
            } else {
                target[at++] = meaning(letter);
            }
        }
        return at;
    }

    private static byte meaning(byte letter) {
        return switch (letter) {
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'b' -> '\b';
            case 'f' -> '\f';
            default -> letter;
        };
    }

    /// Appends ASCII text as it is.
    CanonicalText raw(String ascii) {
        reserve(ascii.length());
        for (int i = 0; i < ascii.length(); i++) {
            bytes[length++] = (byte) ascii.charAt(i);
        }
        return this;
    }

    /// Appends bytes as they are.
    CanonicalText raw(byte[] json, int offset, int count) {
        reserve(count);
        System.arraycopy(json, offset, bytes, length, count);
        length += count;
        return this;
    }

    /// Appends a number.
    CanonicalText number(long value) {
        return raw(Long.toString(value));
    }

    /// Appends a string with its quotes; a surrogate that stands alone becomes U+FFFD.
    CanonicalText string(String text) {
        reserve(2 + 6 * text.length());
        bytes[length++] = '"';
        for (int i = 0; i < text.length(); ) {
            int character = text.codePointAt(i);
            i += Character.charCount(character);
            boolean alone = character >= Character.MIN_SURROGATE && character <= Character.MAX_SURROGATE;
            length = write(alone ? 0xfffd : character, bytes, length);
        }
        bytes[length++] = '"';
        return this;
    }

    /// Appends an event's canonical JSON.
    CanonicalText event(Event event) {
        reserve(event.jsonLength());
        event.copyJson(bytes, length);
        length += event.jsonLength();
        return this;
    }

    /// A copy of what was written.
    byte[] toBytes() {
        return Arrays.copyOf(bytes, length);
    }

    @Override
    public String toString() {
        return new String(bytes, 0, length, UTF_8);
    }

    private void reserve(int more) {
        if (bytes.length - length < more) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, Math.addExact(length, more)));
        }
    }
}
