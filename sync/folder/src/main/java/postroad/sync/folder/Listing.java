package postroad.sync.folder;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Reads the names in a folder, a buffer full at a time, as the kernel lays them out:
///
/// | offset | bytes | field |
/// |---|---|---|
/// | 0 | 8 | inode |
/// | 8 | 8 | position of the next |
/// | 16 | 2 | length of this record |
/// | 18 | 1 | type |
/// | 19 | any | the name, ended by a NUL |
final class Listing {
    private static final int LENGTH_AT = 16;
    private static final int NAME_AT = 19;

    private final byte[] buffer = new byte[Scratch.LISTING_BYTES];
    private final ByteBuffer records = ByteBuffer.wrap(buffer).order(ByteOrder.nativeOrder());

    /// Adds the next names but `.` and `..`; gives 0 at the end, or an error number with a minus sign.
    int next(int folder, List<byte[]> names) {
        int length = Posix.list(folder, buffer);
        int at = 0;
        while (at < length) {
            int from = at + NAME_AT;
            int to = from;
            while (buffer[to] != 0) {
                to++;
            }
            if (!isDots(from, to)) {
                names.add(Arrays.copyOfRange(buffer, from, to));
            }
            at += Short.toUnsignedInt(records.getShort(at + LENGTH_AT));
        }
        return length;
    }

    /// All names in the folder that is open at `folder`; none when it cannot be read.
    List<byte[]> all(int folder) {
        List<byte[]> names = new ArrayList<>();
        int handle = Posix.reopen(folder, 0);
        if (handle < 0) {
            return names;
        }
        int length = next(handle, names);
        while (length > 0) {
            length = next(handle, names);
        }
        Posix.close(handle);
        return names;
    }

    private boolean isDots(int from, int to) {
        int length = to - from;
        return buffer[from] == '.' && (length == 1 || length == 2 && buffer[from + 1] == '.');
    }
}
