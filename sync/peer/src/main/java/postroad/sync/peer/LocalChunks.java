package postroad.sync.peer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import postroad.common.Bytes32;
import postroad.common.Sha256;
import postroad.sync.core.ChunkClass;
import postroad.sync.core.ChunkRange;
import postroad.sync.core.FrameCodec;
import postroad.sync.core.Recipe;
import postroad.sync.core.ShortId;
import postroad.sync.core.ShortRecipe;
import postroad.sync.core.TreePath;
import postroad.sync.folder.ChunkMemory;
import postroad.sync.folder.EntryStat;
import postroad.sync.folder.FileHandle;
import postroad.sync.folder.Leftover;
import postroad.sync.folder.TreeException;

/// Finds a recipe's chunks in the receiver's tree: in the file's old version, in files it may have been renamed from,
/// in what a broken session left, and wherever the memory of hashed files says. Owned by one worker.
///
/// What is nowhere is asked for first, then the rest is copied while it is on its way. Every chunk is hashed while it
/// is copied, so that a wrong hint costs a late question and nothing else.
final class LocalChunks {
    /// Files that are read to find out whether a new one is them renamed.
    private static final int CANDIDATES = 3;
    /// Chunks of an old version that are looked at, 150 bytes each.
    private static final long MOST_CHUNKS = Runtime.getRuntime().maxMemory() / 1000;
    /// From this size on it is tried to share the old version's blocks.
    private static final long WORTH_SHARING = 1 << 20;
    /// What a broken session left of a file of this size goes as soon as its chunks are copied, so that one session
    /// that
    /// breaks after another does not fill the disk.
    private static final long WORTH_DISCARDING = 16 << 20;
    /// A multiple of every file system's blocks.
    private static final long ALIGNED = 64 << 10;

    private final Target target;
    private final Sources sources;
    private final boolean trustsMemory;
    private final Incoming.Stager stager;
    private final Settlement settlement;
    private final Meter meter;
    private final Consumer<ReceiverEvent> inbox;
    private final FileCutter cutter = new FileCutter();
    private final Sha256 sha = new Sha256();
    private final byte[] hash = new byte[Bytes32.LENGTH];
    private byte[] buffer = new byte[0];
    private long copying;

    LocalChunks(
            Target target,
            Sources sources,
            boolean trustsMemory,
            Incoming.Stager stager,
            Settlement settlement,
            Meter meter,
            Consumer<ReceiverEvent> inbox) {
        this.target = target;
        this.sources = sources;
        this.trustsMemory = trustsMemory;
        this.stager = stager;
        this.settlement = settlement;
        this.meter = meter;
        this.inbox = inbox;
    }

    /// Somewhere a chunk lies.
    ///
    /// @param isOld whether it is in the version that will be replaced
    private record Place(FileHandle file, long offset, boolean isOld) {
        boolean isAt(long position) {
            return isOld && offset == position;
        }
    }

    /// Finds what is here of `file`, asks for the rest, and copies.
    void find(Incoming file, Incoming.Described described) {
        try (OpenFiles open = new OpenFiles()) {
            Map<ShortId, Place> near = new HashMap<>();
            if (isUnchanged(file, described, near, open)) {
                settlement.unchanged(file, described);
                return;
            }
            file.contentChanges();
            Place[] places = new Place[described.firsts().length];
            List<Integer> missing = new ArrayList<>();
            for (int i = 0; i < places.length; i++) {
                int index = described.firsts()[i];
                places[i] = place(described.recipe(), index, near, open);
                if (places[i] == null) {
                    missing.add(index);
                }
            }
            if (fill(file, described, places, missing)) {
                open.discardTaken(described.recipe().size());
            }
        } catch (TreeException e) {
            settlement.failed(file, Failures.whenWriting(e.reason()), e.why());
        }
    }

    /// Copies what is here; false when nobody cares any more.
    private boolean fill(Incoming file, Incoming.Described described, Place[] places, List<Integer> missing)
            throws TreeException {
        Optional<Incoming.Claim> claim = file.claimLocal(described.attempt(), stager);
        if (claim.isEmpty()) {
            return false;
        }
        List<Integer> late = new ArrayList<>();
        boolean done = false;
        toCopy(described.recipe().size() - size(described, missing));
        try {
            // Before anything is asked for: what comes must not be overwritten.
            long shared = share(file, described.recipe(), places, claim.get());
            ask(file, described, missing);
            for (int i = 0; i < places.length; i++) {
                int index = described.firsts()[i];
                if (places[i] != null && !copy(file, described, index, places[i], claim.get(), shared)) {
                    late.add(index);
                }
            }
            done = true;
        } finally {
            toCopy(-copying);
            if (!done) {
                file.abandon(claim.get());
            }
        }
        if (!late.isEmpty()) {
            ask(file, described, late);
        }
        settlement.settled(file, file.settleLocal(claim.get()));
        return true;
    }

