package postroad.wire;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.SecureRandom;

/// Writes masked frames, each with one write (RFC 6455, section 5). Owned by whoever holds the link's send lock.
///
/// | offset | length | content |
/// |---|---|---|
/// | 0 | 1 | 0x80 final, and the opcode |
/// | 1 | 1 | 0x80 masked, and the payload's length below 126, or 126, or 127 |
/// | 2 | 0, 2 or 8 | the length, big-endian, where it did not fit |
/// | … | 4 | masking key |
/// | … | length | payload, each byte combined with the key's byte at its index modulo 4 |
final class FrameWriter {
    static final int TEXT = 1;
    static final int CLOSE = 8;
    static final int PING = 9;
    static final int PONG = 10;

    private static final int MAX_HEADER = 14;
    private static final int USUAL = 64 << 10;
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN)
            .withInvokeExactBehavior();

    private final OutputStream out;
    private final SecureRandom random = new SecureRandom();
    private final byte[] keys = new byte[1024];
    private int nextKey = keys.length;
    private final byte[] buffer = new byte[USUAL];

    FrameWriter(OutputStream out) {
        this.out = out;
    }

    void write(int opcode, byte[] payload, int from, int to) throws IOException {
        int length = to - from;
        byte[] frame = length + MAX_HEADER <= USUAL ? buffer : new byte[length + MAX_HEADER];
        int at = header(frame, opcode, length);
        int key = key(frame, at);
        at += 4;
        mask(payload, from, length, frame, at, key);
        out.write(frame, 0, at + length);
    }

    private static int header(byte[] frame, int opcode, int length) {
        frame[0] = (byte) (0x80 | opcode);
        if (length < 126) {
            frame[1] = (byte) (0x80 | length);
            return 2;
        }
        if (length <= 0xffff) {
            frame[1] = (byte) (0x80 | 126);
            frame[2] = (byte) (length >>> 8);
            frame[3] = (byte) length;
            return 4;
        }
        frame[1] = (byte) (0x80 | 127);
        LONG.set(frame, 2, (long) length);
        return 10;
    }

    /// Puts a fresh masking key at `at`. Keys come from the system's random source, many at a time.
    private int key(byte[] frame, int at) {
        if (nextKey == keys.length) {
            random.nextBytes(keys);
            nextKey = 0;
        }
        int key = 0;
        for (int i = 0; i < 4; i++) {
            byte one = keys[nextKey++];
            frame[at + i] = one;
            key = key << 8 | one & 0xff;
        }
        return key;
    }

    private static void mask(byte[] source, int from, int length, byte[] target, int at, int key) {
        long wide = (long) key << 32 | key & 0xffff_ffffL;
        int i = 0;
        for (; i + 8 <= length; i += 8) {
            long plain = (long) LONG.get(source, from + i);
            LONG.set(target, at + i, plain ^ wide);
        }
        for (; i < length; i++) {
            target[at + i] = (byte) (source[from + i] ^ key >>> 24 - 8 * (i & 3));
        }
    }
}
