package postroad.nostr.store;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import postroad.common.lmdb.Lmdb;
import postroad.nostr.core.Event;
import postroad.nostr.core.EventLimits;
import postroad.nostr.core.EventParser;
import postroad.nostr.core.Filter;
import postroad.nostr.core.Prefix;
import postroad.nostr.core.Query;
import postroad.nostr.core.VerifiedEvent;
import postroad.nostr.core.Viewer;

/// The event store on LMDB; `docs/storage/format.md` draws its file.
///
/// `writing` is held by whoever writes. `using` is held for reading by whoever needs the file for longer than a
/// snapshot, and taken for writing by [#close], which also takes every reader away before it unmaps the file.
public final class LmdbStore implements EventStore {
    /// The format this code writes, and the newest that it reads.
    static final int FORMAT = 1;

    private static final System.Logger LOG = System.getLogger(LmdbStore.class.getName());
    private static final long CLOSE_SECONDS = 10;
    private static final long MOST_MAP_RESERVE = 16 << 20;

    private static final Query VANISH_REQUESTS = new Query(
            List.of(new Filter(
                    Optional.empty(),
                    Optional.empty(),
                    Optional.of(Filter.Kinds.of(Keys.Kinds.VANISH)),
                    List.of(),
                    Long.MIN_VALUE,
                    Long.MAX_VALUE,
                    OptionalInt.empty())),
            Viewer.OPERATOR);

    /// Requests to vanish that are followed in one transaction.
    private static final Budget REQUESTS_AT_ONCE = new Budget(100, 1 << 20, Long.MAX_VALUE);

    private final StoreOptions options;
    private final StoreFolder folder;
    private final Environment environment;
    private final WriteTransaction writer;
    private final FreeSpace freeSpace;
    private final ReentrantLock writing = new ReentrantLock();
    private final ReentrantReadWriteLock using = new ReentrantReadWriteLock();
    private final Set<LmdbReader> readers = ConcurrentHashMap.newKeySet();

    private volatile long sequence;
    private volatile boolean closed;

    /// What readers read: `environment`, or after a failure that LMDB calls fatal the same file opened anew.
    private volatile Environment reading;

    /// Why nothing is written any more, empty while all is well.
    private volatile Optional<String> broken = Optional.empty();

    private LmdbStore(StoreOptions options, StoreFolder folder, Environment environment, long sequence) {
        this.options = options;
        this.folder = folder;
        this.environment = environment;
        this.reading = environment;
        this.writer = new WriteTransaction(environment);
        this.freeSpace = new FreeSpace(folder::freeBytes, System::nanoTime);
        this.sequence = sequence;
    }

    /// Opens the store of a folder, or makes one.
    ///
    /// @throws StoreException when it can't be: the message says why and what to do
    public static LmdbStore open(StoreOptions options) {
        StoreFolder folder = StoreFolder.hold(options.directory(), options.readOnly());
        try {
            return open(options, folder);
        } catch (RuntimeException e) {
            folder.close();
            throw e;
        }
    }

    private static LmdbStore open(StoreOptions options, StoreFolder folder) {
        if (!folder.hasData()) {
            Opening.makeNew(folder);
        }
        Optional<String> suspicion = Opening.suspicion(folder);
        Environment environment = Opening.open(folder, flags(options), options.mapBytes(), suspicion);
        try {
            long sequence = Opening.check(environment, suspicion);
            if (!options.readOnly()) {
                folder.markOpen();
                environment.clearStaleReaders();
            }
            LmdbStore store = new LmdbStore(options, folder, environment, sequence);
            store.followOwnUrls();
            folder.handOver();
            return store;
        } catch (RuntimeException e) {
            environment.close();
            throw e;
        }
    }

    private static int flags(StoreOptions options) {
        return (options.durable() ? 0 : Lmdb.NOSYNC) | (options.readOnly() ? Lmdb.RDONLY | Lmdb.NOLOCK : 0);
    }

    @Override
    public WriteResult write(List<VerifiedEvent> batch, long now) {
        writing.lock();
        try {
            requireOpen();
            Optional<String> refusal = refusal();
            return refusal.isPresent() ? failed(batch, refusal.get()) : writeAll(batch, now);
        } finally {
            writing.unlock();
        }
    }

    @Override
    public int removeExpired(long now, int max) {
        writing.lock();
        try {
            requireOpen();
            return refusal().isPresent() ? 0 : removeAll(now, max);
        } finally {
            writing.unlock();
        }
    }

    @Override
    public StoreReader reader() {
        LmdbReader reader = new LmdbReader(() -> reading, readers::remove);
        readers.add(reader);
        if (closed) {
            reader.close();
            throw new StoreException("the store is closed");
        }
        return reader;
    }

    @Override
    public Scan plan(Query query) {
        return LmdbScan.of(query, true);
    }

    @Override
    public long sequence() {
        return sequence;
    }

