package postroad.sync.peer;

import java.util.concurrent.atomic.AtomicInteger;
import postroad.sync.core.Frame;
import postroad.sync.core.ProtocolException;
import postroad.sync.core.Window;

/// Deals with the frames that steer links and windows at once, on the thread that read them, and counts all others
/// against what the peer may send, so that no flood of frames is ever kept. Thread-safe.
final class Steering {
    /// Frames without a window that a session hands on: a Hello, a Bye and the like, and a Stop of each link.
    private static final int MOST = 64;

    private final Outgoing outgoing;
    private final Inflow inflow;
    private final AtomicInteger handedOn = new AtomicInteger();

    Steering(Outgoing outgoing, Inflow inflow) {
        this.outgoing = outgoing;
        this.inflow = inflow;
    }

    /// Takes a frame that came; false when somebody else has to deal with it.
    ///
    /// @param length its length on the wire
    /// @throws ProtocolException if it may not come
    boolean takes(Frame frame, int length) {
        return switch (frame) {
            case Frame.Ping(long number) -> {
                outgoing.pong(number);
                yield true;
            }
            case Frame.Credit(Window window, long bytes) -> {
                outgoing.granted(window, bytes);
                yield true;
            }
            case Frame.Blocked(Window window) -> {
                inflow.blocked(window);
                yield true;
            }
            case Frame.Pong _, Frame.Unknown _ -> true;
            case Frame.Hello _, Frame.Join _, Frame.Stop _, Frame.Bye _, Frame.Summary _ -> {
                if (handedOn.incrementAndGet() > MOST) {
                    throw new ProtocolException("frames that come once came too often");
                }
                yield false;
            }
            case Frame.Entries _,
                    Frame.PackedEntries _,
                    Frame.EntriesEnd _,
                    Frame.Want _,
                    Frame.Content _,
                    Frame.RecipePart _,
                    Frame.Missing _,
                    Frame.Failed _,
                    Frame.Done _,
                    Frame.Deleted _ -> {
                inflow.received(frame.countsAgainst().orElseThrow(), length);
                yield false;
            }
        };
    }
}
