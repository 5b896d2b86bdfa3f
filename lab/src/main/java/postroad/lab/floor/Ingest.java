package postroad.lab.floor;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import postroad.nostr.core.Event;
import postroad.nostr.kit.Corpus;

/// EVENT to OK: many in flight, and one; each relay in turn, a part of the events at a time.
final class Ingest {
    static final String MANY = "EVENT to OK, 500 in flight";
    static final String ALONE = "EVENT to OK, 1 in flight";

    private static final int WINDOW = 500;
    private static final int PART = 2_500;

    /// What one relay did.
    ///
    /// @param partRates events a second of each part
    /// @param threads processor time by thread, nanoseconds for each event; empty when it cannot be seen
    record Outcome(
            int events,
            double perSecond,
            List<Double> partRates,
            double cpuMicros,
            Map<String, Double> threads,
            int refused,
            int duplicates,
            String lastRefusal) {
        /// The rate of the part in the middle, by rate.
        double medianRate() {
            List<Double> sorted = partRates.stream().sorted().toList();
            return sorted.get(sorted.size() / 2);
        }
    }

    private Ingest() {}

    /// Publishes the corpus to each.
    static Map<Target, Outcome> many(Grid grid, List<Target> targets, List<Event> events) throws IOException {
        Map<Target, Tally> tallies = new LinkedHashMap<>();
        for (Target target : targets) {
            tallies.put(target, new Tally(target));
        }
        List<Target> order = new ArrayList<>(targets);
        for (int from = 0; from < events.size(); from += PART) {
            List<Event> part = events.subList(from, Math.min(events.size(), from + PART));
            List<byte[]> frames = part.stream().map(Publisher::frame).toList();
            for (Target target : order) {
                tallies.get(target).publish(grid, frames, part);
            }
            Collections.reverse(order);
        }
        Map<Target, Outcome> outcomes = new LinkedHashMap<>();
        for (Tally tally : tallies.values()) {
            outcomes.put(tally.target, tally.end());
        }
        return outcomes;
    }

    /// Publishes one event after the other.
    static void alone(Grid grid, List<Target> targets, Corpus fresh, int rounds, int each) throws IOException {
        List<Target> order = new ArrayList<>(targets);
        for (int round = 0; round < rounds; round++) {
            List<Event> events = fresh.take(each);
            List<byte[]> frames = events.stream().map(Publisher::frame).toList();
            for (Target target : order) {
                try (Publisher publisher = new Publisher(target.address())) {
                    publisher.publish(frames, events, 1, nanos -> grid.record(ALONE, target.name(), nanos));
                }
            }
            Collections.reverse(order);
        }
    }

    /// What adds up for one relay.
    private static final class Tally {
        private final Target target;
        private final Publisher publisher;
        private final List<Double> rates = new ArrayList<>();
        private final Map<String, Double> threads = new TreeMap<>();
        private long nanos;
        private long cpu;
        private int events;

        Tally(Target target) throws IOException {
            this.target = target;
            this.publisher = new Publisher(target.address());
        }

        void publish(Grid grid, List<byte[]> frames, List<Event> part) throws IOException {
            Map<String, Long> before = byThread();
            long took = publisher.publish(frames, part, WINDOW, each -> grid.record(MANY, target.name(), each));
            Map<String, Long> after = byThread();
            after.forEach((name, now) -> {
                long used = now - before.getOrDefault(name, 0L);
                cpu += used;
                threads.merge(name, (double) used, Double::sum);
            });
            nanos += took;
            events += part.size();
            rates.add(part.size() * (double) TimeUnit.SECONDS.toNanos(1) / took);
        }

        Outcome end() throws IOException {
            publisher.close();
            threads.replaceAll((name, used) -> used / events);
            return new Outcome(
                    events,
                    events * (double) TimeUnit.SECONDS.toNanos(1) / nanos,
                    List.copyOf(rates),
                    cpu / 1000.0 / events,
                    Map.copyOf(threads),
                    publisher.refused(),
                    publisher.duplicates(),
                    publisher.lastRefusal());
        }

        private Map<String, Long> byThread() throws IOException {
            return target.pid().isPresent() ? Cpu.byThread(target.pid().getAsLong()) : Map.of();
        }
    }
}
