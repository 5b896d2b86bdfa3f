package postroad.nostr.relay;

import java.util.Arrays;

/// A byte array that grows to what was needed and is used again; what it holds lasts until the next use.
/// Owned by one thread.
final class Scratch {
    private static final int FIRST = 4 << 10;

    private byte[] bytes = new byte[FIRST];

    /// The array, at least `length` long, its content undefined.
    byte[] atLeast(int length) {
        if (bytes.length < length) {
            bytes = new byte[grown(bytes.length, length)];
        }
        return bytes;
    }

    /// The array, at least `length` long, its first `used` bytes kept.
    byte[] keeping(int used, int length) {
        if (bytes.length < length) {
            byte[] larger = new byte[grown(bytes.length, length)];
            System.arraycopy(bytes, 0, larger, 0, used);
            bytes = larger;
        }
        return bytes;
    }

    /// A copy of `array` with room for `length` bytes, growing in steps, but not beyond `most`.
    static byte[] grow(byte[] array, int length, int most) {
        return array.length >= length ? array : Arrays.copyOf(array, Math.min(most, grown(array.length, length)));
    }

    private static int grown(int from, int length) {
        return (int) Math.min(Integer.MAX_VALUE - 8, Math.max(length, 2L * from));
    }
}