    /// Has the staged file begin as the old version, where that is large and the file system can share blocks:
    /// then only what lies elsewhere or is new has to be written. Gives how many bytes are shared.
    private long share(Incoming file, ShortRecipe recipe, Place[] places, Incoming.Claim claim) {
        Optional<FileHandle> old = file.old().isEmpty()
                ? Optional.empty()
                : Arrays.stream(places)
                        .filter(place -> place != null && place.isOld())
                        .findFirst()
                        .map(Place::file);
        long length = old.isEmpty() ? 0 : Math.min(file.old().get().size(), recipe.size()) / ALIGNED * ALIGNED;
        boolean worth = length >= WORTH_SHARING;
        return worth && target.sharing().share(claim.target(), old.get(), length) ? length : 0;
    }

    /// Puts a chunk into all of its places in the file; false when it is not where it was said to be.
    private boolean copy(
            Incoming file, Incoming.Described described, int index, Place place, Incoming.Claim claim, long shared)
            throws TreeException {
        ShortRecipe recipe = described.recipe();
        int length = recipe.length(index);
        if (buffer.length < length) {
            buffer = new byte[recipe.chunkClass().max()];
        }
        boolean loaded = false;
        for (int position : described.places(index)) {
            long offset = recipe.offset(position);
            // In the first place only when it was cut there, in further ones on trial: runs of zeros are in many.
            boolean mayBeHere = offset + length <= shared && (position != index || place.isAt(offset));
            // What is there already is read from there, so that nobody can have changed it in between.
            boolean here = mayBeHere && isChunkAt(claim.target(), offset, recipe, index);
            loaded = here || loaded && !mayBeHere;
            if (!here) {
                loaded = loaded || isChunkAt(place.file(), place.offset(), recipe, index);
                if (!loaded) {
                    return false;
                }
                claim.target().write(offset, buffer, 0, length);
            }
            file.placed(claim, position, hash);
            meter.reusedBytes.add(length);
            toCopy(-length);
        }
        return true;
    }

    /// Whether the chunk lies there; it is in the buffer then, and its hash beside it.
    private boolean isChunkAt(FileHandle source, long offset, ShortRecipe recipe, int index) {
        int length = recipe.length(index);
        if (!read(source, offset, length)) {
            return false;
        }
        sha.update(buffer, 0, length).finish(hash, 0);
        return ShortId.of(Bytes32.of(hash, 0)).equals(recipe.shortId(index));
    }

    private boolean read(FileHandle source, long offset, int length) {
        try {
            return source.read(offset, buffer, 0, length) == length;
        } catch (TreeException e) {
            return false;
        }
    }

    /// So many bytes more are to be copied.
    private void toCopy(long bytes) {
        copying += bytes;
        meter.copyingBytes.add(bytes);
    }

    private static long size(Incoming.Described described, List<Integer> chunks) {
        return chunks.stream()
                .mapToLong(index -> described.recipe().length(index))
                .sum();
    }

    /// Asks for chunks by their first index. When nothing is missing the sender is told that too:
    /// else it would not know before the end of what may be a long copy.
    private void ask(Incoming file, Incoming.Described described, List<Integer> firsts) {
        if (!firsts.isEmpty()) {
            file.asks(described.attempt());
        }
        meter.underWay()
                .missing(file.id(), described.attempt(), described.recipe().size(), size(described, firsts));
        for (List<ChunkRange> ranges : frames(firsts)) {
            inbox.accept(new ReceiverEvent.ChunksMissing(file.id(), described.attempt(), ranges));
        }
    }

    /// These chunks as ranges, in as many lists as frames are needed for them; one empty list for none.
    static List<List<ChunkRange>> frames(List<Integer> chunks) {
        int[] indices = chunks.stream().mapToInt(Integer::intValue).toArray();
        Arrays.sort(indices);
        List<List<ChunkRange>> frames = new ArrayList<>();
        List<ChunkRange> ranges = new ArrayList<>();
        frames.add(ranges);
        int from = 0;
        for (int i = 1; i <= indices.length; i++) {
            if (i < indices.length && indices[i] == indices[i - 1] + 1) {
                continue;
            }
            if (ranges.size() == FrameCodec.MAX_ITEMS) {
                ranges = new ArrayList<>();
                frames.add(ranges);
            }
            ranges.add(new ChunkRange(indices[from], i - from));
            from = i;
        }
        return frames;
    }

    /// Notes where the chunks of the old version lie, or of files that this one may have been; says whether the old
    /// version has the very same content.
    private boolean isUnchanged(Incoming file, Incoming.Described described, Map<ShortId, Place> near, OpenFiles open) {
        ChunkClass cutAs = described.recipe().chunkClass();
        LongConsumer read = bytes -> meter.underWay().read(file.id(), described.attempt(), bytes);
        if (file.old().isPresent()) {
            Optional<Recipe> old =
                    addChunks(near, file.entry().path(), file.old().get(), cutAs, open, true, read);
            return old.isPresent() && described.root().fits(old.get().root());
        }
        for (Sources.Orphan each : sources.candidates(file.entry(), CANDIDATES)) {
            addChunks(near, each.path(), each.version(), cutAs, open, false, read);
        }
        return false;
    }

