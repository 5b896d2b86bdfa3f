package postroad.sync.peer;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import postroad.sync.core.Deletion;
import postroad.sync.core.Entry;
import postroad.sync.core.Frame;
import postroad.sync.core.Role;
import postroad.sync.core.SessionId;
import postroad.sync.core.SessionOptions;
import postroad.sync.core.StopCode;
import postroad.sync.core.TreePath;
import postroad.sync.core.Window;
import postroad.sync.folder.EntryStat;
import postroad.sync.folder.Item;
import postroad.sync.folder.StagedFile;
import postroad.sync.folder.TreeException;
import postroad.wire.Fingerprint;
import postroad.wire.Link;

/// One session as the receiver: takes what the sender at the other end of its links brings.
///
/// The thread that calls [#run] owns the session. It begins when the sender's Hello was read from the first link;
/// further links join while it runs.
public final class ReceiveSession implements Seat.Sitter {
    private final Target target;
    private final Optional<Fingerprint> peer;
    private final Frame.Hello hello;
    private final SessionOptions own;
    private final SessionOptions options;
    private final Tuning tuning;
    private final Meter meter;

    private final BufferPool pool;
    private final Room room = Room.ofSession();
    private final Ledger ledger = new Ledger(Runtime.getRuntime().maxMemory() / 4);
    private final EntryQueue entries = new EntryQueue();
    private final Intake intake = new Intake();
    private final Hands hands = new Hands();
    private final Permits permits;
    private final Outgoing outgoing;
    private final Inflow inflow;
    private final Steering steering;
    private final SessionLinks links;
    private final ReceiverMachine machine;
    private final Committer committer;
    private final Settlement settlement;
    private final Thread committing;
    private final SessionLoop<ReceiverEvent> loop;

    ReceiveSession(
            Target target,
            Optional<Fingerprint> peer,
            Frame.Hello hello,
            SessionOptions own,
            Tuning tuning,
            SessionEvents events,
            Meter meter,
            BufferPool pool) {
        this.target = target;
        this.peer = peer;
        this.hello = hello;
        this.own = own;
        this.options = SessionOptions.merged(hello.options(), own);
        this.tuning = tuning;
        this.meter = meter;
        this.pool = pool;
        permits = new Permits(options.inFlight());
        outgoing = new Outgoing(options.parallel(), 0, 0);
        loop = new SessionLoop<>(
                "receive", "sender", outgoing, ReceiverEvent.LinkEnded::new, ReceiverEvent.Broken::new);
        inflow = new Inflow(outgoing);
        steering = new Steering(outgoing, inflow);
        links = new SessionLinks(
                "receive",
                options.parallel(),
                outgoing,
                pool,
                new Pace(tuning.bytesPerSecond(), System::nanoTime),
                new SentLog(
                        id -> {
                            throw new IllegalStateException("a receiver sends no content");
                        },
                        meter),
                hands,
                meter,
                System::nanoTime,
                tuning.silence());
        machine = new ReceiverMachine(hands, events, meter, ledger);
        committer = new Committer(target, options, intake, ledger, room, loop::add);
        committing = Thread.ofPlatform().daemon().name("receive-commit").unstarted(committer);
        settlement = new Settlement(hands, committer, loop::add);
    }

    /// The session's id, by which further links join it.
    SessionId id() {
        return hello.session();
    }

    /// Whether the session's first link has the same peer.
    boolean isFrom(Optional<Fingerprint> other) {
        return peer.equals(other);
    }

    /// Has the session end soon, and says why to the sender.
    void stop(StopCode code, String text) {
        loop.add(new ReceiverEvent.StopAsked(code, text));
    }

    @Override
    public boolean answers(Duration within) throws InterruptedException {
        return links.answers(within);
    }

    @Override
    public void makeWay(String why) {
        loop.add(new ReceiverEvent.LinkEnded(0, new IOException(why)));
    }

    /// Lets a further link carry content; false when there is no place for it.
    boolean join(int number, Link link, FrameReader frames) {
        MeteredLink metered = links.metered(link);
        frames.over(metered);
        boolean joined = links.attach(number, metered, frames);
        if (joined) {
            permits.linkStands(number);
        }
        return joined;
    }

    /// Runs the session to its end over `first`.
    ///
    /// @param greets whether this side's Hello is still to be sent
    SessionEnd run(Link first, FrameReader frames, boolean greets) throws InterruptedException {
        meter.phase(Meter.Phase.SCANNING);
        if (greets) {
            outgoing.urgent(
                    0,
                    new Frame.Hello(
                            Protocol.VERSION,
                            Protocol.LEAST_VERSION,
                            id(),
                            Role.RECEIVER,
                            options.parallel(),
                            own,
                            Protocol.SOFTWARE,
                            new byte[0]));
        }
        join(0, first, frames);
        try {
            begin();
            return loop.run(machine::take, links);
        } finally {
            close();
        }
    }

