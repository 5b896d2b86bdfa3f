package postroad.lab.crash;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import postroad.lab.process.Child;
import postroad.lab.process.Jvm;
import postroad.nostr.core.Event;
import postroad.nostr.core.Filter;
import postroad.nostr.core.PackedEvent;
import postroad.nostr.core.Query;
import postroad.nostr.core.VerifiedEvent;
import postroad.nostr.core.Viewer;
import postroad.nostr.kit.ModelStore;
import postroad.nostr.store.Budget;
import postroad.nostr.store.EventStore;
import postroad.nostr.store.LmdbStore;
import postroad.nostr.store.Snapshot;
import postroad.nostr.store.StoreException;
import postroad.nostr.store.StoreOptions;
import postroad.nostr.store.StoreReader;

/// The trial of a store by power cuts: a process writes under the [Recorder], and at many points of the
/// record the files are laid out as a cut could have left them, and judged.
///
/// The judge demands of each: the store opens by itself; every index agrees with every record; its content
/// is, to the byte, what the rules make of the batches acknowledged so far, or of these and the one under
/// way, whole; and it takes the next write.
public final class PowerLoss {
    private static final Duration RECORDING = Duration.ofMinutes(10);
    private static final int WRITES_AGAIN = 8;
    private static final List<Loss> LOSSES = List.of(Loss.values());

    private final Path folder;
    private final long seed;
    private final List<Operation> record;

    private PowerLoss(Path folder, long seed, List<Operation> record) {
        this.folder = folder;
        this.seed = seed;
        this.record = record;
    }

    /// What was tried.
    ///
    /// @param operations operations recorded
    /// @param bytes bytes of the writes recorded
    /// @param batches batches acknowledged
    /// @param images layouts judged, by what they lost
    public record Report(int operations, long bytes, int batches, Map<Loss, Integer> images) {}

    /// Records a process that writes `batches` batches to a store in `scratch`. A store that is not
    /// `durable` must fail the trial: so that one can see that it can be failed.
    public static PowerLoss record(Recorder recorder, Path scratch, long seed, int batches, boolean durable)
            throws IOException, InterruptedException {
        Path store = scratch.resolve("store");
        Path marks = scratch.resolve("marks");
        Path log = scratch.resolve("log");
        ProcessBuilder builder = new ProcessBuilder(Jvm.command(
                List.of("-Xmx256m"),
                StoreWriter.class.getName(),
                List.of(
                        store.toString(),
                        marks.toString(),
                        Long.toString(seed),
                        Integer.toString(batches),
                        Boolean.toString(durable))));
        recorder.preload(builder, store, log, marks);
        try (Child child = Child.start(builder)) {
            int status = child.await(RECORDING);
            if (status != 0) {
                throw new IOException("the recorded process failed: " + child.talk());
            }
        }
        return new PowerLoss(store, seed, OperationLog.read(log));
    }

    /// Cuts the power at `points` points of the record, each with some loss; all points with every loss
    /// when there are no more than that.
    ///
    /// @throws IllegalStateException when an image fails, naming point and loss
    public Report judge(int points) {
        Random random = new Random(seed);
        Set<Integer> chosen = points(points, random);
        boolean everyLoss = points >= record.size() * LOSSES.size();
        Map<Loss, Integer> images = new EnumMap<>(Loss.class);
        Acknowledged acknowledged = new Acknowledged(seed);
        Disk disk = new Disk();
        for (int i = 0; i < record.size(); i++) {
            if (chosen.contains(i)) {
                List<Loss> losses = everyLoss ? LOSSES : List.of(LOSSES.get(random.nextInt(LOSSES.size())));
                for (Loss loss : losses) {
                    disk.layOut(folder, record.get(i), loss, random);
                    judge(i, loss, acknowledged, random.nextInt(WRITES_AGAIN) == 0);
                    images.merge(loss, 1, Integer::sum);
                }
            }
            disk.apply(record.get(i));
            if (record.get(i) instanceof Operation.Mark(String sequence)) {
                acknowledged.next(Long.parseLong(sequence));
            }
        }
        return new Report(record.size(), bytes(), acknowledged.batches(), images);
    }

    /// How many operations were recorded.
    public int operations() {
        return record.size();
    }

