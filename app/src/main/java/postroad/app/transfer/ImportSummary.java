package postroad.app.transfer;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What became of the lines read, so far or at the end.
///
/// @param lines lines read, empty ones apart
/// @param stored new events, durable
/// @param ephemeral events of ephemeral kinds, which no store keeps
/// @param duplicate events that were there
/// @param replaced older versions of what is there
/// @param deleted events whose author had asked for their deletion
/// @param vanished events whose author had asked to vanish
/// @param expired events whose expiration has passed
/// @param refused lines that are no acceptable event, by reason
public record ImportSummary(
        long lines,
        long stored,
        long ephemeral,
        long duplicate,
        long replaced,
        long deleted,
        long vanished,
        long expired,
        Map<String, Refused> refused) {
    /// Nothing yet.
    public static final ImportSummary NONE = new ImportSummary(0, 0, 0, 0, 0, 0, 0, 0, Map.of());

    /// Copies the map, keeping its order.
    public ImportSummary {
        refused = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(refused));
    }

    /// How many lines were refused for one reason, and where the first is: `events.jsonl:17`.
    public record Refused(long count, String first) {}

    /// How many lines were refused in all.
    public long refusedCount() {
        return refused.values().stream().mapToLong(Refused::count).sum();
    }

    /// The counts by name, in the order in which they are shown.
    public Map<String, Long> counts() {
        Map<String, Long> counts = new LinkedHashMap<>();
        counts.put("read", lines);
        counts.put("stored", stored);
        counts.put("duplicate", duplicate);
        counts.put("replaced", replaced);
        counts.put("deleted", deleted);
        counts.put("vanished", vanished);
        counts.put("expired", expired);
        counts.put("ephemeral", ephemeral);
        counts.put("refused", refusedCount());
        return counts;
    }

    /// The summary as lines of words between tabs, for the control socket; [#ofLines] reads them.
    public List<String> toLines() {
        List<String> text = new ArrayList<>();
        counts().forEach((name, count) -> text.add("count\t" + name + "\t" + count));
        refused.forEach((reason, one) ->
                text.add("refused\t" + one.count() + "\t" + plain(one.first()) + "\t" + plain(reason)));
        return text;
    }

    /// Reads [#toLines]; empty when the lines are something else.
    public static Optional<ImportSummary> ofLines(List<String> text) {
        Map<String, Long> counts = new LinkedHashMap<>();
        Map<String, Refused> refused = new LinkedHashMap<>();
        try {
            for (String line : text) {
                String[] words = line.split("\t", -1);
                switch (words[0]) {
                    case "count" -> counts.put(words[1], Long.valueOf(words[2]));
                    case "refused" -> refused.put(words[3], new Refused(Long.parseLong(words[1]), words[2]));
                    default -> {
                        return Optional.empty();
                    }
                }
            }
            return Optional.of(new ImportSummary(
                    counts.get("read"),
                    counts.get("stored"),
                    counts.get("ephemeral"),
                    counts.get("duplicate"),
                    counts.get("replaced"),
                    counts.get("deleted"),
                    counts.get("vanished"),
                    counts.get("expired"),
                    refused));
        } catch (NumberFormatException | ArrayIndexOutOfBoundsException | NullPointerException e) {
            return Optional.empty();
        }
    }

    private static String plain(String text) {
        return text.replaceAll("\\p{Cntrl}+", " ");
    }
}
