package postroad.nostr.core;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import postroad.nostr.core.EventParser.Result;

class EventParserTest {
    private static final String ID = WireEvent.id(1, 1, "[]", "x");
    private static final String GOOD = WireEvent.of(ID, 1, 1, "[]", "x");

    private final EventParser parser = new EventParser(EventLimits.HARD);

    @Test
    void keepsTheEventInCanonicalForm() {
        Event event = parsed(GOOD);

        assertThat(event.json())
                .isEqualTo("{\"id\":\"" + ID + "\",\"pubkey\":\"" + WireEvent.AUTHOR
                        + "\",\"created_at\":1,\"kind\":1,\"tags\":[],\"content\":\"x\",\"sig\":\""
                        + WireEvent.SIGNATURE
                        + "\"}");
        assertThat(parsed(event.json()).json()).isEqualTo(event.json());
    }

    @Test
    void readsAPartOfAnArray() {
        byte[] bytes = ("garbage" + GOOD + "garbage").getBytes(UTF_8);

        assertThat(parser.parse(bytes, 7, bytes.length - 7)).isInstanceOf(Result.Parsed.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"created_at\":1|\"created_at\":-1|invalid: created_at must be a whole number without sign",
                "\"created_at\":1|\"created_at\":1e0|invalid: created_at must be a whole number",
                "\"created_at\":1|\"created_at\":1E9|invalid: created_at must be a whole number",
                "\"created_at\":1|\"created_at\":1.0|invalid: created_at must be a whole number",
                "\"created_at\":1|\"created_at\":01|invalid: created_at must be a whole number",
                "\"created_at\":1|\"created_at\":-0|invalid: created_at must be a whole number",
                "\"created_at\":1|\"created_at\":\"1\"|invalid: created_at must be a whole number",
                "\"created_at\":1|\"created_at\":null|invalid: created_at must be a whole number",
                "\"created_at\":1|\"created_at\":9007199254740992|invalid: created_at is above 9007199254740991",
                "\"created_at\":1|\"created_at\":9223372036854775808|invalid: created_at is above 9007199254740991",
                "\"created_at\":1|\"created_at\":18446744073709551617|invalid: created_at is above 9007199254740991",
                "\"kind\": 1|\"kind\":65536|invalid: kind is above 65535",
                "\"kind\": 1|\"kind\":4294967297|invalid: kind is above 65535",
                "\"kind\": 1|\"kind\":-1|invalid: kind must be a whole number",
                "\"kind\": 1|\"kind\":true|invalid: kind must be a whole number",
                "\"tags\":[]|\"tags\":{}|invalid: tags must be an array of arrays of strings",
                "\"tags\":[]|\"tags\":null|invalid: tags must be an array of arrays of strings",
                "\"tags\":[]|\"tags\":[\"t\"]|invalid: tags must be an array of arrays of strings",
                "\"tags\":[]|\"tags\":[[\"t\",1]]|invalid: tags must be an array of arrays of strings",
                "\"tags\":[]|\"tags\":[[\"t\",null]]|invalid: tags must be an array of arrays of strings",
                "\"tags\":[]|\"tags\":[[\"t\",[]]]|invalid: tags must be an array of arrays of strings",
                "\"tags\":[]|\"tags\":[[],]|invalid: tags must be an array of arrays of strings",
                "\"tags\":[]|\"tags\":[[\"t\",]]|invalid: tags must be an array of arrays of strings",
                "\"content\":\"x\"|\"content\":null|invalid: content must be a string",
                "\"content\":\"x\"|\"content\":{}|invalid: content must be a string",
                "\"content\":\"x\"|\"content\":\"y\"|invalid: bad event id",
                "\"content\":\"x\"|\"content\":\"x\",\"content\":\"x\"|invalid: the key content is there twice",
                "\"kind\": 1|\"kind\":1,\"k\\u0069nd\":1|invalid: the key kind is there twice",
                "\"content\":\"x\"|\"other\":1|invalid: the key content is missing",
                "\"content\":\"x\"|\"content\":\"\\ud800\"|a surrogate stands alone",
                "\"content\":\"x\"|\"content\":\"\\ud800\\ud800\"|a surrogate stands alone",
                "\"content\":\"x\"|\"content\":\"\\udc00\\ud800\"|a surrogate stands alone",
                "\"content\":\"x\"|\"content\":\"\\ud800\\n\"|a surrogate stands alone",
                "\"content\":\"x\"|\"content\":\"\\x\"|no such escape",
                "\"content\":\"x\"|\"content\":\"\\u12g4\"|no such escape",
                "\"content\":\"x\"|\"content\":\"\\'\"|no such escape",
                "\"content\":\"x\"|\"content\":'x'|invalid: content must be a string",
                "\"content\":\"x\"|\"content\":\"x\" \"k\":1|',' or '}' was expected",
                "\"content\":\"x\"|content:\"x\"|a string was expected",
                "\"content\":\"x\"|\"content\" \"x\"|':' was expected",
            })
    void refusesAWrongPartWithItsReasonAndTheId(String right, String wrong, String reason) {
        String text = GOOD.replace(right, wrong);

        Result.Refused refused = refused(text);

        assertThat(refused.reason()).startsWith("invalid: ").contains(reason);
        assertThat(refused.id()).isEqualTo(ID);
    }

