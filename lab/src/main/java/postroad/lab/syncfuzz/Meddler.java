package postroad.lab.syncfuzz;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.LongAdder;
import postroad.sync.core.Frame;
import postroad.sync.core.FrameCodec;
import postroad.wire.ForwardingLink;
import postroad.wire.Link;

/// A link on which somebody changes the frames that are written to it: drops, doubles, swaps, changes, cuts, adds.
final class Meddler extends ForwardingLink {
    private final Random random;
    private final Mutation mutation;
    private final LongAdder meddled;
    private final int seldom;
    private final ByteArrayOutputStream pending = new ByteArrayOutputStream();
    private byte[] late = new byte[0];
    private byte[] earlier = new byte[0];
    private boolean deaf;

    /// @param seldom a frame in so many is changed
    /// @param meddled counts them
    Meddler(Link link, long seed, int seldom, LongAdder meddled) {
        super(link);
        this.random = new Random(seed);
        this.mutation = new Mutation(random);
        this.seldom = seldom;
        this.meddled = meddled;
    }

    @Override
    public void write(ByteBuffer from) throws IOException {
        byte[] more = new byte[from.remaining()];
        from.get(more);
        pending.writeBytes(more);
        byte[] all = pending.toByteArray();
        int at = 0;
        while (all.length - at >= FrameCodec.HEADER) {
            int length = FrameCodec.HEADER + ByteBuffer.wrap(all, at + 1, 4).getInt();
            if (all.length - at < length) {
                break;
            }
            byte[] frame = new byte[length];
            System.arraycopy(all, at, frame, 0, length);
            pass(frame);
            at += length;
        }
        pending.reset();
        pending.write(all, at, all.length - at);
    }

    private void pass(byte[] frame) throws IOException {
        if (deaf) {
            return;
        }
        boolean first = earlier.length == 0;
        if (random.nextInt(first ? 10 * seldom : seldom) > 0) {
            put(frame);
            put(late);
            late = new byte[0];
        } else {
            meddled.increment();
            meddle(frame);
        }
        if (random.nextInt(4) == 0 || first) {
            earlier = frame;
        }
    }

    private void meddle(byte[] frame) throws IOException {
        switch (random.nextInt(24)) {
            case 0 -> {}
            case 1, 2 -> {
                put(frame);
                put(frame);
            }
            case 3, 4 -> late = frame;
            case 5, 6 -> {
                put(earlier);
                put(frame);
            }
            case 7 -> {
                put(Arrays.copyOf(frame, random.nextInt(frame.length)));
                close();
            }
            case 8 -> {
                byte[] noise = new byte[1 + random.nextInt(300)];
                random.nextBytes(noise);
                put(noise);
            }
            case 9 -> deaf = true;
            case 10, 11, 12, 13 -> {
                put(frame);
                put(FrameCodec.encode(mutation.any()));
            }
            case 14 -> {
                put(frame);
                for (int i = 0; i < 2000; i++) {
                    put(FrameCodec.encode(mutation.any() instanceof Frame.Ping ping ? ping : new Frame.Ping(i)));
                }
            }
            default -> put(mutation.of(frame));
        }
    }

    private void put(byte[] bytes) throws IOException {
        if (bytes.length > 0) {
            super.write(ByteBuffer.wrap(bytes));
        }
    }
}
