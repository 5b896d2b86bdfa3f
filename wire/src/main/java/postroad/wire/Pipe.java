package postroad.wire;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// One direction of a link inside this process: a queue of pieces with a bound in bytes and a time for
/// each.
///
/// One thread writes, one reads, any closes. What was written before the end stays readable after it.
final class Pipe {
    static final int PIECE = 64 << 10;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition filled = lock.newCondition();
    private final Condition drained = lock.newCondition();

    private final Wire wire;
    private final int bound;
    private final ArrayDeque<Piece> queue = new ArrayDeque<>();
    private long queued;
    private boolean finished;
    private boolean writerGone;
    private boolean readerGone;

    Pipe(Wire wire, int bound) {
        if (bound < 1) {
            throw new IllegalArgumentException("a pipe needs room for a byte");
        }
        this.wire = wire;
        this.bound = bound;
    }

    int read(ByteBuffer into, String peer) throws IOException {
        if (!into.hasRemaining()) {
            return 0;
        }
        lock.lock();
        try {
            Piece head = awaitHead(peer);
            if (head == null) {
                return -1;
            }
            int before = into.position();
            while (head != null && !head.end() && into.hasRemaining() && wire.readable(head)) {
                take(head, into);
                head = queue.peek();
            }
            drained.signal();
            return into.position() - before;
        } catch (InterruptedException e) {
            throw interrupted(peer, e);
        } finally {
            lock.unlock();
        }
    }

    /// The first piece once its time has come; null at the end.
    private Piece awaitHead(String peer) throws IOException, InterruptedException {
        while (true) {
            if (readerGone) {
                throw closedHere(peer);
            }
            Piece head = queue.peek();
            if (head != null && wire.readable(head)) {
                return head.end() ? null : head;
            }
            if (head == null) {
                filled.await();
            } else {
                wire.await(this, filled);
            }
        }
    }

    private void take(Piece head, ByteBuffer into) {
        int count = Math.min(into.remaining(), head.data.remaining());
        into.put(head.data.slice(head.data.position(), count));
        head.data.position(head.data.position() + count);
        if (!head.taken) {
            queued -= count;
        }
        if (!head.data.hasRemaining()) {
            queue.remove();
        }
    }

    void write(ByteBuffer from, String peer) throws IOException {
        while (from.hasRemaining()) {
            lock.lock();
            try {
                awaitRoom(peer);
                int count = (int) Math.min(Math.min(wire.pieceSize(), from.remaining()), bound - queued);
                byte[] bytes = new byte[count];
                from.get(bytes);
                queued += count;
                add(ByteBuffer.wrap(bytes));
            } catch (InterruptedException e) {
                throw interrupted(peer, e);
            } finally {
                lock.unlock();
            }
        }
    }

    private void awaitRoom(String peer) throws IOException, InterruptedException {
        while (true) {
            if (writerGone) {
                throw closedHere(peer);
            }
            if (readerGone) {
                throw new LinkException("the connection to " + peer + " was closed by the other side");
            }
            if (finished) {
                throw new LinkException("nothing more can be sent to " + peer + ": this side said it was finished");
            }
            if (queued < bound) {
                return;
            }
            drained.await();
        }
    }

    private void add(ByteBuffer data) {
        Piece piece = new Piece(data);
        wire.sent(piece);
        queue.add(piece);
        filled.signal();
    }

    void finish() {
        lock.lock();
        try {
            if (!finished) {
                finished = true;
                add(Piece.END.duplicate());
            }
        } finally {
            lock.unlock();
        }
    }

    void closeByWriter() {
        finish();
        lock.lock();
        try {
            writerGone = true;
            drained.signalAll();
        } finally {
            lock.unlock();
        }
    }

    void closeByReader() {
        lock.lock();
        try {
            readerGone = true;
            queue.clear();
            queued = 0;
            filled.signalAll();
            drained.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private static LinkException closedHere(String peer) {
        return new LinkException("the connection to " + peer + " was closed here");
    }

    private static IOException interrupted(String peer, InterruptedException cause) {
        Thread.currentThread().interrupt();
        InterruptedIOException e = new InterruptedIOException("interrupted while talking to " + peer);
        e.initCause(cause);
        return e;
    }

    /// Bytes under way, or the end of the stream.
    static final class Piece {
        private static final ByteBuffer END = ByteBuffer.allocate(0);

        final ByteBuffer data;

        /// When it becomes readable, in the wire's time; the wire's own.
        long time;

        /// Whether it has left the queue in the sense of the bound, though nobody read it yet; the wire's own.
        boolean taken;

        Piece(ByteBuffer data) {
            this.data = data;
        }

        boolean end() {
            return data.capacity() == 0;
        }
    }

    /// Takes all that is queued out of the bound's count, so that the writer goes on; it
    /// becomes readable at `time`. Called by the wire while it waits.
    void takeAll(long time) {
        long bytes = 0;
        for (Piece piece : queue) {
            if (!piece.taken) {
                piece.taken = true;
                piece.time = time;
                bytes += piece.data.remaining();
            }
        }
        queued -= bytes;
        drained.signal();
    }

    Piece head() {
        return queue.element();
    }

    long queued() {
        return queued;
    }

    /// When what was sent may be read. Called under the pipe's lock.
    interface Wire {
        /// Into how large pieces writes are cut.
        default int pieceSize() {
            return PIECE;
        }

        /// A piece is about to be put at the queue's end.
        void sent(Piece piece);

        boolean readable(Piece head);

        /// Waits until the pipe's head may be readable, or `changed` is signalled.
        void await(Pipe pipe, Condition changed) throws InterruptedException;
    }

    /// No wire at all: what was sent is there.
    static final Wire NONE = new Wire() {
        @Override
        public void sent(Piece piece) {}

        @Override
        public boolean readable(Piece head) {
            return true;
        }

        @Override
        public void await(Pipe pipe, Condition changed) {
            throw new IllegalStateException("everything is readable");
        }
    };
}
