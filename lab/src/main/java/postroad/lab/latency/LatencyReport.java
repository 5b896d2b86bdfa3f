package postroad.lab.latency;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import postroad.lab.sync.Median;
import postroad.lab.sync.TreeSize;
import postroad.lab.sync.TreeState;

/// What a [LatencyTrial] found, as tables and as data.
public final class LatencyReport {
    /// A simulated link stands at once; TCP takes a round trip for that.
    private static final double TCP = 1;

    private final LatencyPlan plan;
    private final TreeSize size;
    private final long rewritten;
    private final Map<Cell, List<Sample>> samples;

    LatencyReport(LatencyPlan plan, TreeSize size, long rewritten, Map<Cell, List<Sample>> samples) {
        this.plan = plan;
        this.size = size;
        this.rewritten = rewritten;
        this.samples = samples;
    }

    /// Prints a table for each state and way of working, and what follows from them.
    public void print(PrintStream out) {
        out.printf(
                Locale.ROOT,
                "%d files, %.1f MiB; wire: %s, %d MiB a direction%s%s%s; median of %d%n",
                size.files(),
                size.bytes() / 1048576.0,
                plan.model().name().toLowerCase(Locale.ROOT),
                plan.bound() >> 20,
                plan.tls() ? ", TLS inside" : ", no TLS",
                plan.bitsPerSecond() == 0 ? "" : ", " + plan.bitsPerSecond() / 1_000_000 + " Mbit/s a link",
                plan.jitterMillis() == 0 ? "" : ", jitter up to " + plan.jitterMillis() + " ms",
                plan.rounds());
        for (String group : groups()) {
            printGroup(out, group);
        }
        out.println();
        out.println(
                "dead air: wall time over that of the same session at RTT 0; slope: dead air in round trips, one for"
                        + " TCP's handshake added");
        conclusions().forEach(out::println);
    }

    private List<String> groups() {
        return samples.keySet().stream().map(Cell::group).distinct().toList();
    }

    private List<Cell> rows(String group) {
        return samples.keySet().stream()
                .filter(cell -> cell.group().equals(group) && cell.rttMillis() > 0)
                .toList();
    }

    private void printGroup(PrintStream out, String group) {
        out.println();
        out.println(group);
        out.println("  K   RTT ms    wall s   ratio   RTT 0 s  dead air s   slope   sent MB  received kB  result");
        List<Cell> rows = rows(group);
        double first = seconds(rows.getFirst());
        for (Cell cell : rows) {
            out.printf(
                    Locale.ROOT,
                    "%3d %8d %9.3f %6.2fx %9.3f %11.3f %7.1f %9.1f %12.1f  equal%n",
                    cell.parallel(),
                    cell.rttMillis(),
                    seconds(cell),
                    first / seconds(cell),
                    seconds(cell.atRtt(0)),
                    deadAir(cell),
                    slope(cell),
                    median(cell, Sample::sent) / 1e6,
                    median(cell, Sample::received) / 1e3);
        }
    }

    private double median(Cell cell, ToLongFunction<Sample> what) {
        return Median.of(samples.get(cell).stream().mapToLong(what).asDoubleStream());
    }

    private double seconds(Cell cell) {
        return median(cell, Sample::nanos) / 1e9;
    }

    /// The median over rounds of what a round's session took longer than the one without a wire in that round.
    private double deadAir(Cell cell) {
        List<Sample> with = samples.get(cell);
        List<Sample> without = samples.get(cell.atRtt(0));
        return Median.of(IntStream.range(0, with.size())
                        .mapToDouble(i -> with.get(i).nanos() - without.get(i).nanos()))
                / 1e9;
    }

    private double slope(Cell cell) {
        return deadAir(cell) * 1000 / cell.rttMillis() + TCP;
    }

    /// Bytes both ways for each byte that was rewritten.
    private double overRewritten(Cell cell) {
        return (median(cell, Sample::sent) + median(cell, Sample::received)) / rewritten;
    }

    /// A line for each group: what K changes in it; and what an edit costs.
    public List<String> conclusions() {
        List<String> lines = new ArrayList<>();
        for (String group : groups()) {
            List<Cell> rows = rows(group);
            Cell one = rows.getFirst();
            Optional<Cell> most = rows.stream()
                    .filter(cell -> cell.rttMillis() == one.rttMillis())
                    .reduce((a, b) -> b);
            if (most.isPresent() && !most.get().equals(one)) {
                lines.add(String.format(
                        Locale.ROOT,
                        "%s: K = %d takes %.2f of the time of K = %d at %d ms, and waits for %.1f round trips instead of %.1f",
                        group,
                        most.get().parallel(),
                        seconds(most.get()) / seconds(one),
                        one.parallel(),
                        one.rttMillis(),
                        slope(most.get()),
                        slope(one)));
            }
            if (one.state() == TreeState.EDITED && rewritten > 0) {
                lines.add(String.format(
                        Locale.ROOT,
                        "%s: %.3f bytes on the wire, both ways, for each of the %,d that were rewritten",
                        group,
                        overRewritten(one),
                        rewritten));
            }
        }
        return lines;
    }

    /// Everything, each session by itself.
    public Map<String, Object> data() {
        List<Map<String, Object>> rows = new ArrayList<>();
        samples.forEach((cell, all) -> {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("state", cell.state().word());
            row.put("in_flight", cell.inFlight().<Object>map(count -> count).orElse("default"));
            row.put("parallel", cell.parallel());
            row.put("rtt_ms", cell.rttMillis());
            row.put("seconds", all.stream().map(each -> each.nanos() / 1e9).toList());
            row.put("sent_bytes", all.stream().map(Sample::sent).toList());
            row.put("received_bytes", all.stream().map(Sample::received).toList());
            if (cell.rttMillis() > 0) {
                row.put("dead_air_seconds", deadAir(cell));
                row.put("slope", slope(cell));
            }
            if (cell.state() == TreeState.EDITED && rewritten > 0) {
                row.put("bytes_over_rewritten", overRewritten(cell));
            }
            rows.add(row);
        });
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("files", size.files());
        data.put("bytes", size.bytes());
        data.put("wire", plan.model().name().toLowerCase(Locale.ROOT));
        data.put("bound_bytes", plan.bound());
        data.put("tls", plan.tls());
        data.put("bits_per_second", plan.bitsPerSecond());
        data.put("jitter_ms", plan.jitterMillis());
        data.put("seed", plan.seed());
        data.put("rounds", plan.rounds());
        data.put("rows", rows);
        data.put("conclusions", conclusions());
        return data;
    }
}
