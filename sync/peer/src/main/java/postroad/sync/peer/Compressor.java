package postroad.sync.peer;

import com.github.luben.zstd.ZstdCompressCtx;

/// Compresses blocks with zstd at level 1 where a sample says that it pays. Owned by one thread.
///
/// The library's native part is loaded with the first block that is worth a try.
final class Compressor implements AutoCloseable {
    private static final int LEVEL = 1;
    private static final int LEAST = 256;
    private static final int SAMPLE = 8 << 10;

    private final boolean always;
    private final byte[] sampled = new byte[SAMPLE + 512];
    private ZstdCompressCtx context;

    /// @param always whether the sample is left out
    Compressor(boolean always) {
        this.always = always;
    }

    /// Compresses `data[0, length)` into `target`; returns how many bytes that took, or -1 when it is not worth it.
    int compress(byte[] data, int length, byte[] target) {
        if (length < LEAST || !always && !pays(data, length)) {
            return -1;
        }
        int compressed = context().compressByteArray(target, 0, target.length, data, 0, length);
        return compressed < length - (length >> 5) ? compressed : -1;
    }

    /// A piece from the middle of the block, since files begin with headers that tell little.
    private boolean pays(byte[] data, int length) {
        if (length <= SAMPLE) {
            return true;
        }
        int from = (length - SAMPLE) / 2;
        int compressed = context().compressByteArray(sampled, 0, sampled.length, data, from, SAMPLE);
        return compressed < SAMPLE - (SAMPLE >> 4);
    }

    private ZstdCompressCtx context() {
        if (context == null) {
            context = new ZstdCompressCtx().setLevel(LEVEL);
        }
        return context;
    }

    @Override
    public void close() {
        if (context != null) {
            context.close();
        }
    }
}
