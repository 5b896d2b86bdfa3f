package postroad.app.transfer;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.function.LongConsumer;
import postroad.nostr.core.Filter;
import postroad.nostr.core.PackedEvent;
import postroad.nostr.core.Query;
import postroad.nostr.core.Viewer;
import postroad.nostr.store.Budget;
import postroad.nostr.store.EventStore;
import postroad.nostr.store.Scan;
import postroad.nostr.store.Snapshot;
import postroad.nostr.store.StoreReader;

/// Writes the stored events that match as JSON lines: newest first, ties by lowest id, all of one moment.
///
/// The snapshot is held to the end. On a running node the store's file may grow meanwhile, since pages that the
/// snapshot still sees are not used again.
public final class Exporter {
    private static final Budget SLICE = new Budget(1000, 8 << 20, Long.MAX_VALUE);

    private final OutputStream out;
    private byte[] buffer = new byte[256 << 10];
    private int used;
    private long events;

    private Exporter(OutputStream out) {
        this.out = out;
    }

    /// Exports what any of the filters matches; each filter's own limit holds.
    ///
    /// @param now the time in seconds: what has expired by then is left out
    /// @param progress told the number of events now and then
    public static ExportSummary run(
            EventStore store, List<Filter> filters, long now, OutputStream out, LongConsumer progress)
            throws IOException {
        try {
            return new Exporter(out).run(store, filters, now, progress);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private ExportSummary run(EventStore store, List<Filter> filters, long now, LongConsumer progress)
            throws IOException {
        try (StoreReader reader = store.reader();
                Snapshot snapshot = reader.open()) {
            Scan scan = store.plan(new Query(filters, Viewer.OPERATOR));
            while (!snapshot.run(scan, now, SLICE, this::row)) {
                progress.accept(events);
            }
            flush();
            progress.accept(events);
            return new ExportSummary(events, snapshot.sequence());
        }
    }

    private boolean row(MemorySegment base, long at, int length, long sequence) {
        int json = PackedEvent.jsonOffset(base, at);
        int size = length - json;
        if (used + size + 1 > buffer.length) {
            flush();
        }
        if (size + 1 > buffer.length) {
            buffer = new byte[size + 1];
        }
        MemorySegment.copy(base, ValueLayout.JAVA_BYTE, at + json, buffer, used, size);
        used += size;
        buffer[used++] = '\n';
        events++;
        return true;
    }

    private void flush() {
        try {
            out.write(buffer, 0, used);
            used = 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
