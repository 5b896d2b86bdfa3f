package postroad.common;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Thirty-two bytes as a value: an event id, a public key, a digest. Ordered as unsigned bytes.
///
/// Held as four big-endian words, so that equality, hashing and ordering read no array.
public record Bytes32(long w0, long w1, long w2, long w3) implements Comparable<Bytes32> {
    /// Length in bytes.
    public static final int LENGTH = 32;

    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN)
            .withInvokeExactBehavior();

    /// Reads 32 bytes of `bytes` beginning at `offset`.
    public static Bytes32 of(byte[] bytes, int offset) {
        return new Bytes32(
                (long) WORD.get(bytes, offset),
                (long) WORD.get(bytes, offset + 8),
                (long) WORD.get(bytes, offset + 16),
                (long) WORD.get(bytes, offset + 24));
    }

    /// Takes an array of exactly 32 bytes.
    ///
    /// @throws IllegalArgumentException if the length is another
    public static Bytes32 of(byte[] bytes) {
        if (bytes.length != LENGTH) {
            throw new IllegalArgumentException("expected 32 bytes, got " + bytes.length);
        }
        return of(bytes, 0);
    }

    /// Reads 64 hex digits, upper or lower case.
    ///
    /// @throws IllegalArgumentException if `hex` is not 64 hex digits
    public static Bytes32 ofHex(String hex) {
        byte[] bytes = Hex.decode(hex);
        if (bytes.length != LENGTH) {
            throw new IllegalArgumentException("expected 64 hex digits, got " + hex.length());
        }
        return of(bytes, 0);
    }

    /// Writes the 32 bytes into `target` beginning at `offset`.
    public void copyTo(byte[] target, int offset) {
        WORD.set(target, offset, w0);
        WORD.set(target, offset + 8, w1);
        WORD.set(target, offset + 16, w2);
        WORD.set(target, offset + 24, w3);
    }

    /// A fresh array of the 32 bytes.
    public byte[] toArray() {
        byte[] bytes = new byte[LENGTH];
        copyTo(bytes, 0);
        return bytes;
    }

    /// 64 lower-case hex digits.
    public String hex() {
        return Hex.encode(toArray());
    }

    @Override
    public int compareTo(Bytes32 other) {
        int order = Long.compareUnsigned(w0, other.w0);
        if (order == 0) {
            order = Long.compareUnsigned(w1, other.w1);
        }
        if (order == 0) {
            order = Long.compareUnsigned(w2, other.w2);
        }
        return order == 0 ? Long.compareUnsigned(w3, other.w3) : order;
    }

    @Override
    public int hashCode() {
        // Ids and keys are uniform already; tag values and mined keys may not be, so every word takes part.
        long mixed = w0 ^ Long.rotateLeft(w1, 17) ^ Long.rotateLeft(w2, 31) ^ Long.rotateLeft(w3, 47);
        return Long.hashCode(mixed * 0x9E3779B97F4A7C15L);
    }

    @Override
    public String toString() {
        return hex();
    }
}
