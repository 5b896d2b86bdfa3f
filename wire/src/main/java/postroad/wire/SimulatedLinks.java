package postroad.wire;

import java.util.Random;
import java.util.concurrent.locks.Condition;

/// Links inside this process over a wire that takes time.
public final class SimulatedLinks {
    /// How many bytes each direction holds unless told otherwise; more make the writer wait.
    public static final int BOUND = 64 << 20;

    private SimulatedLinks() {}

    /// When bytes become readable.
    public enum Model {
        /// Each byte one way after it was written (and went onto the wire): what a network does.
        ARRIVAL,

        /// A read that finds nothing waits for data, takes all that is queued, then pays one way once:
        /// what the evaluation of parallel sessions used. What comes in while it pays waits for the next
        /// read that finds nothing.
        COALESCING
    }

    /// Two ends of a wire; the directions are alike and independent. Writers wait while `bound` bytes
    /// are under way.
    public static LinkPair pair(Model model, WireShape shape, int bound) {
        return pair(model, shape, bound, WireTime.SYSTEM);
    }

    static LinkPair pair(Model model, WireShape shape, int bound, WireTime time) {
        return PipeLink.pair(
                new Pipe(wire(model, shape, shape.seed(), time), bound),
                new Pipe(wire(model, shape, shape.seed() + 1, time), bound),
                "wire");
    }

    private static Pipe.Wire wire(Model model, WireShape shape, long seed, WireTime time) {
        return switch (model) {
            case ARRIVAL -> new Arrival(shape, new Random(seed), time);
            case COALESCING -> new Coalescing(shape, new Random(seed), time);
        };
    }

    private static long jitter(WireShape shape, Random random) {
        long most = shape.jitter().toNanos();
        return most == 0 ? 0 : random.nextLong(most + 1);
    }

    /// Each piece has its own time of arrival.
    private static final class Arrival implements Pipe.Wire {
        /// With a rate, pieces are as large as what goes onto the wire in this time.
        private static final long STEP_NANOS = 1_000_000;

        private static final int SMALLEST = 1 << 10;

        private final WireShape shape;
        private final Random random;
        private final WireTime time;

        /// When the wire has taken all that was written.
        private long free;

        private long last;

        Arrival(WireShape shape, Random random, WireTime time) {
            this.shape = shape;
            this.random = random;
            this.time = time;
            this.free = time.nanos();
            this.last = free;
        }

        @Override
        public int pieceSize() {
            if (shape.bitsPerSecond() == 0) {
                return Pipe.PIECE;
            }
            long step = shape.bitsPerSecond() / 8 * STEP_NANOS / 1_000_000_000;
            return Math.clamp(step, SMALLEST, Pipe.PIECE);
        }

        @Override
        public void sent(Pipe.Piece piece) {
            free = later(time.nanos(), free) + shape.nanosFor(piece.data.remaining());
            last = later(free + shape.oneWayNanos() + jitter(shape, random), last);
            piece.time = last;
        }

        private static long later(long a, long b) {
            return a - b > 0 ? a : b;
        }

        @Override
        public boolean readable(Pipe.Piece head) {
            return time.nanos() - head.time >= 0;
        }

        @Override
        public void await(Pipe pipe, Condition changed) throws InterruptedException {
            time.await(changed, pipe.head().time - time.nanos());
        }
    }

    /// The reader pays for all it takes at once.
    private static final class Coalescing implements Pipe.Wire {
        private final WireShape shape;
        private final Random random;
        private final WireTime time;

        Coalescing(WireShape shape, Random random, WireTime time) {
            this.shape = shape;
            this.random = random;
            this.time = time;
        }

        @Override
        public void sent(Pipe.Piece piece) {}

        @Override
        public boolean readable(Pipe.Piece head) {
            return head.taken && time.nanos() - head.time >= 0;
        }

        @Override
        public void await(Pipe pipe, Condition changed) throws InterruptedException {
            if (!pipe.head().taken) {
                pipe.takeAll(
                        time.nanos() + shape.oneWayNanos() + jitter(shape, random) + shape.nanosFor(pipe.queued()));
            }
            time.await(changed, pipe.head().time - time.nanos());
        }
    }
}
