package postroad.lab.floor;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import postroad.common.Hex;
import postroad.common.Sha256;
import postroad.nostr.core.Event;
import postroad.nostr.core.Tag;

/// What is asked about a corpus: for each row of the tables several filters of the same kind, taken in turn.
///
/// Where a limit cuts an answer, it cuts between two seconds, so that relays that order the events of one
/// second differently still have to give the same.
final class Questions {
    static final String NONE = "none (unknown id)";
    static final String ONE = "one id";

    /// The author with as many notes as in the evaluation that this one repeats.
    static final String AUTHOR = "author, ~21 rows";

    /// What refers to one event; about twenty rows where the corpus has threads of that length.
    static final String THREAD = "thread";
    static final String HASHTAG = "hashtag, 500 rows";
    static final String RECENT = "recent, 500 rows";

    private static final int OF_EACH = 40;
    private static final int OF_LONG = 8;
    private static final int AUTHORS_ROWS = 21;
    private static final int THREADS_ROWS = 20;
    private static final int PAGE = 500;

    private Questions() {}

    /// All rows. Those a corpus cannot fill, as the plain shape has no tags, are left out.
    static Map<String, List<String>> about(List<Event> events) {
        List<Event> notes = events.stream()
                .filter(event -> event.kind() == 1)
                .sorted(Comparator.comparingLong(Event::createdAt).reversed())
                .toList();
        Map<String, List<String>> rows = new LinkedHashMap<>();
        put(rows, NONE, unknown());
        put(rows, ONE, ids(notes));
        put(rows, AUTHOR, authors(notes));
        put(rows, THREAD, threads(events));
        put(rows, HASHTAG, hashtags(notes));
        put(rows, RECENT, pages("\"kinds\":[1]", times(notes), OF_LONG));
        return rows;
    }

    /// Whether the answer to a row's questions is long.
    static boolean isLong(String row) {
        return row.equals(HASHTAG) || row.equals(RECENT);
    }

    private static void put(Map<String, List<String>> rows, String row, List<String> filters) {
        if (!filters.isEmpty()) {
            rows.put(row, filters);
        }
    }

    private static List<String> unknown() {
        List<String> filters = new ArrayList<>();
        for (int i = 0; i < OF_EACH; i++) {
            filters.add("{\"ids\":[\"" + Hex.encode(Sha256.of(("unknown " + i).getBytes(UTF_8))) + "\"]}");
        }
        return filters;
    }

    private static List<String> ids(List<Event> notes) {
        List<String> filters = new ArrayList<>();
        for (int i = 0; i < OF_EACH && i < notes.size(); i++) {
            Event note = notes.get((int) ((long) i * notes.size() / OF_EACH) % notes.size());
            filters.add("{\"ids\":[\"" + note.id().hex() + "\"]}");
        }
        return filters;
    }

    private static List<String> authors(List<Event> notes) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        notes.forEach(note -> counts.merge(note.author().hex(), 1, Integer::sum));
        return nearest(counts, AUTHORS_ROWS).stream()
                .map(author -> "{\"authors\":[\"" + author + "\"],\"kinds\":[1],\"limit\":50}")
                .toList();
    }

    private static List<String> threads(List<Event> events) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        for (Event event : events) {
            if (Set.of(1, 6, 7).contains(event.kind())) {
                values(event, "e").forEach(id -> counts.merge(id, 1, Integer::sum));
            }
        }
        return nearest(counts, THREADS_ROWS).stream()
                .map(root -> "{\"#e\":[\"" + root + "\"],\"kinds\":[1,6,7]}")
                .toList();
    }

    private static List<String> hashtags(List<Event> notes) {
        Map<String, List<Long>> byTag = new HashMap<>();
        for (Event note : notes) {
            for (String tag : values(note, "t")) {
                byTag.computeIfAbsent(tag, absent -> new ArrayList<>()).add(note.createdAt());
            }
        }
        return byTag.entrySet().stream()
                .sorted(Comparator.comparingInt((Map.Entry<String, List<Long>> e) ->
                                -e.getValue().size())
                        .thenComparing(Map.Entry::getKey))
                .limit(OF_LONG / 2)
                .flatMap(e -> pages("\"kinds\":[1],\"#t\":[\"" + e.getKey() + "\"]", e.getValue(), 2).stream())
                .toList();
    }

    /// Pages of 500 that begin and end between two seconds.
    private static List<String> pages(String condition, List<Long> times, int most) {
        List<String> filters = new ArrayList<>();
        int step = Math.max(1, (times.size() - PAGE) / most);
        for (int from = 0; from < times.size() && filters.size() < most; from += step) {
            int first = from;
            while (first < times.size() && first > 0 && times.get(first - 1).equals(times.get(first))
                    || isCutInASecond(times, first)) {
                first++;
            }
            if (first + PAGE > times.size() && !filters.isEmpty()) {
                break;
            }
            if (first < times.size()) {
                filters.add("{" + condition + ",\"until\":" + times.get(first) + ",\"limit\":" + PAGE + "}");
            }
        }
        return filters;
    }

    private static boolean isCutInASecond(List<Long> times, int first) {
        int next = first + PAGE;
        return next < times.size() && times.get(next - 1).equals(times.get(next));
    }

    /// The keys whose counts are next to `wanted`.
    private static List<String> nearest(Map<String, Integer> counts, int wanted) {
        return counts.entrySet().stream()
                .sorted(Comparator.comparingInt(e -> Math.abs(e.getValue() - wanted)))
                .limit(OF_EACH)
                .map(Map.Entry::getKey)
                .toList();
    }

    private static List<Long> times(List<Event> notes) {
        return notes.stream().map(Event::createdAt).toList();
    }

    private static Set<String> values(Event event, String name) {
        Set<String> values = new HashSet<>();
        for (Tag tag : event.tags()) {
            if (tag.name().equals(name)) {
                values.add(tag.value());
            }
        }
        return values;
    }
}