    @Override
    public StoreInfo info() {
        using.readLock().lock();
        try (ReadTransaction view = view()) {
            Optional<String> noRoom = options.readOnly() ? Optional.empty() : noRoom(view);
            long used = 0;
            for (int i = 0; i < Table.count(); i++) {
                used += view.bytes(Table.at(i));
            }
            return new StoreInfo(
                    FORMAT,
                    sequence,
                    view.entries(Table.EVENT),
                    view.entries(Table.TOMBSTONE),
                    Environment.fileBytes(folder.path()),
                    used,
                    environment.mapBytes(),
                    refusal().isEmpty() && noRoom.isEmpty(),
                    refusal().or(() -> noRoom).orElse("ok"));
        } finally {
            using.readLock().unlock();
        }
    }

    @Override
    public long backup(Path directory) {
        using.readLock().lock();
        try {
            requireOpen();
            return Backup.of(reading, directory);
        } finally {
            using.readLock().unlock();
        }
    }

    /// Walks the whole store, as of one moment, and lists what does not fit together; nothing when all is well.
    public StoreCheck.Report verify() {
        using.readLock().lock();
        try (ReadTransaction view = view()) {
            return StoreCheck.of(view);
        } finally {
            using.readLock().unlock();
        }
    }

    @Override
    public void close() {
        writing.lock();
        using.writeLock().lock();
        try {
            if (!closed) {
                closed = true;
                release();
            }
        } finally {
            using.writeLock().unlock();
            writing.unlock();
        }
    }

    private void release() {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(CLOSE_SECONDS);
        for (LmdbReader reader : readers) {
            if (!reader.awaitClose(deadline)) {
                // Left mapped on purpose: whoever still reads must not read memory that is gone.
                throw new StoreException("the store in " + folder.path() + " is still being read; it stays open");
            }
        }
        keepSequence();
        writer.close();
        if (reading != environment) {
            reading.close();
        }
        environment.close();
        if (!options.readOnly()) {
            folder.markClosed();
        }
        folder.close();
    }

    /// Numbers that only ephemeral events took are not written with them; at the end they are.
    private void keepSequence() {
        if (refusal().isPresent()) {
            return;
        }
        try {
            writer.begin();
            if (writer.sequence() != sequence) {
                writer.put(Table.META, Keys.SEQUENCE, sequence);
                writer.commit();
            }
        } catch (LmdbException e) {
            LOG.log(System.Logger.Level.WARNING, "the last sequence number was not kept", e);
        } finally {
            writer.abort();
        }
    }

    private WriteResult writeAll(List<VerifiedEvent> batch, long now) {
        Map<Integer, String> troubled = new HashMap<>();
        while (true) {
            int at = -1;
            List<WriteOutcome> outcomes = new ArrayList<>(batch.size());
            try {
                Batch rules = begin(now);
                for (at = 0; at < batch.size(); at++) {
                    outcomes.add(
                            troubled.containsKey(at)
                                    ? new WriteOutcome.Failed(troubled.get(at))
                                    : rules.apply(batch.get(at).event()));
                }
                at = -1;
                commit(rules);
                return new WriteResult(outcomes, sequence);
            } catch (LmdbException e) {
                return failed(batch, afterFailure(e));
            } catch (RuntimeException e) {
                LOG.log(System.Logger.Level.ERROR, "an event could not be stored", e);
                if (at < 0) {
                    return failed(batch, "the event could not be stored");
                }
                // Tried again without the one that failed: the others shall not suffer.
                troubled.put(at, Prefix.ERROR.with("the event could not be stored"));
            } finally {
                writer.abort();
            }
        }
    }

    private int removeAll(long now, int max) {
        try {
            Batch rules = begin(now);
            int removed = rules.removeExpired(max);
            commit(rules);
            return removed;
        } catch (LmdbException e) {
            LOG.log(System.Logger.Level.WARNING, "expired events were not removed: {0}", afterFailure(e));
            return 0;
        } finally {
            writer.abort();
        }
    }

    private Batch begin(long now) {
        writer.begin();
        return new Batch(writer, options.ownUrls(), now, sequence, noRoom(writer));
    }

    /// Commits what changed and publishes the sequence. A batch that left nothing, such as one of ephemeral events
    /// alone, costs no sync; its numbers are given out all the same, and stay taken until the store is closed.
    private void commit(Batch rules) {
        if (rules.isChanged()) {
            rules.finish();
            writer.commit();
        }
        sequence = rules.sequence();
    }

