package postroad.sync.peer;

import java.io.IOException;
import java.nio.ByteBuffer;
import postroad.sync.core.FrameCodec;
import postroad.wire.Link;

/// Writes to one link what [Outgoing] gives: many small frames in one write, content as it lies. One thread of its own.
final class LinkWriter implements Runnable {
    /// Content goes out in pieces of this size, so that a slow link shows its progress.
    private static final int PIECE = 256 << 10;

    private final int number;
    private final Link link;
    private final Outgoing outgoing;
    private final BufferPool pool;
    private final Pace pace;
    private final SentLog sent;
    private final Meter meter;
    private final LinkReader.Sink sink;
    private final ByteBuffer batch = ByteBuffer.allocate(Outgoing.BATCH + FrameCodec.HEADER + FrameCodec.MAX_SMALL);

    LinkWriter(
            int number,
            Link link,
            Outgoing outgoing,
            BufferPool pool,
            Pace pace,
            SentLog sent,
            Meter meter,
            LinkReader.Sink sink) {
        this.number = number;
        this.link = link;
        this.outgoing = outgoing;
        this.pool = pool;
        this.pace = pace;
        this.sent = sent;
        this.meter = meter;
        this.sink = sink;
    }

    @Override
    public void run() {
        try {
            while (true) {
                switch (outgoing.take(number, batch.clear())) {
                    case Outgoing.Next.Write(Block block) -> write(block);
                    case Outgoing.Next.End() -> {
                        return;
                    }
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Throwable e) {
            sink.ended(number, e);
        }
    }

    private void write(Block block) throws IOException, InterruptedException {
        if (block == null) {
            write(batch.flip());
            return;
        }
        // Noted before it is written: what a broken link may have lost is sent again.
        sent.add(number, block.segments());
        write(batch.put(block.head()).flip());
        ByteBuffer data = ByteBuffer.wrap(block.data(), 0, block.length());
        // Counted when it is written, not when it was made: what waits here has not travelled.
        long content = block.contentLength();
        long counted = 0;
        for (int at = 0; at < block.length(); at += PIECE) {
            write(data.limit(Math.min(block.length(), at + PIECE)));
            long share = content * data.limit() / block.length();
            meter.contentBytes.add(share - counted);
            counted = share;
        }
        sent.written(block.segments());
        pool.give(block.data());
    }

    private void write(ByteBuffer bytes) throws IOException, InterruptedException {
        int length = bytes.remaining();
        pace.await(length);
        link.write(bytes);
    }
}
