package postroad.lab.folders;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import postroad.lab.sync.Median;
import postroad.lab.sync.TreeSize;
import postroad.lab.sync.TreeState;

/// What a [FoldersTrial] found, as tables and as data.
public final class FoldersReport {
    private static final int PROGRAM_WIDTH = 24;
    private static final int CELL_WIDTH = 12;

    private final FoldersPlan plan;
    private final Map<Row, List<Double>> seconds = new LinkedHashMap<>();
    private final Map<Row, String> failures = new LinkedHashMap<>();
    private final Map<Row.Series, Set<String>> results = new LinkedHashMap<>();
    private final Map<List<Object>, List<Double>> floors = new LinkedHashMap<>();
    private final Map<List<Object>, List<String>> remarks = new LinkedHashMap<>();
    private final Map<String, String> skipped = new LinkedHashMap<>();
    private TreeSize size = new TreeSize(0, 0);

    FoldersReport(FoldersPlan plan) {
        this.plan = plan;
    }

    void tree(Path root) throws IOException {
        size = TreeSize.of(root);
    }

    void add(Row row, Duration took, String result) {
        seconds.computeIfAbsent(row, _ -> new ArrayList<>()).add(took.toNanos() / 1e9);
        results.computeIfAbsent(row.series(), _ -> new LinkedHashSet<>()).add(result);
    }

    void failed(Row row, String message) {
        failures.put(row, message);
    }

    void floor(Ground ground, Line line, Duration took) {
        floors.computeIfAbsent(List.of(ground, line), _ -> new ArrayList<>()).add(took.toNanos() / 1e9);
    }

    void remark(Ground ground, Line line, String text) {
        remarks.computeIfAbsent(List.of(ground, line), _ -> new ArrayList<>()).add(text);
    }

    void skipped(String peer, String why) {
        skipped.put(peer, why);
    }

    /// Prints a table for each ground and line, and what follows.
    public void print(PrintStream out) {
        out.printf(
                Locale.ROOT,
                "%d files, %.1f MiB; median of %d, seconds from the start of the sending process to the end of both%n",
                size.files(),
                size.bytes() / 1048576.0,
                plan.rounds());
        skipped.forEach((peer, why) -> out.println(peer + " is left out: " + why));
        for (Ground ground : plan.grounds()) {
            for (Line line : plan.lines()) {
                printTable(out, ground, line);
            }
        }
        out.println();
        conclusions().forEach(out::println);
    }

    private void printTable(PrintStream out, Ground ground, Line line) {
        out.println();
        out.println(ground.word() + ", " + line);
        StringBuilder head = new StringBuilder(pad("program", PROGRAM_WIDTH));
        plan.scenes().forEach(scene -> head.append(left(scene.word())));
        out.println(head + "  result");
        for (String program : programs()) {
            StringBuilder text = new StringBuilder(pad(program, PROGRAM_WIDTH));
            for (TreeState scene : plan.scenes()) {
                text.append(left(cell(new Row(ground, line, program, scene))));
            }
            Set<String> found = results.getOrDefault(new Row.Series(ground, line, program), Set.of("-"));
            out.println(text + "  " + String.join("; ", found));
        }
        List<Double> floor = floors.getOrDefault(List.of(ground, line), List.of());
        if (!floor.isEmpty()) {
            out.println(pad("plain create and write", PROGRAM_WIDTH) + left(number(median(floor))));
        }
        remarks.getOrDefault(List.of(ground, line), List.of())
                .forEach(text -> out.println("  repeat this one: " + text));
        failures.forEach((row, message) -> {
            if (row.ground().equals(ground) && row.line().equals(line)) {
                out.println("  " + row.program() + ", " + row.scene().word() + ": "
                        + message.lines().findFirst().orElse(""));
            }
        });
    }

    private String cell(Row row) {
        List<Double> all = seconds.getOrDefault(row, List.of());
        if (failures.containsKey(row)) {
            return "failed";
        }
        return all.isEmpty() ? "-" : number(median(all));
    }

    private List<String> programs() {
        return Stream.concat(seconds.keySet().stream(), failures.keySet().stream())
                .map(Row::program)
                .distinct()
                .toList();
    }