    @ParameterizedTest
    @ValueSource(strings = {"id", "pubkey", "sig"})
    void demandsLowerCaseHexOfTheRightLength(String key) {
        String value = key.equals("id") ? ID : key.equals("sig") ? WireEvent.SIGNATURE : WireEvent.AUTHOR;
        String lower = "ab" + value.substring(2);
        String start = "\"" + key + "\":\"";
        String right = start + value + "\"";

        assertThat(reason(right, start + lower.replace("ab", "AB") + "\""))
                .startsWith("invalid: " + key + " must be ")
                .endsWith("upper case is refused");
        assertThat(reason(right, start + value.substring(1) + "\""))
                .endsWith("not " + (value.length() - 1) + " characters");
        assertThat(reason(right, start + value + "0\"")).endsWith("not " + (value.length() + 1) + " characters");
        assertThat(reason(right, start + "\"")).endsWith("not 0 characters");
        assertThat(reason(right, start + "xy" + value.substring(2) + "\"")).endsWith("lower-case hex digits");
        assertThat(reason(right, start + "é" + value.substring(1) + "\"")).endsWith("lower-case hex digits");
        assertThat(reason(right, "\"" + key + "\":5")).isEqualTo("invalid: " + key + " must be a string");
        assertThat(reason(right, "\"x\":0")).isEqualTo("invalid: the key " + key + " is missing");
    }

