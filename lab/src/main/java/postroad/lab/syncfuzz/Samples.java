package postroad.lab.syncfuzz;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.zip.Deflater;
import postroad.sync.core.ChunkClass;
import postroad.sync.core.Frame;
import postroad.sync.core.Segment;

/// Blocks of content and pages of entries as no sender makes them.
final class Samples {
    private static final byte[] BOMB = bomb();
    private static final byte[] FLAT_BOMB = deflated(16 << 20);

    private Samples() {}

    /// 64 MiB of zeros, compressed in pieces: at once it would take twice its size of the heap.
    private static byte[] bomb() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZstdOutputStream out = new ZstdOutputStream(bytes)) {
            byte[] piece = new byte[1 << 20];
            for (int i = 0; i < 64; i++) {
                out.write(piece);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /// One segment with its data.
    static Frame content(Segment segment, byte[] data) {
        return new Frame.Content(List.of(segment), false, data.length, data, 0, data.length);
    }

    /// A block whose data is noise, or gives far more or less than it says.
    static Frame compressed(long id, Random random) {
        int raw = 20_000;
        byte[] data = notAsItSays(random);
        Segment segment = new Segment(id, 0, ChunkClass.SMALL, 0, new int[] {raw}, Optional.empty());
        return new Frame.Content(List.of(segment), true, raw, data, 0, Math.min(data.length, raw - 1));
    }

    /// A page of entries that is noise, or gives far more or less than it says.
    static Frame packed(Random random) {
        byte[] data = switch (random.nextInt(3)) {
            case 0 -> FLAT_BOMB;
            case 1 -> deflated(100);
            default -> noise(random);
        };
        return new Frame.PackedEntries(1 + random.nextInt(100), Math.max(20_000, data.length + 1), data);
    }

    private static byte[] notAsItSays(Random random) {
        return switch (random.nextInt(3)) {
            case 0 -> BOMB;
            case 1 -> Zstd.compress(new byte[100]);
            default -> noise(random);
        };
    }

    private static byte[] noise(Random random) {
        byte[] noise = new byte[1000];
        random.nextBytes(noise);
        return noise;
    }

    private static byte[] deflated(int zeros) {
        try (Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true)) {
            deflater.setInput(new byte[zeros]);
            deflater.finish();
            byte[] bytes = new byte[zeros / 500 + 100];
            return Arrays.copyOf(bytes, deflater.deflate(bytes));
        }
    }
}
