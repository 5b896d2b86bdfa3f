package postroad.wire;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/// Bytes read from a peer and not used yet. Owned by the receiving thread.
///
/// Nothing is used up until it is [#skip]ped, so a read time-out in the middle of a frame loses no byte.
final class InputBuffer {
    private static final int USUAL = 64 << 10;

    private final InputStream in;
    private byte[] bytes = new byte[USUAL];
    private int start;
    private int end;

    InputBuffer(InputStream in) {
        this.in = in;
    }

    /// Reads until `count` bytes are there; false when the peer ends before.
    boolean await(int count) throws IOException {
        while (end - start < count) {
            makeRoom(count);
            int read = in.read(bytes, end, bytes.length - end);
            if (read < 0) {
                return false;
            }
            end += read;
        }
        return true;
    }

    int available() {
        return end - start;
    }

    int at(int index) {
        return bytes[start + index] & 0xff;
    }

    byte[] copy(int from, int to) {
        return Arrays.copyOfRange(bytes, start + from, start + to);
    }

    void copy(int from, int length, byte[] target, int at) {
        System.arraycopy(bytes, start + from, target, at, length);
    }

    void skip(int count) {
        start += count;
        if (start == end) {
            start = 0;
            end = 0;
            if (bytes.length > USUAL) {
                bytes = new byte[USUAL];
            }
        }
    }

    private void makeRoom(int count) {
        if (bytes.length - start >= count && end < bytes.length) {
            return;
        }
        byte[] target = count > bytes.length ? new byte[count] : bytes;
        System.arraycopy(bytes, start, target, 0, end - start);
        bytes = target;
        end -= start;
        start = 0;
    }
}
