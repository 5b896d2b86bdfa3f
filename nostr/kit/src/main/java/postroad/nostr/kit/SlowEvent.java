package postroad.nostr.kit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import postroad.nostr.core.Event;

/// An event as the judges see it: plain values, read from JSON by Jackson.
public record SlowEvent(String id, String pubkey, long createdAt, int kind, List<List<String>> tags, String json) {
    /// Newest first, ties by lowest id.
    public static final Comparator<SlowEvent> ORDER =
            Comparator.comparingLong(SlowEvent::createdAt).reversed().thenComparing(SlowEvent::id);

    private static final ObjectMapper JSON = new ObjectMapper();

    /// Reads an event's JSON; nothing is checked.
    public static SlowEvent of(String json) {
        try {
            JsonNode tree = JSON.readTree(json);
            List<List<String>> tags = new ArrayList<>();
            for (JsonNode tag : tree.get("tags")) {
                List<String> values = new ArrayList<>();
                tag.forEach(value -> values.add(value.asText()));
                tags.add(List.copyOf(values));
            }
            return new SlowEvent(
                    tree.get("id").asText(),
                    tree.get("pubkey").asText(),
                    tree.get("created_at").asLong(),
                    tree.get("kind").asInt(),
                    List.copyOf(tags),
                    json);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(json, e);
        }
    }

    /// The same for a parsed event.
    public static SlowEvent of(Event event) {
        return of(event.json());
    }

    /// The second elements of all tags of this name.
    public List<String> values(String name) {
        return tags.stream()
                .filter(tag -> tag.size() > 1 && tag.getFirst().equals(name))
                .map(tag -> tag.get(1))
                .toList();
    }

    /// The time in seconds from which it is gone (NIP-40), [Long#MAX_VALUE] for never.
    public long goneFrom() {
        return values("expiration").stream().mapToLong(Long::parseLong).min().orElse(Long.MAX_VALUE);
    }

    /// Whether a newer version takes its place (NIP-01).
    public boolean isVersioned() {
        return kind == 0 || kind == 3 || kind / 10_000 == 1 || kind / 10_000 == 3;
    }

    /// Whether it is passed on only (NIP-01).
    public boolean isEphemeral() {
        return kind / 10_000 == 2;
    }

    /// The place that its versions share, as an `a` tag writes it.
    public String address() {
        return kind + ":" + pubkey + ":" + (kind / 10_000 == 3 ? d() : "");
    }

    private String d() {
        return tags.stream()
                .filter(tag -> !tag.isEmpty() && tag.getFirst().equals("d"))
                .findFirst()
                .map(tag -> tag.size() > 1 ? tag.get(1) : "")
                .orElse("");
    }
}
