package postroad.nostr.store;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Optional;
import postroad.common.lmdb.Lmdb;
import postroad.common.lmdb.PageCheck;
import postroad.nostr.core.Event;
import postroad.nostr.core.EventParser;
import postroad.nostr.core.PackedEvent;

/// The steps that make a store, or make sure that a file is one, each with a message for whom it fails.
final class Opening {
    private static final System.Logger LOG = System.getLogger(Opening.class.getName());
    private static final long NEW_MAP_BYTES = 1 << 20;

    private Opening() {}

    /// Makes an empty store beside its place and moves it there, so that a crash leaves none or a whole one.
    static void makeNew(StoreFolder folder) {
        Path fresh = folder.beginNew();
        try (Environment environment = Environment.open(fresh, 0, NEW_MAP_BYTES);
                WriteTransaction transaction = new WriteTransaction(environment)) {
            transaction.begin();
            environment.openTables(transaction, true);
            transaction.put(Table.META, Keys.FORMAT, LmdbStore.FORMAT);
            transaction.put(Table.META, Keys.SEQUENCE, 0);
            transaction.commit();
        } catch (LmdbException e) {
            throw new StoreException("no store can be made; " + e.getMessage(), e);
        }
        folder.finishNew();
    }

    /// Why a store may hold pages of different moments, or lack some; empty when nothing speaks for it.
    ///
    /// After a crash the file may be longer than its last commit says, and is sound; so that counts
    /// only when no crash is known of.
    static Optional<String> suspicion(StoreFolder folder) {
        Path file = folder.path().resolve(Environment.DATA_FILE);
        int length = compareLength(file);
        if (folder.isCopyOfOpenStore()) {
            return Optional.of("was copied while it was in use");
        }
        if (length < 0) {
            return Optional.of("was cut off, or copied while it was in use");
        }
        return length > 0 && !folder.isMarkedOpen()
                ? Optional.of("may have been copied while it was in use")
                : Optional.empty();
    }

    private static int compareLength(Path file) {
        try {
            return PageCheck.compareLength(file);
        } catch (PageCheck.NotLmdb e) {
            throw new StoreException(file + " is not a Postroad store: " + e.getMessage());
        } catch (IOException e) {
            throw unreadable(file, e);
        }
    }

    private static Optional<String> problemOf(Path file) {
        try {
            return PageCheck.whole(file);
        } catch (IOException e) {
            throw unreadable(file, e);
        }
    }

    private static StoreException unreadable(Path file, IOException e) {
        String reason = e instanceof AccessDeniedException
                ? "permission denied; it belongs to " + OwnedFiles.owner(file) + ": give it to this user"
                : e.toString();
        return new StoreException(file + " cannot be read: " + reason, e);
    }

    /// Opens the file. When there is a suspicion its pages are looked at first: LMDB trusts them, and a
    /// torn one can end the process.
    static Environment open(StoreFolder held, int flags, long mapBytes, Optional<String> suspicion) {
        Path folder = held.path();
        Path file = folder.resolve(Environment.DATA_FILE);
        if (suspicion.isPresent()) {
            LOG.log(System.Logger.Level.WARNING, "the store in {0} {1}; checking all of it", folder, suspicion.get());
            problemOf(file).ifPresent(problem -> {
                throw torn(folder, suspicion.get(), problem);
            });
        }
        try {
            return Environment.open(folder, flags, mapBytes);
        } catch (LmdbException e) {
            throw switch (e.result()) {
                case Lmdb.INVALID -> new StoreException(file + " is not a Postroad store, or it is damaged", e);
                case Lmdb.VERSION_MISMATCH ->
                    new StoreException(file + " was written by another version of LMDB; this one can't read it", e);
                case Lmdb.EACCES, Lmdb.EROFS ->
                    new StoreException(
                            "the store in " + folder + " can't be opened: "
                                    + held.foreign().orElse("permission denied; give this user access"),
                            e);
                default -> new StoreException("the store can't be opened; " + e.getMessage(), e);
            };
        }
    }

    /// Opens the tables and checks the format; when there is a suspicion the store is walked as a
    /// whole. Returns its sequence number.
    static long check(Environment environment, Optional<String> suspicion) {
        try (ReadTransaction view = new ReadTransaction(environment)) {
            view.begin();
            if (!environment.openTables(view, false)) {
                throw new StoreException(environment.folder() + " holds an LMDB file that is not a Postroad store");
            }
            requireFormat(environment, view);
            if (suspicion.isPresent()) {
                requireSound(environment.folder(), suspicion.get(), StoreCheck.of(view));
            }
            long sequence = view.sequence();
            view.commitHandles();
            return sequence;
        } catch (LmdbException e) {
            throw new StoreException("the store can't be read; " + e.getMessage(), e);
        }
    }

    private static void requireFormat(Environment environment, ReadTransaction view) {
        if (!view.find(Table.META, Keys.FORMAT)) {
            throw new StoreException(environment.folder() + " holds an LMDB file that is not a Postroad store");
        }
        long format = view.dataLong();
        if (format > LmdbStore.FORMAT) {
            throw new StoreException("the store in " + environment.folder() + " is of format " + format
                    + "; this Postroad reads formats up to " + LmdbStore.FORMAT + ": use a newer one");
        }
    }

    /// The event of a packed one, parsed from its JSON.
    static Event event(EventParser parser, MemorySegment base, long at, int length) {
        int offset = PackedEvent.jsonOffset(base, at);
        byte[] json = base.asSlice(at + offset, length - offset).toArray(ValueLayout.JAVA_BYTE);
        return switch (parser.parse(json, 0, json.length)) {
            case EventParser.Result.Parsed(Event event) -> event;
            case EventParser.Result.Refused refused ->
                throw new IllegalStateException("a record is damaged: " + refused);
        };
    }

    private static void requireSound(Path folder, String suspicion, StoreCheck.Report report) {
        if (!report.problems().isEmpty()) {
            throw torn(folder, suspicion, String.join("; ", new ArrayList<>(report.problems())));
        }
        LOG.log(System.Logger.Level.INFO, "{0}: all {1} events are in order", folder, report.events());
    }

    private static StoreException torn(Path folder, String suspicion, String problem) {
        return new StoreException("the store in " + folder + " " + suspicion + ", and is torn (" + problem
                + "): make a copy with `postroad backup`, or stop the relay before copying; else use a backup");
    }
}
