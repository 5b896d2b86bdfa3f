package postroad.nostr.store;

import java.nio.file.Path;
import java.util.ArrayList;

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

    /// Opens the file. When it is `suspect` its pages are looked at first: LMDB trusts them, and a torn one can end
    /// the process.
    static Environment open(Path folder, int flags, long mapBytes, boolean suspect) {
        Path file = folder.resolve(Environment.DATA_FILE);
        PageCheck.quick(file).ifPresent(problem -> {
            throw new StoreException(file + " is not a Postroad store: " + problem);
        });
        if (suspect) {
            LOG.log(System.Logger.Level.WARNING, "{0} was copied while it was in use; checking all of it", folder);
            PageCheck.whole(file).ifPresent(problem -> {
                throw torn(folder, problem);
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
                            "the store in " + folder + " can't be opened: permission denied; give this user access", e);
                default -> new StoreException("the store can't be opened; " + e.getMessage(), e);
            };
        }
    }

    /// Opens the tables and checks the format; a `suspect` store is walked as a whole. Returns its sequence number.
    static long check(Environment environment, boolean suspect) {
        try (ReadTransaction view = new ReadTransaction(environment)) {
            view.begin();
            if (!environment.openTables(view, false)) {
                throw new StoreException(environment.folder() + " holds an LMDB file that is not a Postroad store");
            }
            requireFormat(environment, view);
            if (suspect) {
                requireSound(environment.folder(), StoreCheck.of(view));
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

    private static void requireSound(Path folder, StoreCheck.Report report) {
        if (!report.problems().isEmpty()) {
            throw torn(folder, String.join("; ", new ArrayList<>(report.problems())));
        }
        LOG.log(System.Logger.Level.INFO, "{0}: all {1} events are in order", folder, report.events());
    }

    private static StoreException torn(Path folder, String problem) {
        return new StoreException("the store in " + folder + " was copied while it was in use, and the copy is torn ("
                + problem + "): make a copy with `postroad backup`, or stop the relay before copying");
    }
}
