package postroad.sync.peer;

import java.security.SecureRandom;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import postroad.common.Bytes32;
import postroad.sync.core.ChunkClass;
import postroad.sync.core.Entry;
import postroad.sync.core.FileEnd;
import postroad.sync.core.FileVersion;
import postroad.sync.core.Outcome;
import postroad.sync.core.ProtocolException;
import postroad.sync.core.Recipe;
import postroad.sync.core.RootClaim;
import postroad.sync.core.Segment;
import postroad.sync.core.ShortId;
import postroad.sync.core.ShortRecipe;
import postroad.sync.folder.EntryStat;
import postroad.sync.folder.FileHandle;
import postroad.sync.folder.StagedFile;
import postroad.sync.folder.TreeException;

/// What has arrived of one wanted file. Thread-safe: several workers may bring pieces at once.
///
/// A piece is claimed, hashed and written outside of the lock, and settled. When the last piece is settled the file is
/// judged by its root hash. A newer attempt drops what older ones brought.
final class Incoming {
    /// Makes the file that content is staged in.
    interface Stager {
        StagedFile create(Incoming file) throws TreeException;

        /// Forgets one that [#create] made.
        void discard(StagedFile file);
    }

    /// A piece that its holder may write, until it settles it.
    ///
    /// @param positions for a file with a recipe: for each chunk of the piece the indices that it fills
    @SuppressWarnings("ArrayRecordComponent") // handed on, never compared
    record Claim(Stage stage, Optional<ShortRecipe> recipe, int[][] positions) {
        /// Where it is written.
        FileHandle target() {
            return stage.file.file();
        }

        /// Where a chunk of the recipe begins.
        long offsetOf(int position) {
            return recipe.orElseThrow().offset(position);
        }

        /// Fails unless a chunk that came is the one that the recipe has there.
        ///
        /// @throws ProtocolException if it is another
        void check(int position, ShortId came) {
            if (!recipe.orElseThrow().shortId(position).equals(came)) {
                throw new ProtocolException("a chunk is not the one that its file's recipe has there");
            }
        }
    }

    /// One attempt's staged file and how many hold a claim on it.
    private static final class Stage {
        final Stager stager;
        final StagedFile file;
        int users;
        boolean dropped;

        Stage(Stager stager, StagedFile file) {
            this.stager = stager;
            this.file = file;
        }

        void discardIfUnused() {
            if (dropped && users == 0) {
                stager.discard(file);
            }
        }
    }

    /// What a file became when a piece was settled.
    sealed interface Verdict {
        /// More is to come, or nobody cares any more.
        record Open() implements Verdict {}

        /// It is complete and is what was sent.
        record Complete(StagedFile file, FileVersion version, Recipe recipe) implements Verdict {}

        /// It is complete and is not what was sent.
        record Wrong() implements Verdict {}
    }

    @SuppressWarnings("ArrayRecordComponent") // handed on, never compared
    private record Piece(int[] lengths, byte[] hashes) {
        long length() {
            long length = 0;
            for (int each : lengths) {
                length += each;
            }
            return length;
        }
    }

    /// What a chunk of a recipe takes, with its hashes and indices, until its file is done.
    private static final int RECIPE_BYTES = 100;
    /// What a chunk takes that came without a recipe, and a piece besides its chunks.
    private static final int PIECE_BYTES = 40;
    private static final int PIECE_CHUNKS = 4;
    /// Spreads ids that a peer chose alike.
    private static final long SPREAD = new SecureRandom().nextLong() | 1;

    private final long id;
    private final Entry entry;
    private final Optional<EntryStat> old;
    private int changes;
    private final boolean described;
    private final int link;
    private final Room room;
    private long taken;

    private boolean closed;
    private int attempt;
    private Stage stage;
    private FileVersion version;
    private RootClaim root;

    private ChunkClass cutAs;
    private long arrived;
    private final TreeMap<Long, Piece> pieces = new TreeMap<>();

    private ShortRecipe.Builder parts;
    private ShortRecipe recipe;
    private byte[] hashes;
    private BitSet filled = new BitSet();
    private Described whole;
    private boolean asked;

