package postroad.sync.peer;

import java.util.List;
import java.util.Optional;
import postroad.sync.core.Comparison;
import postroad.sync.core.SessionId;
import postroad.sync.core.SessionOptions;
import postroad.sync.core.TreePath;
import postroad.sync.folder.ChunkMemory;
import postroad.sync.folder.EntryFilter;
import postroad.sync.folder.FileHandle;
import postroad.sync.folder.Leftover;
import postroad.sync.folder.StagedFile;
import postroad.sync.folder.Staging;
import postroad.sync.folder.Tree;
import postroad.sync.folder.TreeException;
import postroad.sync.folder.Walker;

/// Where one session's entries go: a tree, its staging, and what is known of its files. Closed by the session.
public final class Target {
    private static final int SET_ID_BITS = 06000;
    /// Files from this size on get their room at once, so that a full disk shows early, and so that what a broken
    /// session leaves has the size that it was to have.
    private static final long ROOM_AT_ONCE = 1 << 20;

    /// Has a staged file begin as the old version by sharing its blocks.
    interface Sharing {
        /// Whether the first `length` bytes of `staged` are those of `old` now.
        boolean share(FileHandle staged, FileHandle old, long length);
    }

    private final Tree tree;
    private final Optional<Staging> staging;
    private final ChunkMemory memory;
    private final Optional<TreePath> only;
    private final boolean keepsSetId;
    private final List<Leftover> leftoverFiles;
    private Optional<Walker> walker = Optional.empty();
    private Leftovers leftovers;
    private Sharing sharing = FileHandle::share;

    private Target(
            Tree tree,
            Optional<Staging> staging,
            ChunkMemory memory,
            Optional<TreePath> only,
            boolean keepsSetId,
            List<Leftover> leftoverFiles) {
        this.tree = tree;
        this.staging = staging;
        this.memory = memory;
        this.only = only;
        this.keepsSetId = keepsSetId;
        this.leftoverFiles = leftoverFiles;
    }

    /// A tree that a session may write to. The tree is closed with the session, the memory is not.
    ///
    /// @param only for a single file: its name in the tree, whatever the sender calls it
    /// @param keepsSetId whether set-id bits are taken over
    /// @param backup where what is replaced or deleted goes; not closed here
    /// @throws TreeException if it cannot be staged in
    public static Target of(
            Tree tree,
            ChunkMemory memory,
            Optional<TreePath> only,
            boolean keepsSetId,
            Optional<Tree> backup,
            SessionOptions options)
            throws TreeException {
        if (options.dryRun()) {
            return new Target(tree, Optional.empty(), memory, only, keepsSetId, List.of());
        }
        SessionId id = SessionIds.draw();
        Staging.Rules rules = new Staging.Rules(options.patterns()::excludes, backup, keepsSetId);
        Staging staging = Staging.open(tree, id, rules);
        return new Target(tree, Optional.of(staging), memory, only, keepsSetId, staging.leftovers());
    }

    /// Has blocks shared in another way.
    Target sharingBy(Sharing other) {
        sharing = other;
        return this;
    }

    Sharing sharing() {
        return sharing;
    }

    Tree tree() {
        return tree;
    }

    Staging staging() {
        return staging.orElseThrow(() -> new IllegalStateException("nothing is staged in a dry run"));
    }

    ChunkMemory memory() {
        return memory;
    }

    Optional<TreePath> only() {
        return only;
    }

    Comparison comparison(SessionOptions options) {
        long tolerance = staging.map(Staging::timeToleranceNanos).orElse(0L);
        int modes = keepsSetId ? 07777 : 07777 & ~SET_ID_BITS;
        return new Comparison(options.checksum(), tolerance, options.delete(), keepsModes() ? modes : 0);
    }

    /// Whether modes can be set; a dry run takes it for granted.
    boolean keepsModes() {
        return staging.map(Staging::keepsModes).orElse(true);
    }

    /// Tells which names the tree takes for one another.
    CaseTwins caseTwins() {
        return new CaseTwins(staging.map(Staging::isCaseInsensitive).orElse(false));
    }

    /// The tree's own names in order, as far as the session compares them: of a single file's session its own
    /// alone. A dry run leaves locked folders locked.
    Comparer.Names names(SessionOptions options) {
        if (options.single()) {
            return new AnnouncedNames(tree);
        }
        EntryFilter excluded = options.patterns()::excludes;
        Walker made = options.dryRun() ? new Walker(tree, excluded) : Walker.unlocking(tree, excluded);
        walker = Optional.of(made);
        return made::next;
    }

    /// Where content may be found; `treeIsEmpty` when the tree held nothing.
    Sources sources(boolean treeIsEmpty) {
        return new Sources(memory, treeIsEmpty, leftoverFiles);
    }

    /// Reads what a broken session left. Others wait for it in [#leftovers].
    synchronized void readLeftovers() {
        leftovers = leftoverFiles.isEmpty() ? Leftovers.NONE : Leftovers.of(leftoverFiles);
        notifyAll();
    }

    /// What a broken session left, waiting until it is read.
    synchronized Leftovers leftovers() {
        if (leftovers == null) {
            readLeftovers();
        }
        return leftovers;
    }

    StagedFile stage(long id, long size) throws TreeException {
        StagedFile staged = staging().create(id);
        if (size >= ROOM_AT_ONCE) {
            try {
                staged.file().allocate(size);
            } catch (TreeException e) {
                staging().discard(staged);
                throw e;
            }
        }
        return staged;
    }

    /// Forgets a staged file.
    void discard(StagedFile staged) {
        staging().discard(staged);
    }

    /// Removes what was staged, at the end of a session that is finished.
    void tidy() {
        boolean _ = staging().finish();
    }

    /// Ends the use of the tree, after its threads ended: what is staged goes when the session is finished, and stays
    /// for the next one when not.
    void close(boolean finished) {
        walker.ifPresent(Walker::close);
        if (staging.isPresent() && finished) {
            staging.get().finish();
        }
        staging.ifPresent(Staging::close);
        tree.close();
    }
}