    private Set<Integer> points(int points, Random random) {
        List<Integer> all =
                new ArrayList<>(IntStream.range(0, record.size()).boxed().toList());
        Collections.shuffle(all, random);
        return all.stream().limit(points).collect(Collectors.toUnmodifiableSet());
    }

    private long bytes() {
        return record.stream()
                .mapToLong(operation -> operation instanceof Operation.Write write
                        ? write.data().byteSize()
                        : 0)
                .sum();
    }

    private void judge(int point, Loss loss, Acknowledged acknowledged, boolean write) {
        try (LmdbStore store = LmdbStore.open(StoreOptions.at(folder))) {
            demandConsistent(store);
            acknowledged.demand(store.sequence(), content(store));
            if (write) {
                acknowledged.demandWritable(store);
            }
        } catch (StoreException | IllegalStateException e) {
            throw new IllegalStateException(
                    "power cut at operation " + point + " of " + record.size() + " (" + record.get(point) + "), "
                            + acknowledged.batches() + " batches acknowledged, lost: " + loss + ", seed " + seed + ": "
                            + e.getMessage(),
                    e);
        }
    }

    private static void demandConsistent(LmdbStore store) {
        List<String> problems = store.verify().problems();
        if (!problems.isEmpty()) {
            throw new IllegalStateException("it is not consistent: " + problems);
        }
    }

    /// Every stored event's JSON by its id.
    static Map<String, String> content(EventStore store) {
        Map<String, String> content = new TreeMap<>();
        try (StoreReader reader = store.reader();
                Snapshot snapshot = reader.open()) {
            Query everything = new Query(List.of(Filter.ALL), Viewer.OPERATOR);
            snapshot.run(store.plan(everything), 0, Budget.UNLIMITED, (base, at, length, sequence) -> {
                int offset = PackedEvent.jsonOffset(base, at);
                byte[] json = base.asSlice(at + offset, length - offset).toArray(ValueLayout.JAVA_BYTE);
                content.put(PackedEvent.id(base, at).hex(), new String(json, UTF_8));
                return true;
            });
        }
        return content;
    }

    /// What must be there, as batches are acknowledged: the model after them, and after the next one.
    private static final class Acknowledged {
        private final ModelStore model = new ModelStore(Set.of());
        private final Workload workload;
        private Map<String, String> now = Map.of();
        private Map<String, String> next;
        private boolean nextStores;
        private long sequence;
        private int batches;

        Acknowledged(long seed) {
            workload = new Workload(seed);
            next = advance();
        }

        int batches() {
            return batches;
        }

        void next(long newSequence) {
            // Numbers that only ephemeral events took may be given again after a crash: nothing is kept under them.
            if (nextStores) {
                sequence = newSequence;
            }
            now = next;
            next = advance();
            batches++;
        }

        void demand(long storeSequence, Map<String, String> content) {
            if (storeSequence < sequence) {
                throw new IllegalStateException(
                        "its sequence is " + storeSequence + " though " + sequence + " was acknowledged");
            }
            if (!content.equals(now) && !content.equals(next)) {
                throw new IllegalStateException("its content is neither what was acknowledged nor the next batch: "
                        + difference("missing", now, content) + difference("surplus", content, next));
            }
        }

        void demandWritable(EventStore store) {
            Event event = new Workload(-1).next().getFirst();
            store.write(List.of(VerifiedEvent.unchecked(event)), StoreWriter.NOW);
            if (!content(store).containsKey(event.id().hex())) {
                throw new IllegalStateException("it did not take the next write");
            }
        }

        private Map<String, String> advance() {
            nextStores = false;
            for (Event event : workload.next()) {
                nextStores |= model.write(event, StoreWriter.NOW) == ModelStore.Outcome.STORED;
            }
            Map<String, String> content = new TreeMap<>();
            model.rows()
                    .forEach(row -> content.put(row.event().id(), row.event().json()));
            return content;
        }

        private static String difference(String word, Map<String, String> all, Map<String, String> some) {
            List<String> ids = all.keySet().stream()
                    .filter(id -> !all.get(id).equals(some.get(id)))
                    .limit(3)
                    .toList();
            return word + " " + ids + " ";
        }
    }
}
