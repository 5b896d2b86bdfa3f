package postroad.nostr.kit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;

/// Whether an event matches a filter, in the most obvious way (NIP-01, NIP-91): the judge of filters and planners.
public final class SlowMatcher {
    private static final ObjectMapper JSON = new ObjectMapper();

    private SlowMatcher() {}

    /// Whether the event matches the filter's JSON; `limit` does not take part.
    public static boolean matches(String filter, SlowEvent event) {
        return matches(read(filter), event);
    }

    /// The filter's limit, [Integer#MAX_VALUE] where there is none.
    public static int limit(String filter) {
        return read(filter).path("limit").asInt(Integer.MAX_VALUE);
    }

    /// The filter as a tree.
    static JsonNode read(String filter) {
        try {
            return JSON.readTree(filter);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(filter, e);
        }
    }

    static boolean matches(JsonNode filter, SlowEvent event) {
        return filter.propertyStream().allMatch(member -> matches(member.getKey(), member.getValue(), event));
    }

    private static boolean matches(String key, JsonNode wanted, SlowEvent event) {
        return switch (key) {
            case "ids" -> strings(wanted).contains(event.id());
            case "authors" -> strings(wanted).contains(event.pubkey());
            case "kinds" -> strings(wanted).contains(String.valueOf(event.kind()));
            case "since" -> event.createdAt() >= wanted.asLong();
            case "until" -> event.createdAt() <= wanted.asLong();
            case "limit" -> true;
            default -> matchesTag(key, strings(wanted), event);
        };
    }

    private static boolean matchesTag(String key, List<String> wanted, SlowEvent event) {
        String letter = key.substring(1);
        // A `d` tag without a value counts as one with the empty value.
        List<String> there = new ArrayList<>(event.values(letter));
        if (letter.equals("d") && event.tags().contains(List.of("d"))) {
            there.add("");
        }
        if (key.startsWith("&")) {
            return !wanted.isEmpty() && there.containsAll(wanted);
        }
        return wanted.stream().anyMatch(there::contains);
    }

    private static List<String> strings(JsonNode list) {
        List<String> strings = new ArrayList<>();
        list.forEach(value -> strings.add(value.asText()));
        return strings;
    }
}
