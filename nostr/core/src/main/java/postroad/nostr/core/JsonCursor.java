package postroad.nostr.core;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Objects;
import postroad.common.Hex;

/// A strict reader of JSON text (RFC 8259) in a byte array, which validates UTF-8 as it goes and copies strings in
/// canonical form. Owned by one thread.
///
/// A canonical string is what [CanonicalText] writes. It is never longer than the text it was made of.
///
/// Every method throws [Refusal] where the text is not JSON, naming the byte.
final class JsonCursor {
    /// How deep arrays and objects that are skipped may nest.
    static final int MAX_DEPTH = 32;

    /// As many as an unsigned number of 64 bits has.
    private static final int MAX_DIGITS = 20;

    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN)
            .withInvokeExactBehavior();
    private static final long ONES = 0x0101_0101_0101_0101L;
    private static final long HIGHS = 0x8080_8080_8080_8080L;

    private static final byte[] NO_BYTES = {};

    private byte[] bytes = NO_BYTES;
    private int start;
    private int end;
    private int at;

    /// How many bytes the escapes of the last string take beyond the UTF-8 they stand for, in canonical form.
    private int escapeOverhead;

    /// Begins at `from`; the text ends before `to`.
    void reset(byte[] text, int from, int to) {
        Objects.checkFromToIndex(from, to, text.length);
        bytes = text;
        start = from;
        at = from;
        end = to;
    }

    /// Lets go of the text.
    void clear() {
        reset(NO_BYTES, 0, 0);
    }

    /// Where the next byte to be read lies in the array.
    int position() {
        return at;
    }

    /// Goes to a place that [#position] gave.
    void seek(int position) {
        at = position;
    }

    /// How many bytes are left.
    int remaining() {
        return end - at;
    }

    /// Skips white space; the byte that follows, −1 at the end.
    int peek() {
        if (at < end && bytes[at] > ' ') {
            return bytes[at];
        }
        return peekBehindSpace();
    }

    private int peekBehindSpace() {
        while (at < end) {
            byte b = bytes[at];
            if (b != ' ' && b != '\n' && b != '\r' && b != '\t') {
                return b & 0xff;
            }
            at++;
        }
        return -1;
    }

    /// Takes `wanted` if it is what follows white space.
    boolean tryTake(char wanted) {
        if (peek() != wanted) {
            return false;
        }
        at++;
        return true;
    }

    /// Takes `wanted`, which must follow white space.
    void take(char wanted) {
        if (!tryTake(wanted)) {
            throw unexpected("'" + wanted + "'");
        }
    }

    /// After a member or element: takes a comma, which must be there, unless `closing` is taken.
    ///
    /// @return whether another one follows
    boolean takeMore(char closing) {
        int next = peek();
        if (next == ',') {
            at++;
            return true;
        }
        if (next == closing) {
            at++;
            return false;
        }
        throw unexpected("',' or '" + closing + "'");
    }

    /// Nothing but white space may follow.
    void takeEnd() {
        if (peek() >= 0) {
            throw notJson("the end was expected");
        }
    }

    /// A string; its value.
    String string() {
        int from = stringStart();
        escapeOverhead = 0;
        int closing = run(from);
        if (bytes[closing] == '"' && escapeOverhead == 0) {
            at = closing + 1;
            return new String(bytes, from, closing - from, UTF_8);
        }
        at = from - 1;
        skipString();
        byte[] text = new byte[at - from + 1];
        at = from - 1;
        int length = copyString(text, 0);
        return unescape(text, 1, length - 1);
    }

    /// A string; copied to `target` in canonical form with its quotes; returns the place after it.
    ///
    /// At most as many bytes are written as are read.
    int copyString(byte[] target, int to) {
        int from = stringStart() - 1;
        escapeOverhead = 0;
        int i = from + 1;
        while (true) {
            i = run(i);
            if (bytes[i] == '"') {
                i++;
                System.arraycopy(bytes, from, target, to, i - from);
                at = i;
                return to + i - from;
            }
            System.arraycopy(bytes, from, target, to, i - from);
            to += i - from;
            at = i;
            to = writeCharacter(escape(), target, to);
            i = at;
            from = i;
        }
    }

    /// A string, validated and left out.
    void skipString() {
        int i = stringStart();
        escapeOverhead = 0;
        while (true) {
            i = run(i);
            if (bytes[i] == '"') {
                at = i + 1;
                return;
            }
            at = i;
            escape();
            i = at;
        }
    }

    /// What the last string's canonical form takes beyond its UTF-8, quotes not counted.
    int escapeOverhead() {
        return escapeOverhead;
    }

    /// Takes `2 × target.length` lower-case hex digits as a string, decodes them into `target` and copies them to
    /// `digits`; otherwise false, nothing taken.
    boolean tryTakeHex(byte[] target, byte[] digits) {
        if (peek() != '"') {
            return false;
        }
        int from = at + 1;
        int closing = from + 2 * target.length;
        if (closing >= end || bytes[closing] != '"' || !Hex.tryDecodeLower(bytes, from, target.length, target, 0)) {
            return false;
        }
        System.arraycopy(bytes, from, digits, 0, digits.length);
        at = closing + 1;
        return true;
    }

    /// A whole number without sign, fraction, exponent or leading zero, at most `max`; `name` says what it is.
    long integer(String name, long max) {
        long value = wholeNumber(name);
        if (value > max) {
            throw Refusal.invalid(name + " is above " + max);
        }
        return value;
    }

    /// The same, where a larger number stands for `max`.
    long integerUpTo(String name, long max) {
        return Math.min(wholeNumber(name), max);
    }

    private long wholeNumber(String name) {
        int first = peek();
        if (first < '0' || first > '9') {
            throw notAnInteger(name);
        }
        int from = at;
        long value = 0;
        while (at < end && bytes[at] >= '0' && bytes[at] <= '9') {
            if (at - from == MAX_DIGITS) {
                throw Refusal.invalid(name + " is a number of more than " + MAX_DIGITS + " digits");
            }
            int digit = bytes[at] - '0';
            value = value > (Long.MAX_VALUE - digit) / 10 ? Long.MAX_VALUE : value * 10 + digit;
            at++;
        }
        checkPlain(name, from);
        return value;
    }

    /// Any value, validated and left out.
    void skipValue() {
        skipValue(0);
    }

    private void skipValue(int depth) {
        switch (peek()) {
            case '"' -> skipString();
            case '{' -> skipObject(depth);
            case '[' -> skipArray(depth);
            case 't' -> skipWord("true");
            case 'f' -> skipWord("false");
            case 'n' -> skipWord("null");
            default -> skipNumber();
        }
    }

    private void skipObject(int depth) {
        at++;
        checkDepth(depth);
        if (tryTake('}')) {
            return;
        }
        do {
            skipString();
            take(':');
            skipValue(depth + 1);
        } while (takeMore('}'));
    }

    private void skipArray(int depth) {
        at++;
        checkDepth(depth);
        if (tryTake(']')) {
            return;
        }
        do {
            skipValue(depth + 1);
        } while (takeMore(']'));
    }

    private void checkDepth(int depth) {
        if (depth == MAX_DEPTH) {
            throw Refusal.invalid("nested more than " + MAX_DEPTH + " deep");
        }
    }

    private void skipWord(String word) {
        for (int i = 0; i < word.length(); i++) {
            if (at == end || bytes[at] != word.charAt(i)) {
                throw unexpected(word);
            }
            at++;
        }
    }

    private void skipNumber() {
        if (at < end && bytes[at] == '-') {
            at++;
        }
        if (at < end && bytes[at] == '0') {
            at++;
        } else {
            skipDigits("a value");
        }
        if (at < end && bytes[at] == '.') {
            at++;
            skipDigits("a digit");
        }
        if (at < end && (bytes[at] | 0x20) == 'e') {
            at++;
            if (at < end && (bytes[at] == '+' || bytes[at] == '-')) {
                at++;
            }
            skipDigits("a digit");
        }
    }

    private void skipDigits(String wanted) {
        int from = at;
        while (at < end && bytes[at] >= '0' && bytes[at] <= '9') {
            at++;
        }
        if (at == from) {
            throw unexpected(wanted);
        }
    }

    private void checkPlain(String name, int from) {
        boolean leadingZero = at - from > 1 && bytes[from] == '0';
        boolean goesOn = at < end && (bytes[at] == '.' || (bytes[at] | 0x20) == 'e');
        if (leadingZero || goesOn) {
            throw notAnInteger(name);
        }
    }

    private static Refusal notAnInteger(String name) {
        return Refusal.invalid(name + " must be a whole number without sign, fraction or exponent");
    }

    /// Takes the opening quote; the place after it.
    private int stringStart() {
        if (peek() != '"') {
            throw unexpected("a string");
        }
        return ++at;
    }

    /// Goes from `i` over what is canonical already, to the closing quote or to an escape that is not.
    private int run(int i) {
        byte[] text = bytes;
        while (true) {
            i = skipPlain(text, i);
            if (i >= end) {
                throw notJson("the string does not end");
            }
            byte b = text[i];
            if (b == '"') {
                return i;
            }
            if (b < 0) {
                i = skipMultiByte(text, i);
            } else if (b == '\\') {
                if (i + 1 >= end || !isShortEscape(text[i + 1])) {
                    return i;
                }
                escapeOverhead++;
                i += 2;
            } else if (b < 0x20) {
                at = i;
                throw notJson("a control character stands in a string unescaped");
            } else {
                i++;
            }
        }
    }

    /// Goes over printable ASCII without quote and backslash, eight bytes at a time; may stop early near the end.
    private int skipPlain(byte[] text, int i) {
        int last = end - Long.BYTES;
        while (i <= last) {
            long word = (long) WORD.get(text, i);
            long quote = word ^ ONES * '"';
            long backslash = word ^ ONES * '\\';
            // A borrow may mark bytes above a true hit, never below: the lowest mark is exact.
            long hits = (quote - ONES | backslash - ONES | word - ONES * 0x20 | word) & HIGHS;
            if (hits != 0) {
                return i + (Long.numberOfTrailingZeros(hits) >>> 3);
            }
            i += Long.BYTES;
        }
        return i;
    }

    private static boolean isShortEscape(byte b) {
        return switch (b) {
            case 'n', '"', '\\', 'r', 't', 'b', 'f' -> true;
            default -> false;
        };
    }

    /// Validates characters beyond ASCII: no overlong form, no surrogate, nothing above U+10FFFF.
    private int skipMultiByte(byte[] text, int i) {
        do {
            int first = text[i] & 0xff;
            int length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
            if (first < 0xc2 || first > 0xf4 || i + length > end) {
                throw badUtf8(i);
            }
            int second = text[i + 1] & 0xff;
            boolean bad = (second & 0xc0) != 0x80
                    || first == 0xe0 && second < 0xa0
                    || first == 0xed && second > 0x9f
                    || first == 0xf0 && second < 0x90
                    || first == 0xf4 && second > 0x8f
                    || length > 2 && (text[i + 2] & 0xc0) != 0x80
                    || length > 3 && (text[i + 3] & 0xc0) != 0x80;
            if (bad) {
                throw badUtf8(i);
            }
            i += length;
        } while (i < end && text[i] < 0);
        return i;
    }

    /// Takes an escape; the character it stands for.
    private int escape() {
        int from = at;
        int letter = at + 1 < end ? bytes[at + 1] : -1;
        at += 2;
        return switch (letter) {
            case '"', '\\', '/' -> letter;
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'u' -> unicodeEscape(from);
            default -> {
                at = from;
                throw notJson("no such escape");
            }
        };
    }

    private int unicodeEscape(int from) {
        int high = fourDigits(from);
        if (high < Character.MIN_SURROGATE || high > Character.MAX_SURROGATE) {
            return high;
        }
        boolean paired =
                high <= Character.MAX_HIGH_SURROGATE && at + 2 <= end && bytes[at] == '\\' && bytes[at + 1] == 'u';
        if (paired) {
            at += 2;
            int low = fourDigits(from);
            if (low >= Character.MIN_LOW_SURROGATE && low <= Character.MAX_LOW_SURROGATE) {
                return Character.toCodePoint((char) high, (char) low);
            }
        }
        at = from;
        throw notJson("a surrogate stands alone");
    }

    private int fourDigits(int from) {
        int value = 0;
        for (int i = 0; i < 4; i++, at++) {
            int digit = at < end ? Character.digit(bytes[at], 16) : -1;
            if (digit < 0) {
                at = from;
                throw notJson("no such escape");
            }
            value = value << 4 | digit;
        }
        return value;
    }

    private int writeCharacter(int character, byte[] target, int to) {
        int next = CanonicalText.write(character, target, to);
        if (target[to] == '\\') {
            escapeOverhead += next - to - 1;
        }
        return next;
    }

    private static String unescape(byte[] canonical, int from, int to) {
        byte[] text = Arrays.copyOfRange(canonical, from, to);
        return new String(text, 0, CanonicalText.unescape(text, 0, text.length, text, 0), UTF_8);
    }

    private Refusal unexpected(String wanted) {
        return notJson(wanted + " was expected");
    }

    private Refusal notJson(String why) {
        return Refusal.invalid("not JSON at byte " + (at - start) + ": " + why);
    }

    private Refusal badUtf8(int place) {
        at = place;
        return notJson("not UTF-8");
    }
}
