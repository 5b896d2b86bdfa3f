package postroad.nostr.core;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// What is JSON: [JsonCursor] against Jackson.
///
/// Jackson is the more lenient in some things, which the test looks at by other means: it lets malformed UTF-8,
/// escaped lone surrogates, a byte-order mark at the beginning and several values in a row pass, and nests deeper.
class StrictJsonTest {
    private static final ObjectMapper JACKSON = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNumberLength(Integer.MAX_VALUE)
                            .build())
                    .build())
            .build();

    private final Random random = new Random(20_261_130);
    private final JsonCursor cursor = new JsonCursor();

    @Test
    void agreesOnMutationsOfValidText() {
        int accepted = 0;
        int rounds = 25_000;
        for (int i = 0; i < rounds; i++) {
            byte[] text = Mutations.of(document(4).getBytes(UTF_8), random);

            boolean ours = accepts(text);

            assertThat(ours).as(() -> java.util.HexFormat.of().formatHex(text)).isEqualTo(jacksonAccepts(text));
            accepted += ours ? 1 : 0;
        }
        assertThat(accepted).isBetween(rounds / 20, rounds * 19 / 20);
    }

    @Test
    void readsStringsAsJacksonDoes() throws IOException {
        byte[] target = new byte[1000];
        for (int i = 0; i < 10_000; i++) {
            byte[] text = string().getBytes(UTF_8);
            JsonNode expected = JACKSON.readTree(text);

            cursor.reset(text, 0, text.length);
            String value = cursor.string();
            cursor.seek(0);
            int length = cursor.copyString(target, 0);

            assertThat(value).isEqualTo(expected.asText());
            String canonical = new String(target, 0, length, UTF_8);
            assertThat(canonical).isEqualTo(SlowCanonical.string(value));
            assertThat(length - 2 - cursor.escapeOverhead()).isEqualTo(value.getBytes(UTF_8).length);
            assertThat(length).isLessThanOrEqualTo(text.length);
        }
    }

    private boolean accepts(byte[] text) {
        cursor.reset(text, 0, text.length);
        try {
            cursor.skipValue();
            cursor.takeEnd();
            return true;
        } catch (Refusal refusal) {
            return false;
        }
    }

    private static boolean jacksonAccepts(byte[] text) {
        try {
            UTF_8.newDecoder().decode(ByteBuffer.wrap(text));
        } catch (CharacterCodingException e) {
            return false;
        }
        if (text.length > 0 && (text[0] & 0xff) == 0xef) {
            return false;
        }
        // As text, so that Jackson does not guess UTF-16 or UTF-32 from zero bytes; by tokens, so that a value is
        // looked at though another of the same name follows.
        try (JsonParser tokens = JACKSON.createParser(new String(text, UTF_8))) {
            int depth = 0;
            int values = 0;
            for (JsonToken token = tokens.nextToken(); token != null; token = tokens.nextToken()) {
                boolean isText = token == JsonToken.VALUE_STRING || token == JsonToken.FIELD_NAME;
                if (isText && !isWhole(tokens.getText())) {
                    return false;
                }
                depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
                values += depth == 0 ? 1 : 0;
            }
            return values == 1;
        } catch (JsonProcessingException e) {
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isWhole(String text) {
        return text.codePoints().noneMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
    }

    private String document(int depth) {
        return switch (random.nextInt(depth > 0 ? 9 : 6)) {
            case 0, 1 -> string();
            case 2 -> List.of("true", "false", "null").get(random.nextInt(3));
            case 3 -> Integer.toString(random.nextInt());
            case 4 -> random.nextInt(100) + "." + random.nextInt(100);
            case 5 ->
                "-0." + random.nextInt(10) + "E" + List.of("", "+", "-").get(random.nextInt(3)) + random.nextInt(30);
            case 6 -> list(depth, "[", "]", false);
            default -> list(depth, "{", "}", true);
        };
    }

    private String list(int depth, String begin, String end, boolean named) {
        StringBuilder text = new StringBuilder(begin);
        for (int i = random.nextInt(4); i > 0; i--) {
            text.append(named ? string() + space() + ":" : "")
                    .append(space())
                    .append(document(depth - 1))
                    .append(i > 1 ? "," : "");
        }
        return text.append(space()).append(end).toString();
    }

    private String space() {
        return List.of("", "", "", " ", "\n\t", "\r\n").get(random.nextInt(6));
    }

    private String string() {
        StringBuilder text = new StringBuilder("\"");
        for (int i = random.nextInt(20); i > 0; i--) {
            text.append(
                    switch (random.nextInt(9)) {
                        case 0 ->
                            List.of("\\n", "\\\"", "\\\\", "\\r", "\\t", "\\b", "\\f", "\\/")
                                    .get(random.nextInt(8));
                        case 1 -> String.format("\\u%04x", random.nextInt(0xd800));
                        case 2 -> String.format("\\u00%02X", random.nextInt(256));
                        case 3 -> "\\ud83d\\ude" + String.format("%02x", random.nextInt(64));
                        case 4 ->
                            List.of("é", "漢", "😀", "\u007f", "\u2028", "\uffff")
                                    .get(random.nextInt(6));
                        default -> "some plain text".substring(random.nextInt(15));
                    });
        }
        return text.append('"').toString();
    }
}