    /// A line for each ground, line and scene: this program's time over that of each other one, as the
    /// median of the ratios of each round.
    public List<String> conclusions() {
        List<String> lines = new ArrayList<>();
        for (Ground ground : plan.grounds()) {
            for (Line line : plan.lines()) {
                for (TreeState scene : plan.scenes()) {
                    List<String> parts = ratios(ground, line, scene);
                    if (!parts.isEmpty()) {
                        lines.add(ground.word() + ", " + line + ", " + scene.word() + ": " + String.join(", ", parts));
                    }
                }
            }
        }
        lines.addAll(slopes());
        return lines;
    }

    /// For each two lines that differ in their round trips alone: how many of them a session takes, by what it takes
    /// longer on the longer line.
    private List<String> slopes() {
        List<String> lines = new ArrayList<>();
        for (Line shorter : plan.lines()) {
            for (Line longer : plan.lines()) {
                if (longer.rttMillis() <= shorter.rttMillis()
                        || !longer.atRtt(shorter.rttMillis()).equals(shorter)) {
                    continue;
                }
                seconds.keySet().stream()
                        .filter(row -> row.line().equals(shorter))
                        .forEach(row -> slope(row, longer).ifPresent(lines::add));
            }
        }
        return lines;
    }

    private Optional<String> slope(Row row, Line longer) {
        List<Double> slow = seconds.get(new Row(row.ground(), longer, row.program(), row.scene()));
        if (slow == null) {
            return Optional.empty();
        }
        int between = longer.rttMillis() - row.line().rttMillis();
        return Optional.of(String.format(
                Locale.ROOT,
                "%s, %s, %s: %.1f round trips from %s to %d ms",
                row.ground().word(),
                row.program(),
                row.scene().word(),
                (median(slow) - median(seconds.get(row))) * 1000 / between,
                row.line(),
                longer.rttMillis()));
    }

    private List<String> ratios(Ground ground, Line line, TreeState scene) {
        List<String> parts = new ArrayList<>();
        String first = programs().isEmpty() ? "" : programs().getFirst();
        List<Double> ours = seconds.getOrDefault(new Row(ground, line, first, scene), List.of());
        for (String program : programs()) {
            List<Double> theirs = seconds.getOrDefault(new Row(ground, line, program, scene), List.of());
            int rounds = Math.min(ours.size(), theirs.size());
            if (program.equals(first) || rounds == 0) {
                continue;
            }
            List<Double> each = new ArrayList<>();
            for (int i = 0; i < rounds; i++) {
                each.add(ours.get(i) / theirs.get(i));
            }
            parts.add(String.format(Locale.ROOT, "%.2f of %s", median(each), program));
        }
        if (!parts.isEmpty()) {
            parts.set(0, first + " takes " + parts.getFirst());
        }
        return parts;
    }

    private static double median(List<Double> all) {
        return Median.of(all.stream().mapToDouble(each -> each));
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }

    private static String pad(String text, int width) {
        return text + " ".repeat(Math.max(1, width - text.length()));
    }

    private static String left(String text) {
        return " ".repeat(Math.max(1, CELL_WIDTH - text.length())) + text;
    }

    /// Everything, each session by itself.
    public Map<String, Object> data() {
        List<Map<String, Object>> rows = new ArrayList<>();
        seconds.forEach((row, all) -> {
            Map<String, Object> each = described(row);
            each.put("seconds", all);
            rows.add(each);
        });
        failures.forEach((row, message) -> {
            Map<String, Object> each = described(row);
            each.put("failed", message);
            rows.add(each);
        });
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("files", size.files());
        data.put("bytes", size.bytes());
        data.put("seed", plan.seed());
        data.put("rounds", plan.rounds());
        data.put("skipped", skipped);
        data.put("rows", rows);
        List<Map<String, Object>> writes = new ArrayList<>();
        floors.forEach((key, all) -> writes.add(Map.of(
                "ground",
                ((Ground) key.getFirst()).word(),
                "line",
                key.getLast().toString(),
                "seconds",
                all)));
        data.put("plain_create_and_write", writes);
        data.put("conclusions", conclusions());
        return data;
    }

    private static Map<String, Object> described(Row row) {
        Map<String, Object> each = new LinkedHashMap<>();
        each.put("ground", row.ground().word());
        each.put("rtt_ms", row.line().rttMillis());
        each.put("loss_percent", row.line().lossPercent());
        each.put("rate_mbit", row.line().megabits());
        each.put("congestion", row.line().congestion());
        each.put("system_buffers", row.line().systemBuffers());
        each.put("program", row.program());
        each.put("scene", row.scene().word());
        return each;
    }
}
