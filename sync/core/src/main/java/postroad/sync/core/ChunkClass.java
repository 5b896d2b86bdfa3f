package postroad.sync.core;

import java.util.Optional;

/// How large the chunks of a file are; decided by its sender from its size and told with its content.
public enum ChunkClass {
    /// 8 KiB on average, for files below 4 MiB.
    SMALL(1, 8 << 10, 4L << 20),
    /// 32 KiB on average, for files below 64 MiB.
    MEDIUM(2, 32 << 10, 64L << 20),
    /// 128 KiB on average, for files below 2 GiB.
    LARGE(3, 128 << 10, 2L << 30),
    /// 512 KiB on average, for all others.
    HUGE(4, 512 << 10, Long.MAX_VALUE);

    private static final ChunkClass[] ALL = values();

    private final int number;
    private final int average;
    private final long below;

    ChunkClass(int number, int average, long below) {
        this.number = number;
        this.average = average;
        this.below = below;
    }

    /// The class of a file of `size` bytes.
    public static ChunkClass ofSize(long size) {
        for (ChunkClass each : ALL) {
            if (size < each.below) {
                return each;
            }
        }
        return HUGE;
    }

    /// The class with this number on the wire; empty when there is none.
    public static Optional<ChunkClass> ofNumber(int number) {
        return number >= 1 && number <= ALL.length ? Optional.of(ALL[number - 1]) : Optional.empty();
    }

    /// The shortest chunk, except a file's last.
    public int min() {
        return average / 4;
    }

    /// The length that the cuts aim at.
    public int average() {
        return average;
    }

    /// The longest chunk.
    public int max() {
        return average * 4;
    }

    /// Its number on the wire.
    public int number() {
        return number;
    }
}
