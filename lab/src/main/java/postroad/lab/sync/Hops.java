package postroad.lab.sync;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import postroad.wire.Fingerprint;
import postroad.wire.Link;
import postroad.wire.LinkException;
import postroad.wire.LinkFacts;

/// Wires on which time is counted in hops: a byte arrives one hop after it was written, and time moves on only when
/// both sides have done all they can and wait. So what is left of a session's duration is the hops that it waits for,
/// whatever the machine is doing; two hops are a round trip.
///
/// Both sides have to be in this process, on platform threads alone. A thread that computes or waits for the disk
/// holds time back.
public final class Hops implements Dialing, AutoCloseable {
    private static final long SAMPLE_MILLIS = 3;
    /// So many looks in a row have to find everybody waiting.
    private static final int QUIET_SAMPLES = 8;

    private final Opened opened;
    private final List<Pipe> pipes = new ArrayList<>();
    private final Thread clock;
    private long now;
    private long activity;
    private boolean closed;

    /// What is put on a wire once it stands, such as TLS.
    public interface Opened {
        /// @param dialed whether this is the end that dialed
        Link over(Link bare, boolean dialed) throws IOException;
    }

    /// @param opened puts on what goes over the bare wire
    public Hops(Opened opened) {
        this.opened = opened;
        clock = Thread.ofPlatform().daemon().name("hops").start(this::tick);
    }

    /// How many hops have passed.
    public synchronized long now() {
        return now;
    }

    @Override
    public Link open(Consumer<Link> taker) throws IOException {
        Pipe there = new Pipe();
        Pipe back = new Pipe();
        synchronized (this) {
            pipes.add(there);
            pipes.add(back);
        }
        Thread.ofPlatform().daemon().name("receive-take").start(() -> {
            End end = new End(there, back, "sender");
            try {
                taker.accept(opened.over(end, false));
            } catch (IOException e) {
                // The side that dialed says it.
                end.close();
            }
        });
        return opened.over(new End(back, there, "receiver"), true);
    }

    private void tick() {
        try {
            int quiet = 0;
            long seen = -1;
            while (true) {
                Thread.sleep(SAMPLE_MILLIS);
                synchronized (this) {
                    if (closed) {
                        return;
                    }
                    quiet = activity == seen && everybodyWaits() ? quiet + 1 : 0;
                    seen = activity;
                    if (quiet >= QUIET_SAMPLES && moveOn()) {
                        quiet = 0;
                    }
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Whether no thread of a session runs, or is about to.
    private static boolean everybodyWaits() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(Hops::isOfSession)
                .allMatch(Hops::waits);
    }

    private static boolean isOfSession(Thread thread) {
        String name = thread.getName();
        return name.startsWith("send") || name.startsWith("receive") || name.startsWith("sync-join");
    }

    private static boolean waits(Thread thread) {
        return switch (thread.getState()) {
            case WAITING, TIMED_WAITING, TERMINATED, NEW -> true;
            case RUNNABLE, BLOCKED -> false;
        };
    }

    /// Lets the next hop pass if bytes are under way.
    private boolean moveOn() {
        long next = Long.MAX_VALUE;
        for (Pipe each : pipes) {
            next = Math.min(next, each.nextAfter(now));
        }
        if (next == Long.MAX_VALUE) {
            return false;
        }
        now = next;
        activity++;
        notifyAll();
        return true;
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        clock.interrupt();
    }

    private record Piece(long arrives, ByteBuffer data) {}

    /// One direction; guarded by the hops it belongs to.
    private static final class Pipe {
        final ArrayDeque<Piece> pieces = new ArrayDeque<>();
        long finishedAt = Long.MAX_VALUE;
        boolean cut;

        /// When the next thing arrives that has not arrived yet.
        long nextAfter(long time) {
            long next = finishedAt > time ? finishedAt : Long.MAX_VALUE;
            for (Piece each : pieces) {
                if (each.arrives() > time) {
                    return Math.min(next, each.arrives());
                }
            }
            return next;
        }
    }

    private final class End implements Link {
        private final Pipe in;
        private final Pipe out;
        private final String peer;

        End(Pipe in, Pipe out, String peer) {
            this.in = in;
            this.out = out;
            this.peer = peer;
        }

        @Override
        public int read(ByteBuffer into) throws IOException {
            synchronized (Hops.this) {
                try {
                    while (true) {
                        if (in.cut || closed) {
                            throw new LinkException("the connection to " + peer + " was closed here");
                        }
                        Piece head = in.pieces.peekFirst();
                        if (head != null && head.arrives() <= now) {
                            return take(head, into);
                        }
                        if (head == null && in.finishedAt <= now) {
                            return -1;
                        }
                        Hops.this.wait();
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new InterruptedIOException("interrupted while talking to " + peer);
                }
            }
        }

        private int take(Piece head, ByteBuffer into) {
            activity++;
            int count = Math.min(into.remaining(), head.data().remaining());
            into.put(head.data().slice(head.data().position(), count));
            head.data().position(head.data().position() + count);
            if (!head.data().hasRemaining()) {
                in.pieces.removeFirst();
            }
            return count;
        }

        @Override
        public void write(ByteBuffer from) throws IOException {
            byte[] bytes = new byte[from.remaining()];
            from.get(bytes);
            synchronized (Hops.this) {
                if (out.cut || out.finishedAt != Long.MAX_VALUE) {
                    throw new LinkException("the connection to " + peer + " was closed");
                }
                activity++;
                out.pieces.addLast(new Piece(now + 1, ByteBuffer.wrap(bytes)));
            }
        }

        @Override
        public void finish() {
            synchronized (Hops.this) {
                activity++;
                out.finishedAt = Math.min(out.finishedAt, now + 1);
            }
        }

        @Override
        public String peer() {
            return peer;
        }

        @Override
        public Optional<Fingerprint> peerFingerprint() {
            return Optional.empty();
        }

        @Override
        public LinkFacts facts() {
            return LinkFacts.NONE;
        }

        @Override
        public void close() {
            finish();
            synchronized (Hops.this) {
                in.cut = true;
                Hops.this.notifyAll();
            }
        }
    }
}