    /// @param old the version that it replaces
    /// @param changes what its outcome will be, as far as it is known
    /// @param described whether its recipe comes first
    /// @param link the permit it holds
    /// @param room for its chunks
    Incoming(long id, Entry entry, Optional<EntryStat> old, int changes, boolean described, int link, Room room) {
        this.room = room;
        this.id = id;
        this.entry = entry;
        this.old = old;
        this.changes = changes;
        this.described = described;
        this.link = link;
    }

    long id() {
        return id;
    }

    Entry entry() {
        return entry;
    }

    Optional<EntryStat> old() {
        return old;
    }

    synchronized int changes() {
        return changes;
    }

    /// Its content is found to differ from the old version's.
    synchronized void contentChanges() {
        changes |= Outcome.CONTENT;
    }

    /// Its content is found to be the old version's: nothing will be staged. False when nobody cares any more.
    synchronized boolean closeUnchanged(int tryOf) {
        if (closed || tryOf != attempt) {
            return false;
        }
        close();
        dropStage();
        return true;
    }

    /// From here on nothing that comes counts, and what was kept of its chunks is forgotten.
    private void close() {
        closed = true;
        forget();
    }

    /// Takes room for `chunks` more of a recipe, or of what came without one.
    private void take(int chunks, int bytes) {
        long more = (long) chunks * bytes;
        room.take(more, "the chunks of files under way");
        taken += more;
    }

    int link() {
        return link;
    }

    /// How many bytes it will have, as far as the sender has said.
    synchronized long size() {
        return version == null ? entry.size() : version.size();
    }

    /// Claims a piece that came; empty when it is not needed (any more).
    ///
    /// @throws ProtocolException if it does not fit what was said before
    synchronized Optional<Claim> claim(Segment segment, Stager stager) throws TreeException {
        if (closed || segment.attempt() < attempt) {
            return Optional.empty();
        }
        if (segment.attempt() > attempt) {
            restart(segment.attempt());
        }
        int[][] positions = new int[0][];
        if (described) {
            positions = positions(segment);
        } else {
            check(segment);
        }
        return Optional.of(claim(stager, positions));
    }

    private Claim claim(Stager stager, int[][] positions) throws TreeException {
        if (stage == null) {
            stage = new Stage(stager, stager.create(this));
        }
        stage.users++;
        return new Claim(stage, Optional.ofNullable(recipe), positions);
    }

    /// All of one class, and none too short but a file's last: otherwise a few bytes could cost many hashes.
    private void check(Segment segment) {
        if (cutAs == null) {
            cutAs = segment.chunkClass();
        }
        segment.end().ifPresent(each -> versionAt(each, segment.endsAt()));
        int[] lengths = segment.chunkLengths();
        for (int i = 0; i < lengths.length; i++) {
            boolean last = i == lengths.length - 1 && segment.end().isPresent();
            if (cutAs != segment.chunkClass() || lengths[i] < cutAs.min() && !last) {
                throw new ProtocolException("entry " + id + " has a chunk of " + lengths[i] + " bytes inside");
            }
        }
    }

    /// The piece is written; its chunks have these hashes, 32 bytes each.
    synchronized Verdict settle(Claim claim, Segment segment, byte[] found) {
        if (!release(claim)) {
            return new Verdict.Open();
        }
        if (described) {
            for (int i = 0; i < claim.positions().length; i++) {
                for (int position : claim.positions()[i]) {
                    fill(position, found, i * Bytes32.LENGTH);
                }
            }
        } else {
            segment.end().ifPresent(each -> ends(each, segment.endsAt()));
            Piece piece = new Piece(segment.chunkLengths(), found);
            if (piece.length() > 0 && pieces.putIfAbsent(segment.offset(), piece) == null) {
                take(PIECE_CHUNKS + piece.lengths().length, PIECE_BYTES);
                arrived += piece.length();
            }
        }
        return judge();
    }

    private void ends(FileEnd end, long at) {
        version = versionAt(end, at);
        root = end.root();
    }

