package postroad.sync.core;

import java.util.Arrays;
import postroad.common.Bytes32;

/// Bytes of a frame while they are written. The counterpart of [WireReader], which says what the forms
/// are.
final class WireWriter {
    private byte[] bytes;
    private int length;

    WireWriter(int capacity) {
        bytes = new byte[capacity];
    }

    /// Makes room, which may move the bytes: so call it before they are named.
    private int grow(int by) {
        int at = length;
        length = Math.addExact(length, by);
        if (length > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(length, bytes.length + (bytes.length >> 1)));
        }
        return at;
    }

    int length() {
        return length;
    }

    void u8(int value) {
        int at = grow(1);
        bytes[at] = (byte) value;
    }

    void u16(int value) {
        u8(value >>> 8);
        u8(value);
    }

    void u32(int value) {
        u16(value >>> 16);
        u16(value);
    }

    void u64(long value) {
        u32((int) (value >>> 32));
        u32((int) value);
    }

    void number(long value) {
        long left = value;
        while (left >>> 7 != 0) {
            u8((int) left & 0x7f | 0x80);
            left >>>= 7;
        }
        u8((int) left);
    }

    void signed(long value) {
        number(value << 1 ^ value >> 63);
    }

    void bytes(byte[] source, int from, int count) {
        int at = grow(count);
        System.arraycopy(source, from, bytes, at, count);
    }

    void sized(byte[] source) {
        number(source.length);
        bytes(source, 0, source.length);
    }

    void text(String text) {
        sized(Texts.toBytes(text));
    }

    void hash(Bytes32 hash) {
        int at = grow(Bytes32.LENGTH);
        hash.copyTo(bytes, at);
    }

    void path(TreePath path, int from) {
        int count = path.length() - from;
        int at = grow(count);
        path.copyTo(from, bytes, at);
    }

    /// Overwrites four bytes at `at`.
    void setU32(int at, int value) {
        int end = length;
        length = at;
        u32(value);
        length = end;
    }

    byte[] toArray() {
        return bytes.length == length ? bytes : Arrays.copyOf(bytes, length);
    }
}
