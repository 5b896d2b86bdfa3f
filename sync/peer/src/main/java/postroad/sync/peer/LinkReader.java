package postroad.sync.peer;

import java.io.EOFException;
import java.util.Optional;
import postroad.sync.core.Frame;

/// Hands on the frames of one link as they come; never waits for anything but bytes. One thread of its own.
final class LinkReader implements Runnable {
    /// Where frames go. Called by the reader's thread; must not wait.
    interface Sink {
        /// A frame came; `length` is its length on the wire.
        ///
        /// @throws postroad.sync.core.ProtocolException if it may not come
        void received(int link, Frame frame, int length);

        /// Nothing more comes or goes: the peer closed, the link broke, or what came is no frame.
        void ended(int link, Throwable cause);
    }

    private final int number;
    private final FrameReader frames;
    private final Sink sink;

    LinkReader(int number, FrameReader frames, Sink sink) {
        this.number = number;
        this.frames = frames;
        this.sink = sink;
    }

    @Override
    public void run() {
        try {
            for (Optional<Frame> frame = frames.next(); frame.isPresent(); frame = frames.next()) {
                sink.received(number, frame.get(), frames.length());
                if (frame.get() instanceof Frame.Stop) {
                    // Nothing follows it.
                    sink.ended(number, new EOFException("the peer stopped"));
                    return;
                }
            }
            sink.ended(number, new EOFException("the peer closed the connection"));
        } catch (Throwable e) {
            sink.ended(number, e);
        }
    }
}
