package postroad.lab.crash;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/// Reads the record that `record.c` writes; the layout is drawn there. A last record cut short by a kill is
/// left out.
public final class OperationLog {
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final int HEAD = 24;

    private OperationLog() {}

    /// The operations in `log`, in their order. Their data stays mapped as long as it is reachable.
    public static List<Operation> read(Path log) throws IOException {
        try (FileChannel channel = FileChannel.open(log, StandardOpenOption.READ)) {
            return parse(channel.map(MapMode.READ_ONLY, 0, channel.size(), Arena.ofAuto()));
        }
    }

    private static List<Operation> parse(MemorySegment log) {
        List<Operation> operations = new ArrayList<>();
        long at = 0;
        while (at + HEAD <= log.byteSize()) {
            int length = log.get(INT, at + 16);
            if (at + HEAD + length > log.byteSize()) {
                break;
            }
            operations.add(operation(
                    log.get(INT, at),
                    log.get(INT, at + 4),
                    log.get(LONG, at + 8),
                    log.get(INT, at + 20),
                    log.asSlice(at + HEAD, length)));
            at += HEAD + length;
        }
        return List.copyOf(operations);
    }

    private static Operation operation(int type, int file, long offset, int extra, MemorySegment payload) {
        return switch (type) {
            case 1 -> new Operation.Open(file, text(payload), (extra & 1) != 0, (extra & 2) != 0, (extra & 4) != 0);
            case 2 -> new Operation.Write(file, offset, payload, (extra & 1) != 0);
            case 3 -> new Operation.Truncate(file, offset);
            case 4 -> new Operation.SyncBegin(file);
            case 5 -> new Operation.SyncEnd(file, extra);
            case 6 -> {
                List<String> names = List.of(text(payload).split("\0", 2));
                yield new Operation.Rename(names.get(0), names.get(1));
            }
            case 7 -> new Operation.Remove(text(payload));
            case 8 -> new Operation.MakeFolder(text(payload));
            case 9 -> new Operation.Mark(text(payload));
            case 10, 11 -> new Operation.Unseen(file);
            case 12 -> new Operation.Fault(file);
            default -> throw new IllegalStateException("no such record type: " + type);
        };
    }

    private static String text(MemorySegment payload) {
        return new String(payload.toArray(ValueLayout.JAVA_BYTE), UTF_8);
    }
}
