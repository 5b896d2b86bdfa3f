package postroad.lab.syncfuzz;

import com.github.luben.zstd.Zstd;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import postroad.sync.core.ChunkClass;
import postroad.sync.core.Frame;
import postroad.sync.core.Segment;

/// Blocks of content as no sender makes them.
final class Samples {
    private Samples() {}

    /// One segment with its data.
    static Frame content(Segment segment, byte[] data) {
        return new Frame.Content(List.of(segment), false, data.length, data, 0, data.length);
    }

    /// A block whose data is noise, or gives far more or less than it says.
    static Frame compressed(long id, Random random) {
        int raw = 20_000;
        byte[] data = switch (random.nextInt(3)) {
            case 0 -> Zstd.compress(new byte[64 << 20]);
            case 1 -> Zstd.compress(new byte[100]);
            default -> {
                byte[] noise = new byte[1000];
                random.nextBytes(noise);
                yield noise;
            }
        };
        Segment segment = new Segment(id, 0, ChunkClass.SMALL, 0, new int[] {raw}, Optional.empty());
        return new Frame.Content(List.of(segment), true, raw, data, 0, Math.min(data.length, raw - 1));
    }
}
