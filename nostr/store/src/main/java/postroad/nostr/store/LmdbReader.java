package postroad.nostr.store;

import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import postroad.common.lmdb.Lmdb;
import postroad.nostr.core.EventId;
import postroad.nostr.core.Query;

/// A thread's read transaction, and the snapshot that it shows while it is open.
///
/// Owned by one thread; the store may take it away while no snapshot is open, which is what `state` decides.
final class LmdbReader implements StoreReader {
    private static final int IDLE = 0;
    private static final int OPEN = 1;
    private static final int CLOSED = 2;
    private static final long WAIT_NANOS = 100_000;
    private static final Budget COUNT_SLICE = new Budget(Integer.MAX_VALUE, Long.MAX_VALUE, 1_000_000);
    private static final RowSink COUNTED = (base, at, length, number) -> true;

    private final Supplier<Environment> source;
    private final Consumer<LmdbReader> onClose;
    private final AtomicInteger state = new AtomicInteger(IDLE);
    private final View view = new View();
    private ReadTransaction transaction;

    /// @param source the environment to read from, which changes when writing has broken
    LmdbReader(Supplier<Environment> source, Consumer<LmdbReader> onClose) {
        this.source = source;
        this.onClose = onClose;
        this.transaction = new ReadTransaction(source.get());
    }

    @Override
    public Snapshot open() {
        if (!state.compareAndSet(IDLE, OPEN)) {
            if (state.get() == CLOSED) {
                throw new StoreException("the store is closed");
            }
            throw new IllegalStateException("close the snapshot before opening the next");
        }
        try {
            follow(source.get());
            transaction.begin();
            view.begin();
            return view;
        } catch (LmdbException e) {
            state.set(IDLE);
            throw failed(e);
        }
    }

    @Override
    public void close() {
        view.close();
        if (state.compareAndSet(IDLE, CLOSED)) {
            transaction.close();
            onClose.accept(this);
        }
    }

    /// Takes the transaction away as soon as no snapshot is open; false when one still is at `deadline`.
    boolean awaitClose(long deadline) {
        while (!state.compareAndSet(IDLE, CLOSED)) {
            if (state.get() == CLOSED) {
                return true;
            }
            if (System.nanoTime() - deadline > 0) {
                return false;
            }
            LockSupport.parkNanos(WAIT_NANOS);
        }
        transaction.close();
        return true;
    }

    private void follow(Environment environment) {
        if (transaction.environment() != environment) {
            transaction.close();
            transaction = new ReadTransaction(environment);
        }
    }

    private static StoreException failed(LmdbException e) {
        return new StoreException("reading failed; " + e.getMessage(), e);
    }

    /// The snapshot, the same object each time.
    private final class View implements Snapshot {
        private boolean open;
        private long sequence;

        private void begin() {
            sequence = transaction.sequence();
            open = true;
        }

        @Override
        public long sequence() {
            requireOpen();
            return sequence;
        }

        @Override
        public boolean contains(EventId id) {
            requireOpen();
            try {
                return transaction.find(Table.ID, Keys.id(id.bytes()));
            } catch (LmdbException e) {
                throw failed(e);
            }
        }

        @Override
        public boolean run(Scan scan, long now, Budget budget, RowSink sink) {
            requireOpen();
            try {
                return ((LmdbScan) scan).run(transaction, sequence, now, budget, Long.MAX_VALUE, sink);
            } catch (LmdbException e) {
                throw failed(e);
            }
        }

        @Override
        public long replay(long after, long until, RowSink sink) {
            requireOpen();
            try {
                return replayFrom(after + 1, until, sink);
            } catch (LmdbException e) {
                throw failed(e);
            }
        }

        private long replayFrom(long first, long until, RowSink sink) {
            boolean found = first <= until && transaction.seek(Table.EVENT, Keys.number(first));
            while (found) {
                long number = Lmdb.MEMORY.get(Lmdb.BE_LONG, transaction.keyAddress());
                if (number > until) {
                    break;
                }
                if (!sink.row(Lmdb.MEMORY, transaction.dataAddress(), transaction.dataLength(), number)) {
                    return number;
                }
                found = transaction.next(transaction.cursor(Table.EVENT));
            }
            return until;
        }

        @Override
        public OptionalLong count(Query query, long now, long maxExamined, BooleanSupplier mayGoOn) {
            requireOpen();
            try {
                LmdbScan scan = LmdbScan.of(query, false);
                while (scan.examined() <= maxExamined && mayGoOn.getAsBoolean()) {
                    if (scan.run(transaction, sequence, now, COUNT_SLICE, maxExamined, COUNTED)) {
                        return OptionalLong.of(scan.rows());
                    }
                }
                return OptionalLong.empty();
            } catch (LmdbException e) {
                throw failed(e);
            }
        }

        @Override
        public void close() {
            if (open) {
                open = false;
                transaction.end();
                state.set(IDLE);
            }
        }

        private void requireOpen() {
            if (!open) {
                throw new IllegalStateException("the snapshot is closed");
            }
        }
    }
}
