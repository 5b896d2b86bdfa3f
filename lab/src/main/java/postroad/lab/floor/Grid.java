package postroad.lab.floor;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/// Times by row and column, in the order they were first named. For one thread.
final class Grid {
    private static final long LONGEST = 60_000_000_000L;

    private final String title;
    private final Map<String, Map<String, Histogram>> rows = new LinkedHashMap<>();
    private final Map<String, String> voids = new LinkedHashMap<>();
    private final Map<String, String> notes = new LinkedHashMap<>();
    private final List<String> columns = new ArrayList<>();

    Grid(String title) {
        this.title = title;
    }

    /// Names a row before any of its times are there, so that it stands in its place.
    void declare(String row) {
        rows.computeIfAbsent(row, absent -> new LinkedHashMap<>());
    }

    /// The same of one cell, for its column's place, too.
    void declare(String row, String column) {
        at(row, column);
    }

    /// Notes a time.
    void record(String row, String column, long nanos) {
        at(row, column).recordValue(Math.clamp(nanos, 0, LONGEST));
    }

    /// Says of a row why its figures must not be compared.
    void makeVoid(String row, String reason) {
        voids.put(row, reason);
    }

    /// Says something behind a row.
    void note(String row, String text) {
        notes.put(row, text);
    }

    /// Whether the row's figures must not be compared.
    boolean isVoid(String row) {
        return voids.containsKey(row);
    }

    /// A percentile in microseconds; empty when nothing was noted there.
    Optional<Double> micros(String row, String column, double percentile) {
        return Optional.ofNullable(rows.getOrDefault(row, Map.of()).get(column))
                .filter(histogram -> histogram.getTotalCount() > 0)
                .map(histogram -> histogram.getValueAtPercentile(percentile) / 1000.0);
    }

    /// Prints the table: p50, p90 and p99 in microseconds.
    void print(PrintStream out) {
        out.println();
        out.println(title + " (p50 / p90 / p99 in microseconds, count)");
        int width = rows.keySet().stream().mapToInt(String::length).max().orElse(0);
        out.printf(Locale.ROOT, "%-" + Math.max(1, width) + "s", "");
        columns.forEach(column -> out.printf(Locale.ROOT, "  %-36s", column));
        out.println();
        rows.forEach((row, cells) -> {
            out.printf(Locale.ROOT, "%-" + width + "s", row);
            columns.forEach(column -> out.printf(Locale.ROOT, "  %-36s", cell(cells.get(column))));
            out.print(notes.getOrDefault(row, ""));
            out.println(voids.containsKey(row) ? "VOID: " + voids.get(row) : "");
        });
    }

    /// The raw histograms: `[nanoseconds, count]` for each bucket that has any.
    Map<String, Object> json() {
        Map<String, Object> all = new LinkedHashMap<>();
        rows.forEach((row, cells) -> {
            Map<String, Object> of = new LinkedHashMap<>();
            cells.forEach((column, histogram) -> of.put(column, json(histogram)));
            Optional.ofNullable(voids.get(row)).ifPresent(reason -> of.put("void", reason));
            all.put(row, of);
        });
        return Map.of("title", title, "rows", all);
    }

    private Histogram at(String row, String column) {
        if (!columns.contains(column)) {
            columns.add(column);
        }
        return rows.computeIfAbsent(row, absent -> new LinkedHashMap<>())
                .computeIfAbsent(column, absent -> new Histogram(LONGEST, 3));
    }

    private static String cell(Histogram histogram) {
        if (histogram == null || histogram.getTotalCount() == 0) {
            return "-";
        }
        return micros(histogram, 50) + " / " + micros(histogram, 90) + " / " + micros(histogram, 99) + ", "
                + histogram.getTotalCount();
    }

    private static String micros(Histogram histogram, double percentile) {
        double micros = histogram.getValueAtPercentile(percentile) / 1000.0;
        return String.format(Locale.ROOT, micros < 100 ? "%.1f" : "%.0f", micros);
    }

    private static Map<String, Object> json(Histogram histogram) {
        List<long[]> buckets = new ArrayList<>();
        histogram
                .recordedValues()
                .forEach(value ->
                        buckets.add(new long[] {value.getValueIteratedTo(), value.getCountAddedInThisIterationStep()}));
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("count", histogram.getTotalCount());
        json.put("p50_ns", histogram.getValueAtPercentile(50));
        json.put("p90_ns", histogram.getValueAtPercentile(90));
        json.put("p99_ns", histogram.getValueAtPercentile(99));
        json.put("max_ns", histogram.getMaxValue());
        json.put("histogram", buckets);
        return json;
    }
}
