package postroad.sync.peer;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.Map;
import postroad.sync.core.Frame;
import postroad.sync.core.FrameCodec;
import postroad.sync.core.SendWindow;
import postroad.sync.core.Window;

/// What waits to go out over the links of one session, and in which order.
///
/// The first link carries everything that has an order: first what steers the session, then answers, then entries.
/// Content goes over whichever link is free, so work is shared and never dealt out in advance. Frames of a window wait
/// until the peer has granted their bytes.
///
/// A monitor: the session, the scan and the workers put, one writer for each link takes.
final class Outgoing {
    /// So many bytes of small frames go into one write.
    static final int BATCH = 64 << 10;

    @SuppressWarnings("ArrayRecordComponent") // handed on, never compared
    private record Waiting(byte[] bytes, Window window) {}

    /// Pongs that wait at a time; a Ping beyond is not answered.
    private static final int MOST_PONGS = 16;
    /// Bytes of answers that wait while whoever makes more should pause.
    private static final long MUCH_ANSWERED = 2 << 20;

    private final ArrayDeque<byte[]>[] urgent;
    private final ArrayDeque<Block>[] pinned;
    private final ArrayDeque<Waiting> answers = new ArrayDeque<>();
    private final ArrayDeque<byte[]> entries = new ArrayDeque<>();
    private final ArrayDeque<Block> content = new ArrayDeque<>();
    private final ArrayDeque<Long> pongs = new ArrayDeque<>();
    private final Map<Window, Long> credits = new EnumMap<>(Window.class);
    private long queuedAnswers;
    private final Map<Window, SendWindow> windows = new EnumMap<>(Window.class);
    private final long mostEntries;
    private final long mostContent;
    private long queuedEntries;
    private long queuedContent;
    private final BitSet gone = new BitSet();
    private boolean refusing;
    private boolean finished;
    private boolean aborted;

    /// @param links how many links there may be
    /// @param mostEntries bytes of entries that may wait here; the scan pauses beyond
    /// @param mostContent bytes of content that may wait here; the workers pause beyond
    @SuppressWarnings({"unchecked", "rawtypes"})
    Outgoing(int links, long mostEntries, long mostContent) {
        this.mostEntries = mostEntries;
        this.mostContent = mostContent;
        urgent = new ArrayDeque[links];
        pinned = new ArrayDeque[links];
        for (int link = 0; link < links; link++) {
            urgent[link] = new ArrayDeque<>();
            pinned[link] = new ArrayDeque<>();
        }
        for (Window window : Window.values()) {
            windows.put(window, new SendWindow(window));
        }
    }

    /// Puts a frame that steers the session before everything else of `link`.
    synchronized void urgent(int link, Frame frame) {
        urgent[link].addLast(FrameCodec.encode(frame));
        notifyAll();
    }

    /// Answers a Ping, unless the peer lets too many Pongs wait.
    synchronized void pong(long number) {
        if (pongs.size() < MOST_PONGS) {
            pongs.addLast(number);
            notifyAll();
        }
    }

    /// Lets the peer send `bytes` more of `window`; what waits to be said is said at once.
    synchronized void credit(Window window, long bytes) {
        credits.merge(window, bytes, Long::sum);
        notifyAll();
    }

    /// Puts a frame behind all answers before it.
    synchronized void answer(Frame frame) {
        byte[] bytes = FrameCodec.encode(frame);
        answers.addLast(new Waiting(bytes, frame.countsAgainst().orElse(null)));
        queuedAnswers += bytes.length;
        notifyAll();
    }

    /// Waits while the peer lets many answers wait: what makes more of them pauses.
    synchronized void awaitAnswersRead() throws InterruptedException {
        while (queuedAnswers >= MUCH_ANSWERED && !refusing) {
            wait();
        }
    }

    /// Whether [#awaitAnswersRead] would wait.
    synchronized boolean hasManyAnswers() {
        return queuedAnswers >= MUCH_ANSWERED && !refusing;
    }

    /// Puts a page of entries; waits while too many wait already. Returns whether anybody still sends them.
    synchronized boolean entries(Frame page) throws InterruptedException {
        byte[] bytes = FrameCodec.encode(page);
        while (queuedEntries >= mostEntries && !refusing) {
            wait();
        }
        if (refusing) {
            return false;
        }
        entries.addLast(bytes);
        queuedEntries += bytes.length;
        notifyAll();
        return true;
    }

    /// Puts the end of the entries behind all of them.
    synchronized void entriesEnd(Frame.EntriesEnd end) {
        byte[] bytes = FrameCodec.encode(end);
        entries.addLast(bytes);
        queuedEntries += bytes.length;
        notifyAll();
    }