    @Test
    void readsHexThatIsWrittenWithEscapes() {
        String escaped = String.format("\\u%04x", (int) ID.charAt(0)) + ID.substring(1);

        assertThat(parsed(GOOD.replace(ID, escaped)).json())
                .isEqualTo(parsed(GOOD).json());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "c0af",
                "c1bf",
                "e080af",
                "e09fbf",
                "f08080af",
                "f08fbfbf",
                "eda080",
                "edbfbf",
                "f4908080",
                "f5808080",
                "ff",
                "fe",
                "80",
                "bf",
                "c3",
                "e282",
                "f09f98",
                "c322",
                "e28222",
                "e2e2e2",
                "00",
                "0a",
                "1f"
            })
    void refusesBytesThatAreNotUtf8OrNotAllowedInAString(String hex) {
        String raw = new String(postroad.common.Hex.decode(hex), ISO_8859_1);
        byte[] bytes = GOOD.replace("\"content\":\"x\"", "\"content\":\"x" + raw + "\"")
                .getBytes(ISO_8859_1);

        Result result = parser.parse(bytes, 0, bytes.length);

        assertThat(result)
                .isInstanceOfSatisfying(
                        Result.Refused.class,
                        refused -> assertThat(refused.reason()).startsWith("invalid: not JSON at byte "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"c280", "dfbf", "e0a080", "ed9fbf", "ee8080", "efbfbf", "f0908080", "f48fbfbf", "7f"})
    void acceptsTheFirstAndLastCharacterOfEachLength(String hex) {
        String content = new String(postroad.common.Hex.decode(hex), UTF_8);

        Event event = parsed(WireEvent.withId(1, 1, "[]", content));

        assertThat(event.content()).isEqualTo(content);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "null", "5", "[]", "\"x\"", "{", "{}", "{\"id\"", "{\"id\":", "nul", "\ufeff{}"})
    void refusesWhatIsNoEventAtAll(String text) {
        assertThat(refused(text).reason()).startsWith("invalid: ");
    }

    @Test
    void refusesEveryBeginningOfAnEvent() {
        for (int length = 0; length < GOOD.strip().length(); length++) {
            assertThat(refused(GOOD.substring(0, length)).reason()).startsWith("invalid: ");
        }
    }

    @Test
    void refusesWhatFollowsTheEvent() {
        assertThat(refused(GOOD + "x").reason()).contains("the end was expected");
        assertThat(refused(GOOD + GOOD).reason()).contains("the end was expected");
    }

    @Test
    void leavesOutUnknownKeysButDemandsThatTheyAreJson() {
        String more = "\"seen\":[{\"a\":[1.5e-3,-0,true,false,null,\"\\u0000\"]},{}],\"content\":\"x\"";

        assertThat(parsed(GOOD.replace("\"content\":\"x\"", more)).json())
                .isEqualTo(parsed(GOOD).json());
        for (String wrong :
                List.of("01", "1.", ".5", "-", "1e", "+1", "tru", "NaN", "[1,]", "{\"a\":1,}", "{1:1}", "[1 2]")) {
            assertThat(reason("\"content\":\"x\"", "\"other\":" + wrong + ",\"content\":\"x\""))
                    .as(wrong)
                    .startsWith("invalid: ");
        }
    }

    @Test
    void boundsTheNestingOfUnknownKeys() {
        int most = JsonCursor.MAX_DEPTH;

        assertThat(parser.parse(nested(most), 0, nested(most).length)).isInstanceOf(Result.Parsed.class);
        assertThat(reason(
                        "\"content\":\"x\"",
                        "\"a\":" + "[".repeat(most + 1) + "]".repeat(most + 1) + ",\"content\":\"x\""))
                .isEqualTo("invalid: nested more than " + most + " deep");
        assertThat(reason("\"content\":\"x\"", "\"a\":" + "[".repeat(3_000_000)))
                .startsWith("invalid: nested");
        assertThat(reason("\"content\":\"x\"", "\"a\":" + "{\"a\":".repeat(1_000_000)))
                .startsWith("invalid: nested");
    }

    @Test
    void readsHugeNumbersOfUnknownKeysAndRefusesThemElsewhere() {
        String huge = "9".repeat(1_000_000);

        assertThat(parsed(GOOD.replace("\"content\"", "\"a\":" + huge + ",\"content\""))
                        .json())
                .isEqualTo(parsed(GOOD).json());
        assertThat(reason("\"created_at\":1", "\"created_at\":" + huge))
                .contains("created_at is a number of more than 20 digits");
        assertThat(reason("\"kind\": 1", "\"kind\":" + huge)).contains("kind is a number of more than 20 digits");
    }

    @Test
    void holdsEachLimitExactly() {
        String tags = "[[\"t\",\"12345\"],[\"u\"]]";
        String text = WireEvent.withId(1, 1, tags, "\\n234567");
        int size = parsed(text).jsonLength();

        assertThat(with(new EventLimits(size, 2, 5, 7), text)).isInstanceOf(Result.Parsed.class);
        assertThat(with(new EventLimits(size - 1, 2, 5, 7), text))
                .isEqualTo(refusal(text, "invalid: the event is larger than " + (size - 1) + " bytes"));
        assertThat(with(new EventLimits(size, 1, 5, 7), text)).isEqualTo(refusal(text, "invalid: more than 1 tags"));
        assertThat(with(new EventLimits(size, 2, 4, 7), text))
                .isEqualTo(refusal(text, "invalid: a tag value is longer than 4 bytes"));
        assertThat(with(new EventLimits(size, 2, 5, 6), text))
                .isEqualTo(refusal(text, "invalid: content is longer than 6 bytes"));
    }

    @Test
    void countsWhatIsKeptAndNotWhatWasSent() {
        String text = GOOD.replace("\"kind\"", " ".repeat(5_000) + "\"other\":\"" + "y".repeat(5_000) + "\",\"kind\"");

        assertThat(with(new EventLimits(parsed(GOOD).jsonLength(), 1, 1, 1), text))
                .isInstanceOf(Result.Parsed.class);
    }

    @ParameterizedTest
    @CsvSource({"0,1", "1,1", "1600000000,1600000000", "9007199254740991,9007199254740991"})
    void readsAnExpiration(String text, long expected) {
        assertThat(tagged("[[\"expiration\",\"" + text + "\"]]").expiration()).isEqualTo(expected);
    }

    @Test
    void takesTheEarliestOfSeveralExpirations() {
        assertThat(tagged("[[\"expiration\",\"30\"],[\"expiration\",\"20\"],[\"expiration\",\"40\"]]")
                        .expiration())
                .isEqualTo(20);
        assertThat(tagged("[]").expiration()).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[\"expiration\"]",
                "[\"expiration\",\"\"]",
                "[\"expiration\",\"soon\"]",
                "[\"expiration\",\"-1\"]",
                "[\"expiration\",\"1e9\"]",
                "[\"expiration\",\"01\"]",
                "[\"expiration\",\" 1\"]",
                "[\"expiration\",\"9007199254740992\"]",
                "[\"expiration\",\"99999999999999999999999\"]"
            })
    void refusesAnExpirationThatIsNoTime(String tag) {
        assertThat(refused(WireEvent.withId(1, 1, "[" + tag + "]", "")).reason())
                .isEqualTo("invalid: the expiration tag must hold a time in whole seconds");
    }

    @Test
    void seesThatAnEventIsProtected() {
        assertThat(tagged("[[\"t\",\"-\"],[\"-\"]]").isProtected()).isTrue();
        assertThat(tagged("[[\"t\",\"-\"],[\"--\"],[]]").isProtected()).isFalse();
    }

    @Test
    void forgetsTheEventBefore() {
        tagged("[[\"-\"],[\"expiration\",\"5\"],[\"t\",\"x\"]]");

        Event event = tagged("[]");

        assertThat(event.isProtected()).isFalse();
        assertThat(event.expiration()).isZero();
        assertThat(PackedEvent.tagsEnd(event.packed(), 0)).isEqualTo(PackedEvent.firstTag(0));
    }

    @Test
    void namesTheIdAsFarAsItCanBeRead() {
        assertThat(refused("{\"id\":\"short\"}").id()).isEqualTo("short");
        assertThat(refused("{\"tags\":[[\"id\",\"no\"],{\"id\":\"no\"}],\"x\":\"id\",\"id\" : \"yes\"")
                        .id())
                .isEqualTo("yes");
        assertThat(refused("{\"content\":\"\\\"id\\\":\\\"no\\\"\",\"id\":\"a\\u0062\\\"\"}")
                        .id())
                .isEqualTo("ab\"");
        assertThat(refused("{\"id\":\"" + "😀".repeat(100) + "\"}").id()).isEqualTo("😀".repeat(64));
        assertThat(refused("{\"id\":5}").id()).isEmpty();
        assertThat(refused("{\"id\":\"open").id()).isEmpty();
        assertThat(refused("{\"id\":\"\\ud800\"}").id()).isEmpty();
        assertThat(refused("[\"id\",\"no\"]").id()).isEmpty();
    }

    private static byte[] nested(int depth) {
        String value = "[".repeat(depth) + "]".repeat(depth);
        return GOOD.replace("\"content\":\"x\"", "\"a\":" + value + ",\"content\":\"x\"")
                .getBytes(UTF_8);
    }

    private Event tagged(String tags) {
        return parsed(WireEvent.withId(1, 1, tags, ""));
    }

    private String reason(String right, String wrong) {
        assertThat(GOOD).contains(right);
        return refused(GOOD.replace(right, wrong)).reason();
    }

    private Event parsed(String text) {
        byte[] bytes = text.getBytes(UTF_8);
        Result result = parser.parse(bytes, 0, bytes.length);
        assertThat(result).as(text).isInstanceOf(Result.Parsed.class);
        return ((Result.Parsed) result).event();
    }

    private Result.Refused refused(String text) {
        byte[] bytes = text.getBytes(UTF_8);
        Result result = parser.parse(bytes, 0, bytes.length);
        assertThat(result).isInstanceOf(Result.Refused.class);
        return (Result.Refused) result;
    }

    private Result refusal(String text, String reason) {
        return new Result.Refused(parsed(text).id().hex(), reason);
    }

    private static Result with(EventLimits limits, String text) {
        byte[] bytes = text.getBytes(UTF_8);
        return new EventParser(limits).parse(bytes, 0, bytes.length);
    }
}