    private Optional<Recipe> addChunks(
            Map<ShortId, Place> near,
            TreePath path,
            EntryStat version,
            ChunkClass cutAs,
            OpenFiles open,
            boolean isOld,
            LongConsumer read) {
        if (version.size() / cutAs.average() > MOST_CHUNKS) {
            // Cut so finely it would not fit into memory: its chunks come again.
            return Optional.empty();
        }
        Optional<FileHandle> handle = open.open(path, version);
        if (handle.isEmpty()) {
            return Optional.empty();
        }
        Optional<Recipe> recipe = recipeOf(handle.get(), path, version, cutAs, read);
        for (int i = 0; recipe.isPresent() && i < recipe.get().count(); i++) {
            near.putIfAbsent(
                    recipe.get().shortId(i),
                    new Place(handle.get(), recipe.get().offset(i), isOld));
        }
        return recipe;
    }

    private Optional<Recipe> recipeOf(
            FileHandle handle, TreePath path, EntryStat version, ChunkClass cutAs, LongConsumer read) {
        if (trustsMemory) {
            Optional<Recipe> known = sources.memory().recall(version, cutAs);
            if (known.isPresent()) {
                return known;
            }
        }
        try {
            // Opening a file that was locked moved its ctime.
            EntryStat now = handle.stat();
            Optional<Recipe> cut = cutter.cut(handle, now, cutAs, read);
            cut.ifPresent(each -> sources.memory().remember(path, now, each));
            return cut;
        } catch (TreeException e) {
            return Optional.empty();
        }
    }

    private Place place(ShortRecipe recipe, int index, Map<ShortId, Place> near, OpenFiles open) {
        ShortId id = recipe.shortId(index);
        Place found = near.get(id);
        if (found != null) {
            return found;
        }
        Optional<Place> left = target.leftovers().find(id).flatMap(place -> inLeftover(place, open));
        if (left.isPresent()) {
            return left.get();
        }
        return sources.memory()
                .find(id, recipe.chunkClass())
                .filter(place -> place.length() == recipe.length(index))
                .flatMap(place -> inTree(place, open))
                .orElse(null);
    }

    private static Optional<Place> inLeftover(Leftovers.Place place, OpenFiles open) {
        return open.open(place.leftover()).map(file -> new Place(file, place.offset(), false));
    }

    private Optional<Place> inTree(ChunkMemory.Place place, OpenFiles open) {
        boolean tried = open.hasTried(place.path());
        Optional<FileHandle> file = open.open(place.path(), place.version());
        if (file.isEmpty() && !tried && open.hasTried(place.path())) {
            sources.memory().forget(place);
        }
        return file.map(handle -> new Place(handle, place.offset(), false));
    }

    /// Files that are open while one recipe is looked at: each once, only in the version that is meant.
    private final class OpenFiles implements AutoCloseable {
        private static final int MOST = 64;

        private final Map<TreePath, Optional<FileHandle>> files = new HashMap<>();
        private final Map<Leftover, Optional<FileHandle>> leftovers = new HashMap<>();

        Optional<FileHandle> open(TreePath path, EntryStat version) {
            Optional<FileHandle> known = files.get(path);
            if (known != null || files.size() >= MOST) {
                return known == null ? Optional.empty() : known;
            }
            Optional<FileHandle> opened = tryOpen(path, version);
            files.put(path, opened);
            return opened;
        }

        Optional<FileHandle> open(Leftover leftover) {
            if (leftovers.size() >= MOST && !leftovers.containsKey(leftover)) {
                return Optional.empty();
            }
            return leftovers.computeIfAbsent(leftover, OpenFiles::tryOpen);
        }

        private static Optional<FileHandle> tryOpen(Leftover leftover) {
            try {
                return Optional.of(leftover.open());
            } catch (TreeException e) {
                return Optional.empty();
            }
        }

        /// Removes leftovers of a large file of this size, of which all that is of use was copied.
        void discardTaken(long size) {
            leftovers.forEach((leftover, file) -> {
                if (file.isPresent() && size >= WORTH_DISCARDING && leftover.size() == size) {
                    leftover.discard();
                }
            });
        }

        boolean hasTried(TreePath path) {
            return files.containsKey(path);
        }

        private Optional<FileHandle> tryOpen(TreePath path, EntryStat version) {
            try {
                return target.tree().openVersion(path, version);
            } catch (TreeException e) {
                // A hint that does not hold.
                return Optional.empty();
            }
        }

        @Override
        public void close() {
            files.values().forEach(file -> file.ifPresent(FileHandle::close));
            leftovers.values().forEach(file -> file.ifPresent(FileHandle::close));
        }
    }
}
