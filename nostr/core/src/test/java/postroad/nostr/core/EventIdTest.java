package postroad.nostr.core;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Ids of every form a character can have on the wire. The expected ones were computed apart, as SHA-256 over what
/// `JSON.stringify` of Node 20 makes of `[0, pubkey, created_at, kind, tags, content]`.
class EventIdTest {
    private static final String PLAIN = "bde202ea7642ff9910600c7edc948a1f4220f0cbf5e4fb2b7efafa681bbb5285";
    private static final String SHORT = "3e8013421ad152a7f28de04d7b386c8ba1cd9ffb7c5807204ee884cb1b0ccdee";
    private static final String CONTROL = "32395ce118598833a314cf277dd1a5d7a45963bec45153c54e6059ab36a41a8e";
    private static final String VERBATIM = "ce9c6e2e9688480def6ffb2ed11fb3d173000eddcf155a2a730be950eaed70ba";
    private static final String ASTRAL = "3150aca91a707369e4c7b6c7bc339668774f730a98cd4d83049c95daae7297c8";
    private static final String NUL = "608625401d96650568444f2e4839a31522b50228b597d301c68179cc0e7920b1";

    @ParameterizedTest
    @ValueSource(strings = {"hello", "\\u0068ello", "\\u0068\\u0065\\u006C\\u006c\\u006F"})
    void plainTextHasOneIdHoweverItIsWritten(String content) {
        Event event = parse(WireEvent.of(PLAIN, 1_700_000_000, 1, "[]", content));

        assertThat(event.content()).isEqualTo("hello");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\\n\\\"\\\\\\r\\t\\b\\f",
                "\\u000a\\u0022\\u005c\\u000d\\u0009\\u0008\\u000c",
                "\\u000A\\\"\\u005C\\r\\u0009\\b\\u000C"
            })
    void charactersWithAShortEscapeAreHashedWithIt(String content) {
        Event event = parse(WireEvent.of(SHORT, 1_700_000_000, 1, "[[\"t\",\"a\\u0022b\\\\c\\u000a\"]]", content));

        assertThat(event.content()).isEqualTo("\n\"\\\r\t\b\f");
        assertThat(event.tags()).containsExactly(Tag.of("t", "a\"b\\c\n"));
        assertThat(event.json()).contains("\"content\":\"\\n\\\"\\\\\\r\\t\\b\\f\"");
    }

    @Test
    void otherControlCharactersAreHashedAsFourLowerCaseDigits() {
        StringBuilder content = new StringBuilder();
        StringBuilder decoded = new StringBuilder();
        for (int i = 0; i < 0x20; i++) {
            content.append(String.format("\\u%04X", i));
            decoded.append((char) i);
        }

        Event event = parse(WireEvent.of(CONTROL, 1, 1, "[]", content.toString()));

        assertThat(event.content()).isEqualTo(decoded.toString());
        assertThat(event.json()).contains("\\u001e\\u001f").doesNotContain("\\u000a", "\\u001F");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\u007f\u0080\u2028\u2029\ufeff\ufffe\uffff/",
                "\\u007f\\u0080\\u2028\\u2029\\ufeff\\ufffe\\uFFFF\\/",
                "\u007f\\u0080\u2028\\u2029\ufeff\ufffe\\uffff\\u002f"
            })
    void everythingElseIsHashedVerbatim(String content) {
        Event event = parse(WireEvent.of(VERBATIM, 0, 0, "[[\"x\"],[],[\"d\"]]", content));

        assertThat(event.content()).isEqualTo("\u007f\u0080\u2028\u2029\ufeff\ufffe\uffff/");
        assertThat(event.tags()).containsExactly(Tag.of("x"), Tag.of(), Tag.of("d"));
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            delimiter = '|',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "é 漢 😀 \udbff\udfff \ud83f\udffe|😀",
                "\\u00e9 \\u6f22 \\ud83d\\ude00 \\udbff\\udfff \\uD83F\\uDFFE|\\uD83D\\uDE00",
            })
    void charactersBeyondAsciiAreHashedAsUtf8(String content, String emoji) {
        String tags = "[[\"emoji\",\"" + emoji + "\"]]";

        Event event = parse(WireEvent.of(ASTRAL, 9_007_199_254_740_991L, 65_535, tags, content));

        assertThat(event.content()).isEqualTo("é 漢 😀 \udbff\udfff \ud83f\udffe");
        assertThat(event.tags()).containsExactly(Tag.of("emoji", "😀"));
    }

    @Test
    void anEscapedNulIsACharacterLikeOthers() {
        Event event = parse(WireEvent.of(NUL, 5, 30_023, "[[\"d\",\"a\\u0000b\"]]", "\\u0000"));

        assertThat(event.content()).isEqualTo("\0");
        assertThat(event.d()).isEqualTo("a\0b");
    }

    private static Event parse(String json) {
        byte[] bytes = json.getBytes(UTF_8);
        return switch (new EventParser(EventLimits.HARD).parse(bytes, 0, bytes.length)) {
            case EventParser.Result.Parsed(Event event) -> event;
            case EventParser.Result.Refused(String id, String reason) ->
                throw new AssertionError(id + " refused: " + reason);
        };
    }
}
