package postroad.wire;

import java.nio.ByteBuffer;

/// How TLS looks in its first bytes, for sides that find it where they do not expect it, or the other
/// way round.
final class TlsRecord {
    private static final byte ALERT = 0x15;
    private static final byte HANDSHAKE = 0x16;
    private static final byte MAJOR = 3;

    /// A fatal `handshake_failure`, unencrypted: what a peer without TLS gets from a side that wants it.
    static final ByteBuffer HANDSHAKE_FAILURE =
            ByteBuffer.wrap(new byte[] {ALERT, MAJOR, 3, 0, 2, 2, 40}).asReadOnlyBuffer();

    private TlsRecord() {}

    /// Whether a stream that begins like this is TLS.
    static boolean isTls(byte first, byte second) {
        return (first == HANDSHAKE || first == ALERT) && second == MAJOR;
    }

    static boolean isAlert(byte first, byte second) {
        return first == ALERT && second == MAJOR;
    }
}
