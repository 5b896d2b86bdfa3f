package postroad.nostr.relay;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.zip.Deflater;

/// One thread's compressor of outgoing messages (RFC 7692), without context from one message to the next,
/// so that all connections can share it.
final class Deflating implements AutoCloseable {
    private static final int LEVEL = 1;
    private static final int TAIL = 4;
    private static final int SPARE = 64;

    private final Deflater deflater = new Deflater(LEVEL, true);
    private final Scratch message = new Scratch();
    private final Scratch output = new Scratch();

    /// Puts an EVENT message together in one array.
    byte[] gather(byte[] prefix, MemorySegment base, long json, int jsonLength) {
        byte[] target = message.atLeast(prefix.length + jsonLength + 1);
        System.arraycopy(prefix, 0, target, 0, prefix.length);
        MemorySegment.copy(base, ValueLayout.JAVA_BYTE, json, target, prefix.length, jsonLength);
        target[prefix.length + jsonLength] = ']';
        return target;
    }

    /// Compresses `length` bytes into [#output].
    ///
    /// @return the compressed length, or −1 when it would not be shorter
    int deflate(byte[] bytes, int length) {
        byte[] target = output.atLeast(length + SPARE);
        deflater.reset();
        deflater.setInput(bytes, 0, length);
        int compressed = deflater.deflate(target, 0, length, Deflater.SYNC_FLUSH) - TAIL;
        return compressed > 0 && compressed < length - TAIL ? compressed : -1;
    }

    /// What the last [#deflate] wrote.
    byte[] output() {
        return output.atLeast(0);
    }

    @Override
    public void close() {
        deflater.end();
    }
}