    private void begin() {
        Comparer.Names names = target.names(options);
        Item first = names.next();
        Sources sources = target.sources(first instanceof Item.End && !options.single());
        if (!target.keepsModes()) {
            loop.add(new ReceiverEvent.Note("the file system of the target holds no modes; none is compared or set"));
        }
        Comparer comparer = new Comparer(
                entries,
                after(first, names),
                options,
                target.comparison(options),
                target.caseTwins(),
                target.only(),
                sources,
                ledger,
                permits,
                hands,
                loop::add,
                meter);
        loop.start("compare", comparer);
        committing.start();
        if (!options.dryRun()) {
            loop.start("leftovers", () -> target.readLeftovers());
            for (int number = 0; number < tuning.workers(); number++) {
                loop.start("work-" + number, worker(number, sources));
            }
        }
    }

    /// The names from `first` on.
    private static Comparer.Names after(Item first, Comparer.Names rest) {
        return new Comparer.Names() {
            private boolean begun;

            @Override
            public Item next() {
                boolean isFirst = !begun;
                begun = true;
                return isFirst ? first : rest.next();
            }

            @Override
            public boolean announced(TreePath path) {
                return rest.announced(path);
            }
        };
    }

    private BlockWorker worker(int number, Sources sources) {
        LocalChunks local = new LocalChunks(target, sources, !options.checksum(), hands, settlement, meter, loop::add);
        return new BlockWorker(
                intake,
                ledger,
                hands,
                local,
                settlement,
                inflow,
                pool,
                meter,
                number == 0 && tuning.workers() > 1,
                loop::add);
    }

    private void close() throws InterruptedException {
        SessionEnd end = loop.close();
        entries.abort();
        permits.end();
        ledger.end();
        committer.refuse();
        intake.end();
        outgoing.refuse();
        switch (end) {
            case SessionEnd.Done done -> links.part();
            case SessionEnd.Stopped stopped -> links.part();
            case SessionEnd.Fault fault -> links.part();
            case SessionEnd.Broken broken -> links.abort();
            case null -> links.abort();
        }
        // What has arrived is staged, what is complete is committed, so that the next session need not bring it again.
        loop.join();
        committer.end();
        committing.join();
        target.close(end instanceof SessionEnd.Done);
    }

    /// What links, machine and comparer make happen here.
    private final class Hands implements LinkReader.Sink, ReceiverMachine.Effects, Comparer.Hands, Incoming.Stager {
        @Override
        public void received(int link, Frame frame, int length) {
            if (steering.takes(frame, length) || loop.isClosing()) {
                return;
            }
            if (frame instanceof Frame.Content content) {
                intake.add(new Intake.Work.Block(content, length));
            } else {
                loop.add(new ReceiverEvent.Received(link, frame, length));
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
        public void consumed(Window window, int bytes) {
            inflow.consumed(window, bytes);
        }

        @Override
        public void compare(EntryQueue.Item page) {
            entries.add(page);
        }

        @Override
        public void compareEnd(int length) {
            entries.add(new EntryQueue.Item.End(length));
        }

        @Override
        public void describe(Frame.RecipePart part, int length) {
            Incoming file = ledger.file(part.id());
            if (file != null) {
                file.part(part.attempt(), part.firstChunk(), part.chunks(), part.end())
                        .ifPresent(described -> intake.add(new Intake.Work.Describe(file, described)));
            }
            inflow.consumed(Window.CONTENT, length);
        }

        @Override
        public void giveUp(long id) {
            Incoming file = ledger.file(id);
            if (file != null) {
                file.drop();
            }
        }

        @Override
        public void closed(long id) {
            Incoming file = ledger.file(id);
            ledger.remove(id);
            if (file != null) {
                file.drop();
                permits.give(file.link());
            }
        }

        @Override
        public void linkGone(int link) {
            permits.linkGone(link);
        }

        @Override
        public void finish(boolean deletes) {
            committer.finish(deletes);
        }

        @Override
        public void end(SessionEnd how) {
            loop.end(how);
        }

        @Override
        public boolean isCrowded() {
            return ledger.isFull() || outgoing.hasManyAnswers();
        }

        @Override
        public void awaitRoom() throws InterruptedException {
            ledger.awaitRoom();
            outgoing.awaitAnswersRead();
        }

        @Override
        public Optional<Comparer.EntryFault> makeFolder(Entry folder) {
            return committer.makeFolder(folder);
        }

        @Override
        public void apply(long id, Entry entry, int changes) throws InterruptedException {
            committer.addAndWait(new Committer.Item.Apply(id, entry, changes));
        }

        @Override
        public void folder(long id, Entry entry, int changes) {
            committer.folder(id, entry, changes);
        }

        @Override
        public void surplus(Deletion deletion) {
            committer.surplus(deletion);
        }

        @Override
        public Incoming incoming(long id, Entry entry, Optional<EntryStat> old, int changes, boolean recipe, int link) {
            return new Incoming(id, entry, old, changes, recipe, link, room);
        }

        @Override
        public StagedFile create(Incoming file) throws TreeException {
            return target.stage(file.id(), file.size());
        }

        @Override
        public void discard(StagedFile file) {
            target.discard(file);
        }
    }
}
