package postroad.sync.peer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import postroad.sync.core.Frame;
import postroad.sync.core.FrameCodec;
import postroad.sync.core.ProtocolException;
import postroad.sync.core.StopCode;
import postroad.wire.Link;
import postroad.wire.Links;

/// A link whose first frame was read, before it is known what it is for.
///
/// @param frames reads on behind that frame
record Greeting(Link link, FrameReader frames, Frame first) {
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final Duration PARTING = Duration.ofSeconds(2);
    private static final ScheduledExecutorService TIMER = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("sync-greetings").factory());

    /// Reads the first frame of a link.
    ///
    /// @throws IOException if none comes within ten seconds, the link ends, or what comes is no frame
    static Greeting read(Link link, BufferPool pool) throws IOException {
        ScheduledFuture<?> limit = TIMER.schedule(link::close, LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        try {
            FrameReader frames = new FrameReader(link, pool);
            Optional<Frame> first = frames.first();
            return new Greeting(
                    link, frames, first.orElseThrow(() -> new IOException(link.peer() + " said nothing and closed")));
        } catch (ProtocolException e) {
            stop(link, e.code(), e.getMessage());
            throw new IOException(link.peer() + " does not speak this protocol: " + e.getMessage(), e);
        } finally {
            if (!limit.cancel(false)) {
                link.close();
            }
        }
    }

    /// Says why there will be no session, and parts.
    static void stop(Link link, StopCode code, String text) {
        try {
            write(link, new Frame.Stop(code, text));
            Links.part(link, PARTING);
        } catch (IOException e) {
            // It is gone; nobody is left to tell.
        } finally {
            link.close();
        }
    }

    /// Writes a frame to a link that no session has yet.
    static void write(Link link, Frame frame) throws IOException {
        link.write(ByteBuffer.wrap(FrameCodec.encode(frame)));
    }
}
