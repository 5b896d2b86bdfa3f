package postroad.nostr.kit;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
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
        return object(members);
    }

    private static String object(Map<String, String> members) {
        return members.entrySet().stream()
                .map(member -> quoted(member.getKey()) + ":" + member.getValue())
                .collect(Collectors.joining(",", "{", "}"));
    }

    /// One filter with a list of `size` different values, of ids, authors or the values of a tag: some of the corpus'
    /// own among strangers.
    public String nextLarge(int size) {
        Map<String, String> members = new LinkedHashMap<>();
        Event example = some();
        switch (random.nextInt(5)) {
            case 0 -> members.put("ids", large(size, event -> List.of(event.id().hex())));
            case 1 ->
                members.put(
                        "authors", large(size, event -> List.of(event.author().hex())));
            case 2 -> members.put("#p", large(size, event -> values(event, "p")));
            case 3 -> members.put("#t", large(size, event -> values(event, "t")));
            default -> members.put("#e", large(size, event -> values(event, "e")));
        }
        maybe(
                members,
                40,
                "kinds",
                () -> list(() -> Integer.toString(example(example).kind())));
        maybe(members, 15, "since", () -> Long.toString(time()));
        maybe(members, 15, "until", () -> Long.toString(time()));
        maybe(members, 50, "limit", () -> Integer.toString(1 + random.nextInt(50)));
        return object(members);
    }

    /// The values of some of the corpus' events, in the midst of values that no event has.
    private String large(int size, Function<Event, List<String>> valuesOf) {
        Set<String> values = new LinkedHashSet<>();
        for (int i = random.nextInt(40); i >= 0; i--) {
            values.addAll(valuesOf.apply(some()));
        }
        while (values.size() < size) {
            values.add(String.format("%016x%016x%016x%016x", random.nextLong(), random.nextLong(), 1, values.size()));
        }
        List<String> shuffled = new ArrayList<>(values);
        Collections.shuffle(shuffled, random);
        return shuffled.stream().limit(size).map(RandomFilters::quoted).collect(Collectors.joining(",", "[", "]"));
    }

    private static List<String> values(Event event, String letter) {
        return event.tags().stream()
                .filter(tag -> tag.name().equals(letter))
                .map(Tag::value)
                .filter(value -> letter.equals("t") || value.matches("[0-9a-f]{64}"))
                .toList();
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
