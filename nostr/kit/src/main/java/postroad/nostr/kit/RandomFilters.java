package postroad.nostr.kit;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import postroad.nostr.core.Event;
import postroad.nostr.core.Filter;
import postroad.nostr.core.FilterParser;
import postroad.nostr.core.Tag;

/// Seeded random filters over a corpus, which match something more often than not. Owned by one thread.
///
/// A filter is made as JSON, for [SlowMatcher]; [#parse] gives what the program makes of it.
public final class RandomFilters {
    private static final String NOBODY = "00".repeat(31) + "01";

    private final Random random;
    private final List<Event> corpus;
    private final long first;
    private final long last;

    /// Filters over these events, which must not be empty.
    public RandomFilters(long seed, List<Event> corpus) {
        this.random = new Random(seed);
        this.corpus = List.copyOf(corpus);
        this.first = corpus.stream().mapToLong(Event::createdAt).min().orElseThrow();
        this.last = corpus.stream().mapToLong(Event::createdAt).max().orElseThrow();
    }

    /// One to three filters, alternatives of one query.
    public List<String> nextQuery() {
        List<String> filters = new ArrayList<>();
        do {
            filters.add(next());
        } while (filters.size() < 3 && random.nextInt(3) == 0);
        return filters;
    }

    /// One filter's JSON.
    public String next() {
        Map<String, String> members = new LinkedHashMap<>();
        Event example = some();
        maybe(members, 8, "ids", () -> list(() -> quoted(example(example).id().hex())));
        maybe(
                members,
                35,
                "authors",
                () -> list(() -> quoted(example(example).author().hex())));
        maybe(
                members,
                45,
                "kinds",
                () -> list(() -> Integer.toString(example(example).kind())));
        for (int i = random.nextInt(3); i > 0; i--) {
            addTag(members, example);
        }
        maybe(members, 25, "since", () -> Long.toString(time()));
        maybe(members, 25, "until", () -> Long.toString(time()));
        maybe(members, 50, "limit", () -> Integer.toString(random.nextInt(random.nextInt(4) == 0 ? 200 : 12)));
        return members.entrySet().stream()
                .map(member -> quoted(member.getKey()) + ":" + member.getValue())
                .collect(Collectors.joining(",", "{", "}"));
    }

    /// What the program makes of a filter's JSON.
    ///
    /// @throws IllegalArgumentException if it refuses it
    public static Filter parse(String json) {
        return switch (new FilterParser(Integer.MAX_VALUE).parse(json)) {
            case FilterParser.Result.Parsed(Filter filter) -> filter;
            case FilterParser.Result.Refused(String reason) -> throw new IllegalArgumentException(reason + ": " + json);
        };
    }

    private void addTag(Map<String, String> members, Event example) {
        List<Tag> tags = example.tags().stream()
                .filter(tag -> tag.name().length() == 1
                        && Character.isLetter(tag.name().charAt(0)))
                .toList();
        if (tags.isEmpty()) {
            return;
        }
        String letter = tags.get(random.nextInt(tags.size())).name();
        List<String> values = new ArrayList<>();
        tags.stream().filter(tag -> tag.name().equals(letter)).forEach(tag -> values.add(tag.value()));
        if (letter.equals("e") || letter.equals("p")) {
            values.removeIf(value -> value.length() != 64);
            values.add(NOBODY);
        } else {
            values.add("no such value");
        }
        boolean all = random.nextInt(4) == 0;
        members.put((all ? "&" : "#") + letter, list(() -> quoted(values.get(random.nextInt(values.size())))));
    }

    private void maybe(Map<String, String> members, int percent, String key, Supplier<String> value) {
        if (random.nextInt(100) < percent) {
            members.put(key, value.get());
        }
    }

    /// None to many values, mostly one to three.
    private String list(Supplier<String> value) {
        int size = random.nextInt(40) == 0 ? 0 : random.nextInt(20) == 0 ? 30 : 1 + random.nextInt(3);
        List<String> values = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            values.add(value.get());
        }
        return "[" + String.join(",", values) + "]";
    }

    private Event example(Event usual) {
        return random.nextInt(2) == 0 ? usual : some();
    }

    private Event some() {
        return corpus.get(random.nextInt(corpus.size()));
    }

    private long time() {
        long span = Math.max(1, last - first + 3);
        return first - 1 + Math.floorMod(random.nextLong(), span);
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        text.chars().forEach(c -> {
            boolean plain = c >= 0x20 && c != '"' && c != '\\' && c < 0x7f;
            quoted.append(plain ? String.valueOf((char) c) : String.format("\\u%04x", c));
        });
        return quoted.append('"').toString();
    }
}
