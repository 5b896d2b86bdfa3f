package postroad.nostr.core;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import postroad.common.Bytes32;

/// Reads one filter at a cursor. A filter is never widened: what is not understood is refused. Owned by one thread.
final class FilterReader {
    private static final int MAX_KIND = 65_535;
    private static final byte[] NO_DIGITS = {};

    private final int maxValues;

    private Optional<Filter.Set32> ids = Optional.empty();
    private Optional<Filter.Set32> authors = Optional.empty();
    private Optional<Filter.Kinds> kinds = Optional.empty();
    private List<TagCondition> tags = List.of();
    private long since;
    private long until;
    private OptionalInt limit = OptionalInt.empty();
    private int values;

    /// A reader that refuses filters with more than `maxValues` values over all their lists.
    FilterReader(int maxValues) {
        this.maxValues = maxValues;
    }

    /// Reads a filter.
    ///
    /// @throws Refusal when it is none, or not one that can be answered
    Filter read(JsonCursor in) {
        if (in.peek() != '{') {
            throw Refusal.invalid("a filter must be a JSON object");
        }
        in.take('{');
        begin();
        if (!in.tryTake('}')) {
            do {
                String key = in.string();
                in.take(':');
                readMember(in, key);
            } while (in.takeMore('}'));
        }
        return new Filter(
                ids,
                authors,
                kinds,
                tags,
                since < 0 ? Long.MIN_VALUE : since,
                until < 0 ? Long.MAX_VALUE : until,
                limit);
    }

    private void begin() {
        ids = Optional.empty();
        authors = Optional.empty();
        kinds = Optional.empty();
        tags = List.of();
        since = -1;
        until = -1;
        limit = OptionalInt.empty();
        values = 0;
    }

    private void readMember(JsonCursor in, String key) {
        switch (key) {
            case "ids" -> {
                refuseTwice(key, ids.isPresent());
                ids = Optional.of(readSet(in, key));
            }
            case "authors" -> {
                refuseTwice(key, authors.isPresent());
                authors = Optional.of(readSet(in, key));
            }
            case "kinds" -> {
                refuseTwice(key, kinds.isPresent());
                kinds = Optional.of(readKinds(in));
            }
            case "since" -> {
                refuseTwice(key, since >= 0);
                since = in.integerUpTo(key, Long.MAX_VALUE);
            }
            case "until" -> {
                refuseTwice(key, until >= 0);
                until = in.integerUpTo(key, Long.MAX_VALUE);
            }
            case "limit" -> {
                refuseTwice(key, limit.isPresent());
                limit = OptionalInt.of((int) in.integerUpTo(key, Integer.MAX_VALUE));
            }
            case "search" -> throw Refusal.unsupported("this relay has no full-text search (NIP-50)");
            default -> readTagCondition(in, key);
        }
    }

    private static void refuseTwice(String key, boolean isThere) {
        if (isThere) {
            throw Refusal.invalid("the filter key " + Refusal.quote(key) + " is there twice");
        }
    }

    private Filter.Set32 readSet(JsonCursor in, String key) {
        List<Bytes32> list = new ArrayList<>();
        byte[] value = new byte[Bytes32.LENGTH];
        if (takeList(in, key)) {
            do {
                countValue();
                readHex(in, key, value);
                list.add(Bytes32.of(value));
            } while (in.takeMore(']'));
        }
        return Filter.Set32.of(list);
    }

    private static void readHex(JsonCursor in, String key, byte[] value) {
        if (!in.tryTakeHex(value, NO_DIGITS)) {
            if (in.peek() != '"') {
                throw Refusal.invalid("values of " + key + " must be strings");
            }
            HexText.decode("values of " + key, in.string(), value);
        }
    }

    private Filter.Kinds readKinds(JsonCursor in) {
        int[] list = new int[8];
        int count = 0;
        if (takeList(in, "kinds")) {
            do {
                countValue();
                if (count == list.length) {
                    list = Arrays.copyOf(list, 2 * count);
                }
                list[count++] = (int) in.integer("a kind", MAX_KIND);
            } while (in.takeMore(']'));
        }
        return Filter.Kinds.of(Arrays.copyOf(list, count));
    }

    private void readTagCondition(JsonCursor in, String key) {
        boolean all = key.startsWith("&");
        if (key.length() != 2 || !all && key.charAt(0) != '#' || !isLetter(key.charAt(1))) {
            throw Refusal.unsupported("the filter key " + Refusal.quote(key) + " is unknown");
        }
        char letter = key.charAt(1);
        refuseTwice(key, tags.stream().anyMatch(tag -> tag.letter() == letter && tag.all() == all));
        List<TagValue> list = new ArrayList<>();
        if (takeList(in, key)) {
            do {
                countValue();
                list.add(readTagValue(in, key, letter));
            } while (in.takeMore(']'));
        }
        tags = new ArrayList<>(tags);
        tags.add(new TagCondition(letter, all, list));
    }

    private static TagValue readTagValue(JsonCursor in, String key, char letter) {
        if (in.peek() != '"') {
            throw Refusal.invalid("values of " + key + " must be strings");
        }
        if (letter != 'e' && letter != 'p') {
            return TagValue.of(in.string());
        }
        byte[] value = new byte[Bytes32.LENGTH];
        readHex(in, key, value);
        return TagValue.of(Bytes32.of(value));
    }

    private static boolean takeList(JsonCursor in, String key) {
        if (in.peek() != '[') {
            throw Refusal.invalid("the filter key " + key + " must hold a list");
        }
        in.take('[');
        return !in.tryTake(']');
    }

    private void countValue() {
        if (++values > maxValues) {
            throw Refusal.invalid("a filter has more than " + maxValues + " values");
        }
    }

    private static boolean isLetter(char c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z';
    }
}
