package postroad.nostr.core;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import postroad.common.Bytes32;
import postroad.common.SecretKey;

/// Damaged messages: whatever the bytes, a result, and no event that an independent reader would see otherwise.
class MutationFuzzTest {
    private static final ObjectMapper JACKSON = new ObjectMapper();

    private final Random random = new Random(30_11);
    private final Signer signer = new Signer(SecretKey.of(new Bytes32(0, 0, 0, 77)));

    @Test
    void everyParsedEventIsWhatJacksonReads() throws IOException {
        EventParser parser = new EventParser(EventLimits.HARD);
        List<byte[]> events = events();
        int parsed = 0;
        for (int i = 0; i < 50_000; i++) {
            byte[] text = Mutations.of(events.get(random.nextInt(events.size())), random);
            byte[] padded = new byte[text.length + 6];
            System.arraycopy(text, 0, padded, 3, text.length);

            EventParser.Result result = parser.parse(padded, 3, 3 + text.length);

            switch (result) {
                case EventParser.Result.Parsed(Event event) -> {
                    check(event, JACKSON.readTree(new String(text, UTF_8)));
                    parsed++;
                }
                case EventParser.Result.Refused(String id, String reason) -> {
                    assertThat(reason).startsWith("invalid: ");
                    assertThat(id.codePointCount(0, id.length())).isLessThanOrEqualTo(64);
                }
            }
        }
        assertThat(parsed).isBetween(8_000, 40_000);
    }

    @Test
    void everyDamagedMessageGetsAnAnswer() {
        ClientMessageParser parser = new ClientMessageParser(10, 100, 64, EventLimits.HARD);
        List<byte[]> messages = messages();
        int understood = 0;
        for (int i = 0; i < 50_000; i++) {
            byte[] text = Mutations.of(messages.get(random.nextInt(messages.size())), random);

            ClientMessage message = parser.parse(text, 0, text.length);

            switch (message) {
                case ClientMessage.PublishRefused(String id, String reason) ->
                    assertThat(reason).contains(": ");
                case ClientMessage.AuthRefused(String id, String reason) ->
                    assertThat(reason).contains(": ");
                case ClientMessage.QueryRefused(String id, String reason) ->
                    assertThat(reason).contains(": ");
                case ClientMessage.Unreadable(String reason) ->
                    assertThat(reason).startsWith("invalid: ");
                case ClientMessage.Req(String id, List<Filter> filters) -> {
                    assertThat(id).isNotEmpty();
                    assertThat(filters).isNotEmpty();
                    understood++;
                }
                default -> understood++;
            }
        }
        assertThat(understood).isBetween(8_000, 40_000);
    }

    @Test
    void everyDamagedAnswerIsReadOrNot() {
        RelayMessageParser parser = new RelayMessageParser(EventLimits.HARD);
        Event event = signer.sign(new EventDraft(5, 1, List.of(), "x"));
        List<byte[]> messages = List.of(
                ("[\"EVENT\",\"a\"," + event.json() + "]").getBytes(UTF_8),
                RelayMessages.ok(event.id(), false, "invalid: \"so\""),
                RelayMessages.eose("a", "finish"),
                RelayMessages.closed("a", "error: x"),
                RelayMessages.count("a", 12_345),
                "[\"COUNT\",\"a\",{\"count\":5,\"approximate\":true,\"hll\":\"00\"}]".getBytes(UTF_8),
                RelayMessages.auth("challenge"),
                RelayMessages.notice("text"));
        int understood = 0;
        for (int i = 0; i < 30_000; i++) {
            byte[] text = Mutations.of(messages.get(random.nextInt(messages.size())), random);

            RelayMessage message = parser.parse(text, 0, text.length);

            understood += message instanceof RelayMessage.Unreadable ? 0 : 1;
        }
        assertThat(understood).isBetween(6_000, 24_000);
    }

