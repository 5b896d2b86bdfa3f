package postroad.sync.peer;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import postroad.sync.core.Compression;
import postroad.sync.core.Frame;
import postroad.sync.core.Role;
import postroad.sync.core.SessionId;
import postroad.sync.core.SessionOptions;
import postroad.sync.core.StopCode;
import postroad.sync.core.Window;
import postroad.sync.folder.ChunkMemory;
import postroad.sync.folder.Tree;
import postroad.wire.Link;

/// One session as the sender: brings a tree to the receiver at the other end of its links.
///
/// The thread that calls [#run] owns the session. The first link must stand; further ones join while it runs.
public final class SendSession implements Seat.Sitter {
    /// What the entries may take: half of the heap, which is some millions of names with the 160 MB of the launcher.
    private static final long MOST_ENTRIES = Runtime.getRuntime().maxMemory() / 2;

    private final Tree tree;
    private final Names names;
    private final ChunkMemory memory;
    private final SessionOptions own;
    private final Tuning tuning;
    private final Meter meter;
    private final SessionId id;

    private final BufferPool pool = new BufferPool(Protocol.BUFFER, 24);
    private final EntryTable table = new EntryTable(MOST_ENTRIES);
    private final JobQueue jobs = new JobQueue();
    private final Hands hands = new Hands();
    private final Outgoing outgoing;
    private final Inflow inflow;
    private final Steering steering;
    private final SentLog sent;
    private final SessionLinks links;
    private final SenderMachine machine;
    private final SessionLoop<SenderEvent> loop;

    /// @param tree what is sent
    /// @param names its names in order, without those that are left out
    /// @param memory what is remembered of its files
    /// @param id drawn for this session by whoever dialed
    public SendSession(
            Tree tree,
            Names names,
            ChunkMemory memory,
            SessionOptions own,
            Tuning tuning,
            SessionEvents events,
            Meter meter,
            SessionId id) {
        this.tree = tree;
        this.names = names;
        this.memory = memory;
        this.own = own;
        this.tuning = tuning;
        this.meter = meter;
        this.id = id;
        outgoing = new Outgoing(own.parallel(), Protocol.QUEUED_ENTRIES, Protocol.QUEUED_CONTENT);
        loop = new SessionLoop<>("send", "receiver", outgoing, SenderEvent.LinkEnded::new, SenderEvent.Broken::new);
        inflow = new Inflow(outgoing);
        steering = new Steering(outgoing, inflow);
        sent = new SentLog(file -> table.entry(file).path(), meter);
        links = new SessionLinks(
                "send",
                own.parallel(),
                outgoing,
                pool,
                new Pace(tuning.bytesPerSecond(), System::nanoTime),
                sent,
                hands,
                meter,
                System::nanoTime,
                tuning.silence());
        machine = new SenderMachine(table, own, hands, events, meter);
    }

    /// The session's id, by which further links join it.
    public SessionId id() {
        return id;
    }

    /// Has the session end soon, and says why to the receiver. From any thread.
    public void stop(StopCode code, String text) {
        loop.add(new SenderEvent.StopAsked(code, text));
    }

    @Override
    public boolean answers(Duration within) throws InterruptedException {
        return links.answers(within);
    }

    @Override
    public void makeWay(String why) {
        loop.add(new SenderEvent.LinkEnded(0, new IOException(why)));
    }

    /// Lets a further link carry content; its Join was written or read already.
    public void join(int number, Link link) {
        join(number, link, new FrameReader(link, pool));
    }

    /// The same for a link of which something was read already.
    void join(int number, Link link, FrameReader frames) {
        MeteredLink metered = links.metered(link);
        frames.over(metered);
        links.attach(number, metered, frames);
    }

    /// Runs the session to its end over `first`.
    ///
    /// @param proof that this side knows a pairing line's secret; empty without one
    public SessionEnd run(Link first, byte[] proof) throws InterruptedException {
        return run(first, new FrameReader(first, pool), proof);
    }

    /// Runs the session over a link on which the receiver said its Hello first.
    SessionEnd answer(Link first, FrameReader frames, Frame.Hello hello) throws InterruptedException {
        loop.add(new SenderEvent.Received(0, hello, 0));
        return run(first, frames, new byte[0]);
    }

    private SessionEnd run(Link first, FrameReader frames, byte[] proof) throws InterruptedException {
        outgoing.urgent(
                0,
                new Frame.Hello(
                        Protocol.VERSION,
                        Protocol.LEAST_VERSION,
                        id,
                        Role.SENDER,
                        own.parallel(),
                        own,
                        Protocol.SOFTWARE,
                        proof));
        join(0, first, frames);
        // Entries go out before the receiver's options are known, so this side's alone decide.
        Optional<EntryPacker> packer =
                own.compression() == Compression.OFF ? Optional.empty() : Optional.of(new EntryPacker());
        loop.start("scan", new Scanner(names, table, outgoing, packer, loop::add, meter, System::nanoTime));
        try {
            return loop.run(machine::take, links);
        } finally {
            close();
        }
    }

    private void close() throws InterruptedException {
        SessionEnd end = loop.close();
        jobs.end();
        // The scan and the workers may wait for room; nobody makes any now.
        outgoing.refuse();
        switch (end) {
            // The receiver said its last word; waiting for it to close would cost a round trip.
            case SessionEnd.Done done -> links.leave();
            case SessionEnd.Stopped stopped -> links.part();
            case SessionEnd.Fault fault -> links.part();
            case SessionEnd.Broken broken -> links.abort();
            case null -> links.abort();
        }
        loop.join();
    }

    /// What the links and the machine make happen here.
    private final class Hands implements LinkReader.Sink, SenderMachine.Effects {
        @Override
        public void received(int link, Frame frame, int length) {
            if (!steering.takes(frame, length) && !loop.isClosing()) {
                loop.add(new SenderEvent.Received(link, frame, length));
            }
        }

        @Override
        public void ended(int link, Throwable cause) {
            loop.linkEnded(link, cause);
        }

        @Override
        public void answer(Frame frame) {
            outgoing.answer(frame);
        }

        @Override
        public void urgent(Frame frame) {
            outgoing.urgent(0, frame);
        }

        @Override
        public void entriesEnd(Frame.EntriesEnd last) {
            outgoing.entriesEnd(last);
        }

        @Override
        public void consumed(Window window, int bytes) {
            inflow.consumed(window, bytes);
        }

        @Override
        public void agreed(SessionOptions options) {
            if (options.dryRun()) {
                return;
            }
            for (int number = 0; number < tuning.workers(); number++) {
                Optional<Compressor> compressor = options.compression() == Compression.OFF
                        ? Optional.empty()
                        : Optional.of(new Compressor(options.compression() == Compression.ON));
                BlockBuilder builder = new BlockBuilder(outgoing, pool, compressor);
                loop.start(
                        "work-" + number,
                        new ContentWorker(
                                tree,
                                table,
                                jobs,
                                builder,
                                memory,
                                !options.checksum(),
                                number == 0 && tuning.workers() > 1,
                                meter.underWay(),
                                loop::add));
            }
        }

        @Override
        public void work(Job job) {
            jobs.add(job);
        }

        @Override
        public void forget(long file) {
            sent.forget(file);
        }

        @Override
        public Set<Long> lostWith(int link) {
            outgoing.unpin(link);
            return sent.takeAll(link);
        }

        @Override
        public void end(SessionEnd how) {
            loop.end(how);
        }
    }
}
