package postroad.sync.peer;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import postroad.sync.core.Entry;
import postroad.sync.core.FailureCode;
import postroad.sync.core.Frame;
import postroad.sync.core.TreePath;
import postroad.sync.folder.Item;

/// Walks the sender's tree and sends it in pages while it goes. One thread of its own.
final class Scanner implements Runnable {
    private static final int PAGE_ENTRIES = 1000;
    private static final int PAGE_BYTES = 48 << 10;
    /// A page that took so long goes out as it is, so that the receiver can begin.
    private static final long PAGE_NANOS = 20_000_000;

    private final Names names;
    private final EntryTable table;
    private final Outgoing outgoing;
    private final Optional<EntryPacker> packer;
    private final Consumer<SenderEvent> inbox;
    private final Meter meter;
    private final LongSupplier nanos;
    private final List<Entry> page = new ArrayList<>();
    private int pageBytes;
    private long pageBegun;
    private boolean complete = true;

    /// @param packer closed at the end; empty when pages go out as they are
    Scanner(
            Names names,
            EntryTable table,
            Outgoing outgoing,
            Optional<EntryPacker> packer,
            Consumer<SenderEvent> inbox,
            Meter meter,
            LongSupplier nanos) {
        this.names = names;
        this.table = table;
        this.outgoing = outgoing;
        this.packer = packer;
        this.inbox = inbox;
        this.meter = meter;
        this.nanos = nanos;
    }

    @Override
    public void run() {
        try {
            pageBegun = nanos.getAsLong();
            boolean more = true;
            while (more) {
                more = take(names.next());
            }
            flush();
            inbox.accept(new SenderEvent.ScanEnded(table.count(), complete));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Throwable e) {
            inbox.accept(new SenderEvent.Broken(e));
        } finally {
            packer.ifPresent(EntryPacker::close);
        }
    }

    private boolean take(Item item) throws InterruptedException {
        return switch (item) {
            case Item.Found(Entry entry, var stat) -> add(entry);
            case Item.Skipped(TreePath path, String why) -> {
                inbox.accept(new SenderEvent.Skipped(path.toString(), why));
                yield true;
            }
            case Item.Fault(Optional<TreePath> path, String shown, var reason, String why) -> {
                complete = false;
                inbox.accept(new SenderEvent.ScanFault(shown, Failures.whenReading(reason), why));
                yield true;
            }
            case Item.End(boolean whole) -> {
                complete &= whole;
                yield false;
            }
        };
    }

    private boolean add(Entry entry) throws InterruptedException {
        if (!table.add(entry)) {
            complete = false;
            inbox.accept(new SenderEvent.ScanFault(
                    entry.path().toString(),
                    FailureCode.OTHER,
                    "the tree has more names than fit into memory; send its folders one by one"));
            return false;
        }
        meter.entries.increment();
        meter.entryBytes.add(entry.size());
        page.add(entry);
        pageBytes += entry.path().length() + 24;
        if (page.size() == PAGE_ENTRIES || pageBytes > PAGE_BYTES || nanos.getAsLong() - pageBegun > PAGE_NANOS) {
            return flush();
        }
        return true;
    }

    private boolean flush() throws InterruptedException {
        boolean goOn = page.isEmpty() || outgoing.entries(packed(new Frame.Entries(page)));
        page.clear();
        pageBytes = 0;
        pageBegun = nanos.getAsLong();
        return goOn;
    }

    private Frame packed(Frame.Entries entries) {
        return packer.isPresent() ? packer.get().pack(entries) : entries;
    }
}