    /// The version that came to its end at `at`.
    ///
    /// @throws ProtocolException if that version ends elsewhere
    private FileVersion versionAt(FileEnd end, long at) {
        FileVersion sent = end.version().orElseGet(() -> FileVersion.of(entry));
        if (sent.size() != at) {
            throw new ProtocolException("entry " + id + " has " + sent.size() + " bytes and its content ends at " + at);
        }
        return sent;
    }

    /// A claim is given back without its piece.
    synchronized void abandon(Claim claim) {
        release(claim);
    }

    /// Whether what the claim brings still counts.
    private boolean release(Claim claim) {
        Stage of = claim.stage();
        of.users--;
        of.discardIfUnused();
        return !closed && of == stage;
    }

    private void fill(int position, byte[] from, int at) {
        if (!filled.get(position)) {
            filled.set(position);
            System.arraycopy(from, at, hashes, position * Bytes32.LENGTH, Bytes32.LENGTH);
        }
    }

    /// The chunks that the piece brings, each with all its places in the file.
    private int[][] positions(Segment segment) {
        if (!asked || segment.end().isPresent()) {
            throw new ProtocolException(
                    "content of entry " + id + " came before it was missed, or with an end of its own");
        }
        int index = indexAt(segment.offset());
        int[] lengths = segment.chunkLengths();
        int[][] positions = new int[lengths.length][];
        for (int i = 0; i < lengths.length; i++, index++) {
            if (index >= recipe.count() || recipe.length(index) != lengths[i]) {
                throw new ProtocolException("content of entry " + id + " does not fit its recipe");
            }
            positions[i] = whole.places(index);
        }
        return positions;
    }

    private int indexAt(long offset) {
        int low = 0;
        int high = recipe.count() - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            long at = recipe.offset(middle);
            if (at == offset) {
                return middle;
            }
            if (at < offset) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        throw new ProtocolException("content of entry " + id + " begins inside a chunk of its recipe");
    }

    /// A part of the recipe came; gives the recipe when it is whole.
    ///
    /// @throws ProtocolException if it does not fit what came before
    synchronized Optional<Described> part(int tryOf, int first, ShortRecipe chunks, Optional<FileEnd> ended) {
        if (closed || tryOf < attempt) {
            return Optional.empty();
        }
        if (!described) {
            throw new ProtocolException("a recipe of entry " + id + ", which was wanted whole");
        }
        if (tryOf > attempt) {
            restart(tryOf);
        }
        if (parts == null) {
            parts = new ShortRecipe.Builder(chunks.chunkClass());
        }
        if (recipe != null || parts.count() != first) {
            throw new ProtocolException("a part of entry " + id + "'s recipe comes out of turn");
        }
        take(chunks.count(), RECIPE_BYTES);
        add(chunks, ended.isPresent());
        if (ended.isEmpty()) {
            return Optional.empty();
        }
        recipe = parts.build();
        parts = null;
        ends(ended.get(), recipe.size());
        hashes = new byte[recipe.count() * Bytes32.LENGTH];
        whole = described();
        return Optional.of(whole);
    }

    /// A recipe that is whole.
    ///
    /// @param firsts the first index of each different chunk
    /// @param next for each index the next one with the same chunk, or -1
    @SuppressWarnings("ArrayRecordComponent") // handed on, never compared
    record Described(int attempt, ShortRecipe recipe, FileVersion version, RootClaim root, int[] firsts, int[] next) {
        /// All indices of the chunk whose first index is given; of a later one those from it on.
        int[] places(int index) {
            int count = 0;
            for (int at = index; at >= 0; at = next[at]) {
                count++;
            }
            int[] places = new int[count];
            count = 0;
            for (int at = index; at >= 0; at = next[at]) {
                places[count++] = at;
            }
            return places;
        }
    }

    private void add(ShortRecipe chunks, boolean last) {
        for (int i = 0; i < chunks.count(); i++) {
            if (chunks.length(i) < chunks.chunkClass().min() && !(last && i == chunks.count() - 1)) {
                throw new ProtocolException("entry " + id + " has a chunk of " + chunks.length(i) + " bytes inside");
            }
        }
        try {
            parts.add(chunks);
        } catch (IllegalArgumentException e) {
            throw new ProtocolException("the recipe of entry " + id + ": " + e.getMessage());
        }
    }