    /// Puts content; waits while too much waits already. Returns whether anybody still sends it.
    synchronized boolean content(Block block) throws InterruptedException {
        while (queuedContent >= mostContent && !refusing) {
            wait();
        }
        if (refusing) {
            return false;
        }
        boolean any = block.link() < 0 || gone.get(block.link());
        (any ? content : pinned[block.link()]).addLast(block);
        queuedContent += block.frameLength();
        notifyAll();
        return true;
    }

    /// A link is gone: what only it was to carry may go over any other.
    synchronized void unpin(int link) {
        content.addAll(pinned[link]);
        pinned[link].clear();
        gone.set(link);
        notifyAll();
    }

    /// The peer takes `bytes` more of `window`.
    ///
    /// @throws postroad.sync.core.ProtocolException if that is more than any window may be
    synchronized void granted(Window window, long bytes) {
        windows.get(window).grant(bytes);
        notifyAll();
    }

    /// Entries and content that are put from here on are dropped, and whoever waits to put some goes on.
    synchronized void refuse() {
        refusing = true;
        entries.clear();
        content.clear();
        for (ArrayDeque<Block> each : pinned) {
            each.clear();
        }
        queuedContent = 0;
        queuedEntries = 0;
        notifyAll();
    }

    /// Nothing more will be put: writers end when all is written.
    synchronized void finish() {
        finished = true;
        notifyAll();
    }

    /// Writers end at once, and whoever waits to put goes on.
    synchronized void abort() {
        refusing = true;
        aborted = true;
        notifyAll();
    }

    /// Whether nothing waits that answers or lets through what the peer sends.
    private boolean isSteered() {
        return pongs.isEmpty() && credits.isEmpty();
    }

    /// What `link` writes next: small frames into `batch`, which has room for [#BATCH] bytes and one frame more, and
    /// perhaps a block.
    ///
    /// @return empty when nothing more comes
    synchronized Next take(int link, ByteBuffer batch) throws InterruptedException {
        while (true) {
            if (aborted) {
                return new Next.End();
            }
            fill(link, batch);
            Block block = batch.position() < BATCH ? nextBlock(link) : null;
            if (block != null) {
                notifyAll();
                return new Next.Write(block);
            }
            if (batch.position() > 0) {
                notifyAll();
                return new Next.Write(null);
            }
            if (finished && isEmptyFor(link)) {
                return new Next.End();
            }
            // Finding a window used up may have put a frame that says so.
            if (urgent[link].isEmpty()) {
                wait();
            }
        }
    }

    /// What a writer does next.
    sealed interface Next {
        /// Write the batch, then the block if there is one.
        record Write(Block block) implements Next {}

        /// Nothing, ever.
        record End() implements Next {}
    }

    private boolean isEmptyFor(int link) {
        boolean ordered = link != 0 || isSteered() && answers.isEmpty() && entries.isEmpty();
        return ordered && urgent[link].isEmpty() && pinned[link].isEmpty() && content.isEmpty();
    }

    private void fill(int link, ByteBuffer batch) {
        while (fits(urgent[link].peekFirst(), batch)) {
            batch.put(urgent[link].removeFirst());
        }
        if (link != 0) {
            return;
        }
        credits.forEach((window, bytes) -> batch.put(FrameCodec.encode(new Frame.Credit(window, bytes))));
        credits.clear();
        pongs.forEach(number -> batch.put(FrameCodec.encode(new Frame.Pong(number))));
        pongs.clear();
        while (!answers.isEmpty() && fits(answers.peekFirst().bytes(), batch) && mayGo(answers.peekFirst())) {
            byte[] answer = answers.removeFirst().bytes();
            queuedAnswers -= answer.length;
            batch.put(answer);
        }
        while (fits(entries.peekFirst(), batch) && take(Window.ENTRIES, entries.peekFirst().length)) {
            byte[] page = entries.removeFirst();
            queuedEntries -= page.length;
            batch.put(page);
        }
    }

    /// A first frame always fits: the batch holds the longest small frame beyond [#BATCH].
    private static boolean fits(byte[] frame, ByteBuffer batch) {
        return frame != null && batch.position() < BATCH && frame.length <= batch.remaining();
    }

    private boolean mayGo(Waiting waiting) {
        return waiting.window() == null || take(waiting.window(), waiting.bytes().length);
    }

    private Block nextBlock(int link) {
        ArrayDeque<Block> from = pinned[link].isEmpty() ? content : pinned[link];
        Block block = from.peekFirst();
        if (block == null || !take(Window.CONTENT, block.frameLength())) {
            return null;
        }
        from.removeFirst();
        queuedContent -= block.frameLength();
        return block;
    }

    /// Takes bytes of a window, or tells the peer, once, that we could send more.
    private boolean take(Window window, int bytes) {
        if (windows.get(window).tryTake(bytes)) {
            return true;
        }
        if (windows.get(window).sayBlocked()) {
            urgent[0].addLast(FrameCodec.encode(new Frame.Blocked(window)));
            notifyAll();
        }
        return false;
    }
}
