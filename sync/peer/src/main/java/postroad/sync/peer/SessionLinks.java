package postroad.sync.peer;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import postroad.sync.core.Frame;
import postroad.wire.Link;

/// The links of one running session, each with its reader and its writer. Thread-safe: links may come at any time.
final class SessionLinks {
    private static final Duration PARTING = Duration.ofSeconds(3);
    private static final long LOOK_MILLIS = 20;
    /// The peer may take a few seconds of silence for the end (`--timeout`), and hears nothing else from
    /// a receiver of one large file: what asks instead may wait behind a block of content for longer.
    private static final long PING_AFTER = TimeUnit.SECONDS.toNanos(1);

    private record Running(MeteredLink link, Thread reader, Thread writer) {}

    private final String name;
    private final Outgoing outgoing;
    private final BufferPool pool;
    private final Pace pace;
    private final SentLog sent;
    private final LinkReader.Sink sink;
    private final Meter meter;
    private final LongSupplier nanos;
    private final long silenceNanos;
    private final Running[] running;
    private long pings;
    private boolean closed;

    /// @param most how many links there may be
    /// @param silence a link on which nothing came for so long counts as dead
    SessionLinks(
            String name,
            int most,
            Outgoing outgoing,
            BufferPool pool,
            Pace pace,
            SentLog sent,
            LinkReader.Sink sink,
            Meter meter,
            LongSupplier nanos,
            Duration silence) {
        this.name = name;
        this.outgoing = outgoing;
        this.pool = pool;
        this.pace = pace;
        this.sent = sent;
        this.sink = sink;
        this.meter = meter;
        this.nanos = nanos;
        this.silenceNanos = silence.toNanos();
        this.running = new Running[most];
    }

    /// Wraps a link so that its bytes are counted; what is read from it before [#attach] counts too.
    MeteredLink metered(Link link) {
        return new MeteredLink(link, meter.linkReceived, meter.linkSent, nanos);
    }

    /// Lets a link carry the session's frames from here on; false, and the link closed, when its number is not free.
    synchronized boolean attach(int number, MeteredLink link, FrameReader frames) {
        if (closed || number >= running.length || running[number] != null) {
            link.close();
            return false;
        }
        Thread reader = thread("read", number, new LinkReader(number, frames, sink));
        Thread writer = thread("write", number, new LinkWriter(number, link, outgoing, pool, pace, sent, meter, sink));
        running[number] = new Running(link, reader, writer);
        reader.start();
        writer.start();
        return true;
    }

    private Thread thread(String does, int number, Runnable task) {
        return Thread.ofPlatform()
                .daemon()
                .name(name + "-" + does + "-" + number)
                .unstarted(task);
    }

    /// Keeps quiet links alive, closes one that is dead, and tells when that is the first.
    synchronized Optional<String> check(long now) {
        for (int number = 0; number < running.length; number++) {
            Running each = running[number];
            if (each == null) {
                continue;
            }
            Optional<String> fault = fault(each.link(), now);
            if (fault.isPresent() && number > 0) {
                // Its reader ends, and what it carried goes over another.
                each.link().close();
            } else if (fault.isPresent()) {
                return fault;
            } else if (each.link().shouldPing(now, PING_AFTER)) {
                outgoing.urgent(number, new Frame.Ping(pings++));
            }
        }
        return Optional.empty();
    }

    /// Why a link counts as dead. That something comes from the peer is not enough: one that takes nothing could hold
    /// its
    /// session for ever.
    private Optional<String> fault(MeteredLink link, long now) {
        String time = " for " + TimeUnit.NANOSECONDS.toSeconds(silenceNanos) + " s";
        if (link.silentFor(now) > silenceNanos) {
            return Optional.of(link.peer() + " was silent" + time);
        }
        if (link.stuckFor(now) > silenceNanos) {
            return Optional.of(link.peer() + " took nothing of what it was sent" + time);
        }
        return Optional.empty();
    }

    /// Whether the peer says anything on the first link within so much time: it is asked to. From any thread.
    boolean answers(Duration within) throws InterruptedException {
        MeteredLink first;
        synchronized (this) {
            if (running[0] == null) {
                return true;
            }
            first = running[0].link();
            outgoing.urgent(0, new Frame.Ping(pings++));
        }
        long asked = nanos.getAsLong();
        while (nanos.getAsLong() - asked < within.toNanos()) {
            if (first.hasHeardSince(asked)) {
                return true;
            }
            if (isClosed()) {
                return false;
            }
            Thread.sleep(LOOK_MILLIS);
        }
        return false;
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    /// Ends all links in peace: what waits is written, and the peer has read it.
    void part() throws InterruptedException {
        long until = nanos.getAsLong() + PARTING.toNanos();
        List<Running> all = finishAll(until);
        for (Running each : all) {
            join(each.reader(), until);
        }
        end(all);
    }

    /// Ends all links when the peer has nothing more to say: what waits is written, then nothing is waited for.
    void leave() throws InterruptedException {
        end(finishAll(nanos.getAsLong() + PARTING.toNanos()));
    }

    /// Ends all links at once.
    void abort() throws InterruptedException {
        end(close());
    }

    /// Lets the writers write what waits, and says on each link that nothing more comes.
    private List<Running> finishAll(long until) throws InterruptedException {
        outgoing.finish();
        List<Running> all = close();
        for (Running each : all) {
            join(each.writer(), until);
        }
        for (Running each : all) {
            if (!each.writer().isAlive()) {
                finish(each.link());
            }
        }
        return all;
    }

    private void end(List<Running> all) throws InterruptedException {
        outgoing.abort();
        for (Running each : all) {
            each.link().close();
        }
        for (Running each : all) {
            each.reader().join();
            each.writer().join();
        }
    }

    private static void finish(Link link) {
        try {
            link.finish();
        } catch (IOException e) {
            // The peer is gone already, which is what we want.
        }
    }

    private synchronized List<Running> close() {
        closed = true;
        List<Running> all = new ArrayList<>();
        for (Running each : running) {
            if (each != null) {
                all.add(each);
            }
        }
        return all;
    }

    private void join(Thread thread, long until) throws InterruptedException {
        long left = until - nanos.getAsLong();
        if (left > 0) {
            thread.join(Duration.ofNanos(left));
        }
    }
}