    /// Requests to vanish that named none of the relay's addresses when they came may do so now
    /// (NIP-62): when the addresses have changed, all are looked at again. What was followed stays so.
    /// On failure the store is opened all the same, and this is tried again the next time.
    private void followOwnUrls() {
        if (options.readOnly()) {
            return;
        }
        byte[] urls = Keys.ownUrls(options.ownUrls());
        try {
            if (!knows(urls)) {
                followRequests();
                remember(urls);
            }
        } catch (LmdbException e) {
            LOG.log(System.Logger.Level.WARNING, "requests to vanish were not followed: {0}", afterFailure(e));
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.ERROR, "requests to vanish were not followed", e);
        } finally {
            writer.abort();
        }
    }

    /// A store that was never told addresses knows that there are none.
    private boolean knows(byte[] urls) {
        try (ReadTransaction view = view()) {
            return view.find(Table.META, Keys.OWN_URLS)
                    ? Arrays.equals(Keys.copy(view.dataAddress(), view.dataLength()), urls)
                    : options.ownUrls().isEmpty();
        }
    }

    private void remember(byte[] urls) {
        writer.begin();
        writer.put(Table.META, Keys.OWN_URLS, urls);
        writer.commit();
    }

    private void followRequests() {
        EventParser parser = new EventParser(EventLimits.HARD);
        List<Event> requests = new ArrayList<>();
        Scan scan = plan(VANISH_REQUESTS);
        boolean done = false;
        while (!done) {
            requests.clear();
            try (StoreReader reader = reader();
                    Snapshot snapshot = reader.open()) {
                done = snapshot.run(scan, 0, REQUESTS_AT_ONCE, (base, at, length, number) -> {
                    requests.add(Opening.event(parser, base, at, length));
                    return true;
                });
            }
            Batch rules = begin(0);
            requests.forEach(rules::follow);
            if (rules.isChanged()) {
                LOG.log(System.Logger.Level.INFO, "following requests to vanish that name a new address of the relay");
            }
            commit(rules);
            writer.abort();
        }
    }

    private Optional<String> refusal() {
        if (options.readOnly()) {
            return Optional.of("the store is open for reading only");
        }
        return broken;
    }

    /// Why new events are refused though deletions are not: there is just enough room left for these.
    private Optional<String> noRoom(Transaction view) {
        if (freeSpace.isBelow(options.reserveBytes())) {
            return Optional.of("the disk is almost full; new events are not stored until there is room");
        }
        long reserve = Math.min(MOST_MAP_RESERVE, environment.mapBytes() / 8);
        long left = environment.mapBytes() - environment.lastPage() * view.pageBytes();
        return left < reserve && left + freeBytes() < reserve ? Optional.of(mapFull()) : Optional.empty();
    }

    /// LMDB shows its list of free pages in read transactions only.
    private long freeBytes() {
        try (ReadTransaction view = view()) {
            return view.freeBytes();
        }
    }

    private String mapFull() {
        return "the store has reached its size of " + environment.mapBytes() + " bytes";
    }

    /// What a failed transaction means: no room passes, anything else ends writing, because what the system has on
    /// disk is not known any more (a failed sync is not repeated by the next).
    private String afterFailure(LmdbException e) {
        boolean fatal = !keepReading();
        if (!fatal && e.result() == Lmdb.MAP_FULL) {
            return mapFull();
        }
        if (!fatal && Lmdb.isFull(e.result())) {
            return "the disk is full; the event was not stored";
        }
        String reason = "writing failed (" + Lmdb.text(e.result()) + "); restart the relay to write again";
        LOG.log(System.Logger.Level.ERROR, "the store takes no more events: " + reason, e);
        broken = Optional.of(reason);
        return reason;
    }

    /// After a failure that it calls fatal, such as that of a meta write, LMDB lets nobody read either.
    /// The file is still as it was last committed, so it is opened once more, to be read alone. False
    /// when it came to that.
    private boolean keepReading() {
        try (ReadTransaction probe = new ReadTransaction(environment)) {
            probe.begin();
            return true;
        } catch (LmdbException e) {
            reading = reopen();
            return false;
        }
    }

    private Environment reopen() {
        Environment again = null;
        try {
            again = Opening.open(folder, Lmdb.RDONLY | Lmdb.NOLOCK, environment.mapBytes(), Optional.empty());
            Opening.check(again, Optional.empty());
            return again;
        } catch (StoreException e) {
            LOG.log(System.Logger.Level.ERROR, "the store can't be read any more either", e);
            if (again != null) {
                again.close();
            }
            return environment;
        }
    }

    private WriteResult failed(List<VerifiedEvent> batch, String reason) {
        WriteOutcome outcome = new WriteOutcome.Failed(Prefix.ERROR.with(reason));
        return new WriteResult(batch.stream().map(event -> outcome).toList(), sequence);
    }

    private ReadTransaction view() {
        requireOpen();
        ReadTransaction view = new ReadTransaction(reading);
        try {
            view.begin();
            return view;
        } catch (LmdbException e) {
            view.close();
            throw new StoreException("reading failed; " + e.getMessage(), e);
        }
    }

    private void requireOpen() {
        if (closed) {
            throw new StoreException("the store is closed");
        }
    }
}
