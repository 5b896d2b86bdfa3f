package postroad.app.transfer;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import postroad.nostr.core.VerifiedEvent;

/// Imports JSON lines: one thread reads, all cores parse and verify, the calling thread writes in the lines' order.
///
/// Protected events and old ones are taken, as befits an operator's own archive; the bound on the future holds. What
/// the store's rules leave out (replaced, deleted, vanished, expired) is counted and no error, so that the same lines
/// in any order, any number of times, give the same store.
public final class Importer {
    /// Bytes of lines between reading and writing.
    private static final int MAX_IN_FLIGHT = 64 << 20;

    private static final long HAND_ON_MILLIS = 50;
    private static final long LOOK_UP_MILLIS = 100;
    private static final long PROGRESS_NANOS = 250_000_000L;

    private final EventSink sink;
    private final ImportOptions options;
    private final Consumer<ImportSummary> progress;
    private final Tally tally = new Tally();
    private final BlockingQueue<Future<Verified>> chunks;
    private final Semaphore room = new Semaphore(MAX_IN_FLIGHT);
    private final List<VerifiedEvent> pending = new ArrayList<>();
    private volatile boolean stopped;
    private int pendingBytes;
    private long lastProgress = System.nanoTime();

    private Importer(EventSink sink, ImportOptions options, Consumer<ImportSummary> progress) {
        this.sink = sink;
        this.options = options;
        this.progress = progress;
        this.chunks = new ArrayBlockingQueue<>(4 * options.verifiers() + 4);
    }

    /// Imports everything.
    ///
    /// @param progress told the counts a few times a second
    /// @throws ImportFailure when the store takes no more
    /// @throws IOException when a source cannot be read on
    public static ImportSummary run(
            Sources sources, EventSink sink, ImportOptions options, Consumer<ImportSummary> progress)
            throws IOException, InterruptedException {
        return new Importer(sink, options, progress).run(sources);
    }

    private ImportSummary run(Sources sources) throws IOException, InterruptedException {
        ExecutorService verifiers = Executors.newFixedThreadPool(
                options.verifiers(),
                Thread.ofPlatform().daemon().name("import-verifier-", 1).factory());
        // A daemon, because nothing can wake a thread that reads from a terminal or a pipe.
        Thread.ofPlatform().daemon().name("import-reader").start(() -> readAll(sources, verifiers));
        try {
            writeAll();
            return tally.summary();
        } finally {
            // Not by an interrupt: that would close the socket that the source may be read from, and on which the
            // import's end is still to be told.
            stopped = true;
            verifiers.shutdownNow();
        }
    }

    // The reading thread.

    private void readAll(Sources sources, ExecutorService verifiers) {
        try {
            Optional<Source> source = sources.next();
            while (source.isPresent() && !stopped) {
                readNamed(source.get(), verifiers);
                source = sources.next();
            }
            put(CompletableFuture.completedFuture(END));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Throwable e) {
            // Whatever it is: the writing thread waits for this one's last word.
            putLast(CompletableFuture.failedFuture(e));
        }
    }

    private void putLast(Future<Verified> failure) {
        try {
            put(failure);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Waits for room in the queue, unless the import has ended.
    private void put(Future<Verified> chunk) throws InterruptedException {
        while (!stopped && !chunks.offer(chunk, LOOK_UP_MILLIS, TimeUnit.MILLISECONDS)) {
            // The writing thread is slow; there is nothing to do but to wait.
        }
    }

    private void readNamed(Source source, ExecutorService verifiers) throws IOException, InterruptedException {
        try {
            read(source, verifiers);
        } catch (IOException e) {
            throw new IOException(source.name() + ": " + e.getMessage(), e);
        }
    }

    private void read(Source source, ExecutorService verifiers) throws IOException, InterruptedException {
        LineReader lines = new LineReader(source, options.maxLineBytes());
        long now = System.currentTimeMillis() / 1000;
        Optional<Chunk> chunk = lines.next();
        while (chunk.isPresent() && awaitRoom(share(chunk.get().size()))) {
            Chunk one = chunk.get();
            put(verifiers.submit(() -> Verified.of(one, options, now)));
            chunk = lines.next();
        }
    }

    /// Waits until the bytes have room; false when the import has ended.
    private boolean awaitRoom(int bytes) throws InterruptedException {
        while (!stopped) {
            if (room.tryAcquire(bytes, LOOK_UP_MILLIS, TimeUnit.MILLISECONDS)) {
                return true;
            }
        }
        return false;
    }

    /// What a chunk takes of the room; one that is larger than all of it takes all.
    private static int share(int bytes) {
        return Math.min(bytes, MAX_IN_FLIGHT);
    }

    private static final Verified END = new Verified(List.of(), List.of(), 0, 0, 0);

    // The calling thread.

    @SuppressWarnings("ReferenceEquality") // END is a mark, not a value
    private void writeAll() throws IOException, InterruptedException {
        while (true) {
            Future<Verified> next = chunks.poll(HAND_ON_MILLIS, TimeUnit.MILLISECONDS);
            if (next == null) {
                write();
                continue;
            }
            Verified chunk = get(next);
            if (chunk == END) {
                write();
                return;
            }
            take(chunk);
        }
    }

    private Verified get(Future<Verified> chunk) throws IOException, InterruptedException {
        try {
            return chunk.get();
        } catch (ExecutionException e) {
            write();
            if (e.getCause() instanceof IOException cause) {
                throw new ImportFailure(String.valueOf(cause.getMessage()), tally.summary());
            }
            throw new IllegalStateException("importing failed by a fault of ours", e.getCause());
        }
    }

    private void take(Verified chunk) throws IOException, InterruptedException {
        tally.lines(chunk.lines());
        for (Verified.Refusal refusal : chunk.refusals()) {
            for (long i = 0; i < refusal.count(); i++) {
                tally.refuse(refusal.reason(), refusal.where());
            }
        }
        pending.addAll(chunk.events());
        pendingBytes += share(chunk.bytes());
        if (pending.size() >= options.batch() || pendingBytes >= MAX_IN_FLIGHT / 4) {
            write();
        }
    }

    private void write() throws ImportFailure, InterruptedException {
        if (!pending.isEmpty()) {
            tally.outcomes(sink.write(List.copyOf(pending)).outcomes());
            pending.clear();
        }
        room.release(pendingBytes);
        pendingBytes = 0;
        long time = System.nanoTime();
        if (time - lastProgress >= PROGRESS_NANOS) {
            lastProgress = time;
            progress.accept(tally.summary());
        }
    }
}
