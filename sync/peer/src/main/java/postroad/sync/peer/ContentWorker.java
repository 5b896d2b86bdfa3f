package postroad.sync.peer;

import java.util.Optional;
import java.util.function.Consumer;
import postroad.common.Bytes32;
import postroad.sync.core.ChunkClass;
import postroad.sync.core.ChunkRange;
import postroad.sync.core.Chunker;
import postroad.sync.core.Entry;
import postroad.sync.core.FailureCode;
import postroad.sync.core.FileEnd;
import postroad.sync.core.FileVersion;
import postroad.sync.core.Recipe;
import postroad.sync.core.RootClaim;
import postroad.sync.core.TreePath;
import postroad.sync.folder.ChunkMemory;
import postroad.sync.folder.EntryStat;
import postroad.sync.folder.FileHandle;
import postroad.sync.folder.Tree;
import postroad.sync.folder.TreeException;

/// One of the sender's workers: reads files, cuts and hashes them, and fills blocks. One thread of its own.
///
/// A file is looked at before and after it is read; one that changed meanwhile is reported and not ended, so that the
/// receiver never takes a mixture for a version.
final class ContentWorker implements Runnable {
    private static final FailureCode CHANGED = FailureCode.CHANGED;
    private static final String CHANGED_TEXT = "it changed while it was read";

    private final Tree tree;
    private final EntryTable table;
    private final JobQueue jobs;
    private final BlockBuilder builder;
    private final ChunkMemory memory;
    private final boolean trustsMemory;
    private final boolean descriptionsFirst;
    private final UnderWay underWay;
    private final Consumer<SenderEvent> inbox;
    private final FileCutter cutter = new FileCutter();

    /// @param trustsMemory whether what is remembered of a file may stand for reading it
    /// @param descriptionsFirst which work it likes best
    /// @param underWay is told what is read to compare files
    ContentWorker(
            Tree tree,
            EntryTable table,
            JobQueue jobs,
            BlockBuilder builder,
            ChunkMemory memory,
            boolean trustsMemory,
            boolean descriptionsFirst,
            UnderWay underWay,
            Consumer<SenderEvent> inbox) {
        this.tree = tree;
        this.table = table;
        this.jobs = jobs;
        this.builder = builder;
        this.memory = memory;
        this.trustsMemory = trustsMemory;
        this.descriptionsFirst = descriptionsFirst;
        this.underWay = underWay;
        this.inbox = inbox;
    }