    /// Notes which chunks are the same, so that one that comes fills all of its places.
    private Described described() {
        int count = recipe.count();
        int[] next = new int[count];
        int[] last = new int[count];
        int[] firsts = new int[count];
        int different = 0;
        int[] slots = new int[Integer.highestOneBit(Math.max(1, count)) * 4];
        for (int i = 0; i < count; i++) {
            next[i] = -1;
            int slot = Long.hashCode(recipe.shortId(i).high() * SPREAD) & slots.length - 1;
            while (slots[slot] != 0 && !recipe.shortId(slots[slot] - 1).equals(recipe.shortId(i))) {
                slot = slot + 1 & slots.length - 1;
            }
            if (slots[slot] == 0) {
                slots[slot] = i + 1;
                firsts[different++] = i;
                last[i] = i;
            } else {
                int first = slots[slot] - 1;
                next[last[first]] = i;
                last[first] = i;
            }
        }
        return new Described(attempt, recipe, version, root, Arrays.copyOf(firsts, different), next);
    }

    /// Chunks of the recipe are about to be asked for: from here on they may come.
    synchronized void asks(int tryOf) {
        asked |= !closed && tryOf == attempt;
    }

    /// Claims the file for chunks that are here already; empty when nobody cares any more.
    synchronized Optional<Claim> claimLocal(int tryOf, Stager stager) throws TreeException {
        return closed || tryOf != attempt ? Optional.empty() : Optional.of(claim(stager, new int[0][]));
    }

    /// A chunk that was here already is in place, with this hash.
    synchronized void placed(Claim claim, int position, byte[] hash) {
        if (!closed && claim.stage() == stage) {
            fill(position, hash, 0);
        }
    }

    /// What was claimed by [#claimLocal] is done.
    synchronized Verdict settleLocal(Claim claim) {
        return release(claim) ? judge() : new Verdict.Open();
    }

    private Verdict judge() {
        if (stage.users > 0 || version == null || !isAllHere()) {
            return new Verdict.Open();
        }
        Optional<Recipe> made = described ? Optional.of(ofRecipe()) : ofPieces();
        close();
        if (made.isPresent() && root.fits(made.get().root())) {
            return new Verdict.Complete(stage.file, version, made.get());
        }
        stage.dropped = true;
        stage.discardIfUnused();
        return new Verdict.Wrong();
    }

    private boolean isAllHere() {
        return described ? recipe != null && filled.cardinality() == recipe.count() : arrived >= version.size();
    }

    private Recipe ofRecipe() {
        Recipe.Builder builder = new Recipe.Builder(recipe.chunkClass());
        for (int i = 0; i < recipe.count(); i++) {
            builder.add(recipe.length(i), hashes, i * Bytes32.LENGTH);
        }
        return builder.build();
    }

    /// Empty when the pieces have a gap or an overlap.
    private Optional<Recipe> ofPieces() {
        Recipe.Builder builder = new Recipe.Builder(cutAs);
        long at = 0;
        for (Map.Entry<Long, Piece> each : pieces.entrySet()) {
            Piece piece = each.getValue();
            if (each.getKey() != at) {
                return Optional.empty();
            }
            for (int i = 0; i < piece.lengths().length; i++) {
                builder.add(piece.lengths()[i], piece.hashes(), i * Bytes32.LENGTH);
            }
            at += piece.length();
        }
        return at == version.size() ? Optional.of(builder.build()) : Optional.empty();
    }

    private void restart(int tryOf) {
        attempt = tryOf;
        dropStage();
        version = null;
        root = null;
        cutAs = null;
        arrived = 0;
        forget();
    }

    private void forget() {
        room.give(taken);
        taken = 0;
        pieces.clear();
        parts = null;
        recipe = null;
        whole = null;
        asked = false;
        hashes = null;
        filled = new BitSet();
    }

    /// Nothing of it is needed any more.
    synchronized void drop() {
        if (!closed) {
            close();
            dropStage();
        }
    }

    private void dropStage() {
        if (stage != null) {
            stage.dropped = true;
            stage.discardIfUnused();
            stage = null;
        }
    }
}
