package postroad.sync.peer;

import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import postroad.sync.core.Frame;
import postroad.sync.core.FrameCodec;
import postroad.sync.core.ProtocolException;

/// Compresses pages of entries with DEFLATE (RFC 1951, without a header), and decompresses them. Owned by one thread.
///
/// Java has it ready; zstd would have to be loaded before the first page (`docs/decisions/0606`).
final class EntryPacker implements AutoCloseable {
    /// A shorter page is part of the first packets anyway.
    private static final int LEAST = 4 << 10;

    private Deflater deflater;
    private Inflater inflater;

    /// `page`, compressed if that makes it shorter.
    Frame pack(Frame.Entries page) {
        byte[] raw = FrameCodec.unpackedBytes(page);
        if (raw.length < LEAST) {
            return page;
        }
        if (deflater == null) {
            deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true);
        }
        deflater.reset();
        deflater.setInput(raw);
        deflater.finish();
        byte[] packed = new byte[raw.length - 1];
        int length = deflater.deflate(packed);
        return deflater.finished()
                ? new Frame.PackedEntries(page.entries().size(), raw.length, Arrays.copyOf(packed, length))
                : page;
    }

    /// The page that was compressed; makes room for no more than it says that it has, which is bounded.
    ///
    /// @throws ProtocolException if it has another length, or what comes out are no entries
    Frame.Entries unpack(Frame.PackedEntries page) {
        if (inflater == null) {
            inflater = new Inflater(true);
        }
        inflater.reset();
        inflater.setInput(page.data());
        byte[] raw = new byte[page.rawLength()];
        int length = inflate(raw);
        boolean more = length == raw.length && inflate(new byte[1]) > 0;
        if (length != raw.length || more || !inflater.finished() || inflater.getRemaining() > 0) {
            throw new ProtocolException("entries do not decompress to the " + raw.length + " bytes that they said");
        }
        return FrameCodec.unpacked(page, raw);
    }

    /// Fills `target` as far as the data goes; returns how many bytes that gave.
    private int inflate(byte[] target) {
        try {
            int length = 0;
            int got;
            do {
                got = inflater.inflate(target, length, target.length - length);
                length += got;
            } while (got > 0 && length < target.length);
            return length;
        } catch (DataFormatException e) {
            throw new ProtocolException("entries cannot be decompressed: " + e.getMessage());
        }
    }

    @Override
    public void close() {
        if (deflater != null) {
            deflater.close();
        }
        if (inflater != null) {
            inflater.close();
        }
    }
}