    private static void check(Event event, JsonNode tree) {
        assertThat(event.id().hex())
                .isEqualTo(SlowCanonical.id(tree))
                .isEqualTo(tree.get("id").asText());
        assertThat(event.signatureHex()).isEqualTo(tree.get("sig").asText());
        assertThat(event.author().hex()).isEqualTo(tree.get("pubkey").asText());
        assertThat(event.content()).isEqualTo(tree.get("content").asText());
        List<Tag> tags = new ArrayList<>();
        tree.get("tags").forEach(tag -> {
            List<String> values = new ArrayList<>();
            tag.forEach(value -> values.add(value.asText()));
            tags.add(new Tag(values));
        });
        assertThat(event.tags()).isEqualTo(tags);
    }

    private List<byte[]> events() {
        List<byte[]> events = new ArrayList<>();
        for (Event event : signed()) {
            events.add(event.json().getBytes(UTF_8));
            events.add(loosely(event).getBytes(UTF_8));
        }
        return events;
    }

    /// The same event with other escapes, other key order, white space and a key of its own.
    private String loosely(Event event) {
        String tags = event.tags().stream()
                .map(tag -> tag.values().stream()
                        .map(this::escaped)
                        .collect(java.util.stream.Collectors.joining(" , ", "[", "]")))
                .collect(java.util.stream.Collectors.joining(",\n", "[", "]"));
        return "{\"content\" : " + escaped(event.content()) + ",\"tags\":" + tags
                + ",\"extra\":{\"a\":[1,-2.5e3,null]},"
                + "\"sig\":\"" + event.signatureHex() + "\",\"kind\":" + event.kind() + ",\"id\":\"" + event.id()
                + "\",\"created_at\":" + event.createdAt() + ",\"pubkey\":\"" + event.author() + "\"}";
    }

    private String escaped(String value) {
        StringBuilder text = new StringBuilder("\"");
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            boolean must = c < 0x20 || c == '"' || c == '\\';
            boolean pair = Character.isSurrogate(c);
            text.append(must || pair || random.nextInt(8) == 0 ? String.format("\\u%04X", (int) c) : String.valueOf(c));
        }
        return text.append('"').toString();
    }

    private List<Event> signed() {
        String id = "0123456789abcdef".repeat(4);
        List<Tag> tags = List.of(
                Tag.of("e", id, "", "reply"),
                Tag.of("p", id),
                Tag.of("t", "ünï\n"),
                Tag.of("d"),
                Tag.of(),
                Tag.of("-"),
                Tag.of("expiration", "1800000000"));
        return List.of(
                signer.sign(new EventDraft(1_700_000_000, 1, List.of(), "hello")),
                signer.sign(new EventDraft(1_700_000_001, 30_023, tags, "a \"quote\" \\ \t 😀 漢字\u0001\u001f")),
                signer.sign(new EventDraft(0, 0, List.of(Tag.of("x", "")), "")));
    }

    private List<byte[]> messages() {
        List<byte[]> messages = new ArrayList<>();
        String id = "0123456789abcdef".repeat(4);
        Filter filter = ((FilterParser.Result.Parsed) new FilterParser(100)
                        .parse("{\"ids\":[\"" + id + "\"],\"authors\":[],\"kinds\":[1,30023],\"#e\":[\"" + id
                                + "\"],\"&t\":[\"a\",\"b\\u00e9\"],\"since\":5,\"until\":17,\"limit\":3}"))
                .filter();
        for (Event event : signed()) {
            messages.add(ClientMessages.event(event));
            messages.add(ClientMessages.auth(event));
        }
        messages.add(ClientMessages.req("sub", List.of(filter, Filter.ALL)));
        messages.add(ClientMessages.count("sub", List.of(filter)));
        messages.add(ClientMessages.close("sub"));
        messages.add("[\"NEG-OPEN\",\"sub\",{},\"61\"]".getBytes(UTF_8));
        return messages;
    }
}
