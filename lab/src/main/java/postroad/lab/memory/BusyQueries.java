package postroad.lab.memory;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import postroad.lab.fuzz.RawConnection;
import postroad.lab.process.Child;
import postroad.lab.process.ProcessFigures;
import postroad.nostr.core.Event;
import postroad.nostr.kit.Corpus;

/// Connections that ask a node one question after another, of every size, while its memory is looked at.
public final class BusyQueries {
    private static final int CONNECTIONS = 8;
    private static final int SAMPLE_MILLIS = 200;
    private static final int KNOWN_EVENTS = 2_000;

    private final List<Event> known;

    /// Asks about the events of the corpus with this seed.
    public BusyQueries(long seed) {
        known = Corpus.traffic(seed).take(KNOWN_EVENTS);
    }

    /// What was seen.
    ///
    /// @param queries queries answered to their EOSE
    /// @param peakResidentBytes most resident memory, the store's mapped pages included
    /// @param peakAnonymousBytes most of the process's own
    public record Report(long queries, long peakResidentBytes, long peakAnonymousBytes) {}

    /// Asks for `time`.
    public Report run(InetSocketAddress address, Child process, Duration time)
            throws IOException, InterruptedException {
        long end = System.nanoTime() + time.toNanos();
        LongAdder queries = new LongAdder();
        List<Throwable> failures = new CopyOnWriteArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            Random random = new Random(i);
            threads.add(Thread.ofPlatform()
                    .uncaughtExceptionHandler((thread, e) -> failures.add(e))
                    .start(() -> ask(address, random, end, queries)));
        }
        long resident = 0;
        long anonymous = 0;
        while (System.nanoTime() < end) {
            ProcessFigures figures = ProcessFigures.of(process.pid());
            resident = Math.max(resident, figures.residentBytes());
            anonymous = Math.max(anonymous, figures.anonymousBytes());
            Thread.sleep(SAMPLE_MILLIS);
        }
        for (Thread thread : threads) {
            thread.join();
        }
        if (!failures.isEmpty()) {
            throw new IllegalStateException("a query failed", failures.getFirst());
        }
        return new Report(queries.sum(), resident, anonymous);
    }

    private void ask(InetSocketAddress address, Random random, long end, LongAdder queries) {
        try (RawConnection connection = RawConnection.open(address)) {
            while (System.nanoTime() < end) {
                connection.sendText("[\"REQ\",\"q\"," + filter(random) + "]");
                connection.awaitText("[\"EOSE\"");
                queries.increment();
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private String filter(Random random) {
        Event event = known.get(random.nextInt(known.size()));
        return switch (random.nextInt(8)) {
            case 0 -> "{\"ids\":[\"" + event.id().hex() + "\"]}";
            case 1 -> "{\"authors\":[\"" + event.author().hex() + "\"],\"limit\":100}";
            case 2 -> "{\"kinds\":[1],\"limit\":500}";
            case 3 -> "{\"kinds\":[0,3,10002],\"authors\":[\"" + event.author().hex() + "\"]}";
            case 4 -> "{\"#e\":[\"" + event.id().hex() + "\"],\"kinds\":[1,6,7]}";
            case 5 -> "{\"#t\":[\"tag" + random.nextInt(50) + "\"],\"limit\":50}";
            case 6 -> "{\"kinds\":[1,6],\"until\":" + (event.createdAt() + random.nextInt(50_000)) + ",\"limit\":500}";
            default -> "{\"#p\":[\"" + event.author().hex() + "\"],\"limit\":200}";
        };
    }
}
