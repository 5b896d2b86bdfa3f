package postroad.sync.core;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import postroad.common.Sha256;

/// Cuts a file into chunks where its content says so, so that an edit moves only the cuts near it
/// (FastCDC).
///
/// A chunk ends after its n-th byte, for the smallest n that the class allows and at which the hash of
/// the last 64 bytes has enough leading zero bits: two more than the average calls for while n is below
/// the average, two fewer from there on. Where nothing fits, it ends at the longest length, or with the
/// file.
///
/// The hash is a sum of 64-bit words, one of [#GEAR] for each byte, shifted left by the byte's distance
/// from the end. It needs one shift and one addition a byte; whatever is more than 64 bytes back has
/// left it. Two bytes at a time, four and two lanes were measured and are slower (decision 0601).
public final class Chunker {
    /// How far back a cut looks.
    private static final int WINDOW = 64;
    /// By how many bits a cut is made harder before the average length and easier after it.
    private static final int LEVEL = 2;

    /// For each byte, the leading 8 bytes of SHA-256 over `postroad gear 01` and the byte. Cuts depend
    /// on it: it never changes.
    private static final long[] GEAR = gear();

    private final ChunkClass chunkClass;
    private final long hardMask;
    private final long easyMask;

    /// For files of that class.
    public Chunker(ChunkClass chunkClass) {
        this.chunkClass = chunkClass;
        int bits = Integer.numberOfTrailingZeros(chunkClass.average());
        hardMask = leading(bits + LEVEL);
        easyMask = leading(bits - LEVEL);
    }

    private static long leading(int bits) {
        return -1L << Long.SIZE - bits;
    }

    private static long[] gear() {
        byte[] text = "postroad gear 01?".getBytes(StandardCharsets.US_ASCII);
        long[] gear = new long[256];
        for (int value = 0; value < gear.length; value++) {
            text[text.length - 1] = (byte) value;
            gear[value] = ByteBuffer.wrap(Sha256.of(text)).getLong();
        }
        return gear;
    }

    /// The length of the first chunk of `buffer[from, to)`, which must hold at least the class's
    /// longest length, or all that is left of the file. 0 only for nothing.
    public int cut(byte[] buffer, int from, int to) {
        int length = to - from;
        if (length <= chunkClass.min()) {
            return length;
        }
        int limit = from + Math.min(length, chunkClass.max());
        int average = Math.min(from + chunkClass.average(), limit);
        int end = firstEnd(buffer, from + chunkClass.min(), average, hardMask);
        if (end < 0) {
            end = firstEnd(buffer, average, limit, easyMask);
        }
        return (end < 0 ? limit : end) - from;
    }

    /// The first place in `[begin, limit)` at which a chunk may end; −1 when there is none.
    private static int firstEnd(byte[] buffer, int begin, int limit, long mask) {
        long hash = 0;
        for (int at = begin - WINDOW; at < begin; at++) {
            hash = (hash << 1) + GEAR[buffer[at] & 0xff];
        }
        for (int at = begin; at < limit; at++) {
            if ((hash & mask) == 0) {
                return at;
            }
            hash = (hash << 1) + GEAR[buffer[at] & 0xff];
        }
        return -1;
    }
}
