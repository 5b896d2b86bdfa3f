package postroad.lab.floor;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// One connection that asks one thing after another, cell by cell, in rounds whose order is reversed each
/// time.
final class Wire {
    private static final int NOT_TIMED = 5;

    private final Grid grid;
    private final Map<String, Map<String, Double>> cpu = new LinkedHashMap<>();
    private final Map<String, Map<String, Integer>> counts = new LinkedHashMap<>();

    Wire(Grid grid) {
        this.grid = grid;
    }

    /// A row of the table for one target.
    ///
    /// @param asks taken in turn
    record Cell(String row, Target target, List<Ask> asks, boolean noDelay, boolean deflate, int samples) {}

    /// Takes all cells in turn, `rounds` times, behind `warmUpNanos` of each that are not noted.
    void run(List<Cell> cells, long warmUpNanos, int rounds) throws IOException {
        for (Cell cell : cells) {
            grid.declare(cell.row);
            if (cell.noDelay) {
                warmUp(cell, warmUpNanos);
            }
        }
        List<Cell> order = new ArrayList<>(cells);
        for (int round = 0; round < rounds; round++) {
            for (Cell cell : order) {
                run(cell, round * cell.samples);
            }
            Collections.reverse(order);
        }
    }

    /// One cell by time instead of by count.
    void runFor(Cell cell, long nanos) throws IOException {
        try (LeanClient client = open(cell)) {
            long end = System.nanoTime() + nanos;
            for (int i = 0; System.nanoTime() < end; i++) {
                grid.record(
                        cell.row,
                        cell.target.name(),
                        cell.asks.get(i % cell.asks.size()).time(client));
            }
        }
    }

    /// The relay's processor time for each answer of a row, in microseconds; empty when it cannot be seen.
    Optional<Double> cpuMicros(String row, Target target) {
        int count = counts.getOrDefault(row, Map.of()).getOrDefault(target.name(), 0);
        return count == 0 || target.pid().isEmpty()
                ? Optional.empty()
                : Optional.of(cpu.get(row).get(target.name()) / count);
    }

    /// The same for all cells, as a table has it.
    String cpuText(String row, List<Target> targets) {
        List<String> parts = new ArrayList<>();
        for (Target target : targets) {
            cpuMicros(row, target)
                    .ifPresent(micros -> parts.add(target.name() + " " + String.format(Locale.ROOT, "%.0f", micros)));
        }
        return String.join(", ", parts);
    }

    /// All of them, for the results.
    Map<String, Map<String, Double>> cpuMicros() {
        Map<String, Map<String, Double>> all = new LinkedHashMap<>();
        cpu.forEach((row, byTarget) -> {
            Map<String, Double> each = new LinkedHashMap<>();
            byTarget.forEach((target, micros) ->
                    each.put(target, micros / counts.get(row).get(target)));
            all.put(row, each);
        });
        return all;
    }

    private static void warmUp(Cell cell, long nanos) throws IOException {
        try (LeanClient client = open(cell)) {
            long end = System.nanoTime() + nanos;
            for (int i = 0; System.nanoTime() < end; i++) {
                cell.asks.get(i % cell.asks.size()).time(client);
            }
        }
    }

    private void run(Cell cell, int first) throws IOException {
        try (LeanClient client = open(cell)) {
            long before = cell.target.cpuNanos();
            for (int i = 0; i < cell.samples; i++) {
                long nanos = cell.asks.get((first + i) % cell.asks.size()).time(client);
                grid.record(cell.row, cell.target.name(), nanos);
            }
            double used = (cell.target.cpuNanos() - before) / 1000.0;
            cpu.computeIfAbsent(cell.row, row -> new LinkedHashMap<>()).merge(cell.target.name(), used, Double::sum);
            counts.computeIfAbsent(cell.row, row -> new LinkedHashMap<>())
                    .merge(cell.target.name(), cell.samples, Integer::sum);
        }
    }

    /// A connection that has asked a little already.
    private static LeanClient open(Cell cell) throws IOException {
        LeanClient client = LeanClient.open(cell.target.address(), cell.noDelay, cell.deflate, Optional.empty());
        try {
            if (cell.deflate && !client.isDeflated()) {
                throw new IOException(cell.target.name() + " does not compress");
            }
            int few = cell.noDelay ? NOT_TIMED : 1;
            for (int i = 0; i < few; i++) {
                cell.asks.get(i % cell.asks.size()).time(client);
            }
            return client;
        } catch (IOException | RuntimeException e) {
            client.close();
            throw e;
        }
    }
}
