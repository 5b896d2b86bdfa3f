package postroad.lab.fuzz;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/// Payloads of compressed messages (RFC 7692), without context: right ones, and what a client must not
/// send.
final class Deflate {
    /// What a sender leaves out at the end of a message, and a reader appends.
    private static final byte[] TAIL = {0, 0, (byte) 0xff, (byte) 0xff};

    private static final int LARGEST_MESSAGE = 64 << 20;

    private Deflate() {}

    /// A message in one of the forms that all mean the same: of any level, in one block or several,
    /// ended by an empty block that is left out or by a final one.
    static byte[] message(byte[] plain, Random random) {
        Deflater deflater = new Deflater(random.nextInt(10), true);
        try {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            int middle = random.nextInt(plain.length + 1);
            if (random.nextInt(3) == 0) {
                deflater.setInput(plain, 0, middle);
                drain(deflater, out, random.nextBoolean() ? Deflater.SYNC_FLUSH : Deflater.FULL_FLUSH);
                deflater.setInput(plain, middle, plain.length - middle);
            } else {
                deflater.setInput(plain);
            }
            if (random.nextInt(4) == 0) {
                deflater.finish();
                drain(deflater, out, Deflater.NO_FLUSH);
                // The RFC's own way to go on behind a final block (7.2.3.4).
                out.write(0);
                return out.toByteArray();
            }
            drain(deflater, out, Deflater.SYNC_FLUSH);
            byte[] all = out.toByteArray();
            return Arrays.copyOf(all, all.length - TAIL.length);
        } finally {
            deflater.end();
        }
    }

    /// A message of `length` equal bytes, a thousandth of its size.
    static byte[] bomb(int length, byte filling, Random random) {
        byte[] plain = new byte[length];
        Arrays.fill(plain, filling);
        Deflater deflater = new Deflater(1 + random.nextInt(9), true);
        try {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            deflater.setInput(plain);
            drain(deflater, out, Deflater.SYNC_FLUSH);
            return Arrays.copyOf(out.toByteArray(), out.size() - TAIL.length);
        } finally {
            deflater.end();
        }
    }

    /// The message that a payload holds.
    ///
    /// @throws IllegalStateException when it holds none
    static byte[] inflate(ByteBuffer payload) {
        Inflater inflater = new Inflater(true);
        try {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            inflater.setInput(payload.duplicate());
            drain(inflater, out);
            inflater.setInput(TAIL);
            drain(inflater, out);
            return out.toByteArray();
        } catch (DataFormatException e) {
            throw new IllegalStateException("the relay sent a compressed message that is damaged", e);
        } finally {
            inflater.end();
        }
    }

    private static void drain(Deflater deflater, ByteArrayOutputStream out, int flush) {
        byte[] piece = new byte[8 << 10];
        int length = deflater.deflate(piece, 0, piece.length, flush);
        while (length > 0) {
            out.write(piece, 0, length);
            length = deflater.deflate(piece, 0, piece.length, flush);
        }
    }

    private static void drain(Inflater inflater, ByteArrayOutputStream out) throws DataFormatException {
        byte[] piece = new byte[8 << 10];
        int length = inflater.inflate(piece);
        while (length > 0) {
            out.write(piece, 0, length);
            if (out.size() > LARGEST_MESSAGE) {
                throw new IllegalStateException("the relay sent a message of more than " + LARGEST_MESSAGE + " bytes");
            }
            length = inflater.inflate(piece);
        }
    }
}