    @Override
    public void run() {
        try {
            Optional<Job> job = jobs.take(descriptionsFirst);
            while (job.isPresent()) {
                doJob(job.get());
                Optional<Job> more = jobs.pollContent();
                if (more.isEmpty() || builder.isFull()) {
                    builder.flush();
                }
                job = more.isPresent() ? more : jobs.take(descriptionsFirst);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Throwable e) {
            inbox.accept(new SenderEvent.Broken(e));
        } finally {
            builder.close();
        }
    }

    private void doJob(Job job) throws InterruptedException {
        if (job instanceof Job.Describe) {
            // The receiver takes recipes at once, unless it wants us to keep them all.
            builder.flush();
            builder.awaitAnswersRead();
        }
        Entry entry = table.entry(job.id());
        TreePath path = entry.path();
        try (FileHandle file = tree.openForReading(path)) {
            EntryStat before = file.stat();
            switch (job) {
                case Job.Whole whole -> sendWhole(whole, entry, file, before);
                case Job.Describe describe -> describe(describe, entry, file, before);
                case Job.Chunks chunks -> sendChunks(chunks, file, before);
            }
        } catch (TreeException e) {
            builder.abandon();
            FailureCode code = Failures.whenReading(e.reason());
            inbox.accept(new SenderEvent.WorkFailed(job.id(), job.attempt(), code, e.why(), false));
        }
    }

    private void sendWhole(Job.Whole job, Entry entry, FileHandle file, EntryStat before)
            throws TreeException, InterruptedException {
        ChunkClass cutAs = ChunkClass.ofSize(before.size());
        Chunker chunker = new Chunker(cutAs);
        Recipe.Builder recipe = new Recipe.Builder(cutAs);
        builder.begin(job.id(), job.attempt(), cutAs, 0, job.link());
        long offset = 0;
        while (offset < before.size() || builder.uncut() > 0) {
            int read = fill(file, offset, before.size());
            if (read < 0) {
                changed(job);
                return;
            }
            offset += read;
            cut(chunker, recipe, cutAs, offset == before.size());
            if (offset < before.size() || builder.uncut() > 0) {
                builder.next();
            }
        }
        if (!file.stat().isSameVersion(before)) {
            changed(job);
            return;
        }
        Recipe made = recipe.build();
        builder.end(unlessAnnounced(before, entry), made.root());
        memory.remember(entry.path(), before, made);
    }

    /// Reads until the builder is full or the file is read; -1 when it ends too soon.
    private int fill(FileHandle file, long offset, long size) throws TreeException {
        int total = 0;
        while (offset + total < size && builder.room() > 0) {
            int length = (int) Math.min(builder.room(), size - offset - total);
            int read = file.read(offset + total, builder.buffer(), builder.readTo(), length);
            if (read <= 0) {
                return -1;
            }
            builder.wasRead(read);
            total += read;
        }
        return total;
    }

    private void cut(Chunker chunker, Recipe.Builder recipe, ChunkClass cutAs, boolean last) {
        while (builder.uncut() >= cutAs.max() || last && builder.uncut() > 0) {
            int from = builder.uncutFrom();
            int length = chunker.cut(builder.buffer(), from, from + builder.uncut());
            recipe.add(length, builder.chunk(length), 0);
        }
    }

    private void changed(Job job) {
        builder.abandon();
        inbox.accept(new SenderEvent.WorkFailed(job.id(), job.attempt(), CHANGED, CHANGED_TEXT, true));
    }

    /// The version that was read; empty when the entry had announced it.
    private static Optional<FileVersion> unlessAnnounced(EntryStat read, Entry entry) {
        FileVersion version = new FileVersion(read.size(), read.seconds(), read.nanos(), read.mode() & 07777);
        return Optional.of(version).filter(each -> !each.equals(FileVersion.of(entry)));
    }

    private void describe(Job.Describe job, Entry entry, FileHandle file, EntryStat before) throws TreeException {
        ChunkClass cutAs = ChunkClass.ofSize(before.size());
        Optional<Recipe> known = trustsMemory ? memory.recall(before, cutAs) : Optional.empty();
        Optional<Recipe> recipe = known.isPresent()
                ? known
                : cutter.cut(file, before, cutAs, bytes -> underWay.read(job.id(), job.attempt(), bytes));
        if (recipe.isEmpty()) {
            changed(job);
            return;
        }
        if (known.isEmpty()) {
            memory.remember(entry.path(), before, recipe.get());
        }
        FileEnd end = new FileEnd(
                unlessAnnounced(before, entry), new RootClaim.Whole(recipe.get().root()));
        inbox.accept(new SenderEvent.Described(job.id(), job.attempt(), recipe.get(), end));
    }

    private void sendChunks(Job.Chunks job, FileHandle file, EntryStat before)
            throws TreeException, InterruptedException {
        Recipe recipe = job.recipe();
        if (before.size() != recipe.size()) {
            changed(job);
            return;
        }
        for (ChunkRange range : job.ranges()) {
            builder.begin(job.id(), job.attempt(), recipe.chunkClass(), recipe.offset(range.first()), job.link());
            for (int i = range.first(); i < range.first() + range.count(); i++) {
                if (builder.room() < recipe.length(i)) {
                    builder.next();
                }
                if (!sendChunk(file, recipe, i)) {
                    changed(job);
                    return;
                }
            }
            builder.end();
        }
    }

    private boolean sendChunk(FileHandle file, Recipe recipe, int index) throws TreeException {
        int length = recipe.length(index);
        int got = 0;
        while (got < length) {
            int read = file.read(recipe.offset(index) + got, builder.buffer(), builder.readTo(), length - got);
            if (read <= 0) {
                return false;
            }
            builder.wasRead(read);
            got += read;
        }
        return Bytes32.of(builder.chunk(length), 0).equals(recipe.hash(index));
    }
}
