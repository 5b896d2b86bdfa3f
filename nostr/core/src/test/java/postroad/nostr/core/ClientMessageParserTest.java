package postroad.nostr.core;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClientMessageParserTest {
    private static final String ID = "0123456789abcdef".repeat(4);
    private static final String EVENT = WireEvent.withId(1, 1, "[]", "x").strip();
    private static final String EVENT_ID = WireEvent.id(1, 1, "[]", "x");

    private final ClientMessageParser parser = new ClientMessageParser(2, 3, 64, EventLimits.HARD);

    @Test
    void readsEachVerb() {
        assertThat(parse("[\"EVENT\"," + EVENT + "]"))
                .isInstanceOfSatisfying(
                        ClientMessage.Publish.class,
                        publish -> assertThat(publish.event().id()).isEqualTo(EventId.ofHex(EVENT_ID)));
        assertThat(parse("[\"AUTH\"," + EVENT + "]")).isInstanceOf(ClientMessage.Auth.class);
        assertThat(parse(" [ \"REQ\" , \"a\" , {} ] \n")).isEqualTo(new ClientMessage.Req("a", List.of(Filter.ALL)));
        assertThat(parse("[\"COUNT\",\"a\",{},{}]"))
                .isEqualTo(new ClientMessage.Count("a", List.of(Filter.ALL, Filter.ALL)));
        assertThat(parse("[\"CLOSE\",\"a\"]")).isEqualTo(new ClientMessage.Close("a"));
        assertThat(parse("[\"RE\\u0051\",\"\\u0061\",{}]")).isInstanceOf(ClientMessage.Req.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "[\"REQ\",\"a\"]|invalid: REQ without a filter",
                "[\"COUNT\",\"a\"]|invalid: COUNT without a filter",
                "[\"REQ\",\"a\",{},{},{}]|invalid: more than 2 filters",
                "[\"REQ\",\"a\",[]]|invalid: a filter must be a JSON object",
                "[\"REQ\",\"a\",null]|invalid: a filter must be a JSON object",
                "[\"REQ\",\"a\",{}|invalid: not JSON at byte 13: ',' or ']' was expected",
                "[\"REQ\",\"a\",{}]x|invalid: not JSON at byte 14: the end was expected",
                "[\"REQ\",\"a\",{}] []|invalid: not JSON at byte 15: the end was expected",
                "[\"REQ\",\"a\",{},]|invalid: a filter must be a JSON object",
                "[\"REQ\",\"a\" {}]|invalid: not JSON at byte 11: ',' or ']' was expected",
                "[\"REQ\",\"a\",{\"kinds\":[1],\"kinds\":[1]}]|invalid: the filter key \"kinds\" is there twice",
                "[\"REQ\",\"a\",{\"kind\":[1]}]|unsupported: the filter key \"kind\" is unknown",
                "[\"REQ\",\"a\",{\"search\":\"x\"}]|unsupported: this relay has no full-text search (NIP-50)",
            })
    void refusesAQueryWithItsReasonAndItsId(String text, String reason) {
        assertThat(parse(text)).isEqualTo(new ClientMessage.QueryRefused("a", reason));
    }

    @Test
    void boundsTheSubscriptionIdInCharacters() {
        String sixtyFour = "😀".repeat(64);

        assertThat(parse("[\"REQ\",\"" + sixtyFour + "\",{}]"))
                .isEqualTo(new ClientMessage.Req(sixtyFour, List.of(Filter.ALL)));
        assertThat(parse("[\"REQ\",\"" + "a".repeat(65) + "\",{}]"))
                .isEqualTo(new ClientMessage.QueryRefused(
                        "a".repeat(65), "invalid: the subscription id is longer than 64 characters"));
        assertThat(parse("[\"REQ\",\"\",{}]"))
                .isEqualTo(new ClientMessage.QueryRefused("", "invalid: the subscription id is empty"));
        assertThat(parse("[\"COUNT\",\"" + "a".repeat(100_000) + "\",{}]"))
                .isEqualTo(new ClientMessage.QueryRefused(
                        "a".repeat(256), "invalid: the subscription id is longer than 64 characters"));
        assertThat(parse("[\"REQ\",\"a" + "😀".repeat(200) + "\",{}]"))
                .isInstanceOfSatisfying(
                        ClientMessage.QueryRefused.class,
                        refused -> assertThat(refused.id()).isEqualTo("a" + "😀".repeat(127)));
    }

    @Test
    void refusesAnEventWithItsReasonAndItsId() {
        assertThat(parse("[\"EVENT\"," + EVENT.replace("\"x\"", "\"y\"") + "]"))
                .isEqualTo(new ClientMessage.PublishRefused(
                        EVENT_ID, "invalid: bad event id: it is not the hash of the event"));
        assertThat(parse("[\"EVENT\"," + EVENT + ",1]"))
                .isEqualTo(new ClientMessage.PublishRefused(EVENT_ID, "invalid: EVENT takes one event"));
        assertThat(parse("[\"AUTH\"," + EVENT + ",1]"))
                .isEqualTo(new ClientMessage.AuthRefused(EVENT_ID, "invalid: AUTH takes one event"));
        assertThat(parse("[\"EVENT\"," + EVENT + "] x"))
                .isInstanceOfSatisfying(
                        ClientMessage.PublishRefused.class,
                        refused -> assertThat(refused.id()).isEqualTo(EVENT_ID));
        assertThat(parse("[\"EVENT\"," + EVENT.replace("\"kind\": 1", "\"kind\": 70000") + "]"))
                .isEqualTo(new ClientMessage.PublishRefused(EVENT_ID, "invalid: kind is above 65535"));
    }

    @Test
    void refusesAnEventThatIsNone() {
        assertThat(parse("[\"EVENT\"]"))
                .isEqualTo(new ClientMessage.PublishRefused("", "invalid: the event is missing"));
        assertThat(parse("[\"EVENT\",\"a\"]"))
                .isEqualTo(new ClientMessage.PublishRefused("", "invalid: an event must be a JSON object"));
        assertThat(parse("[\"AUTH\",\"challenge\"]"))
                .isEqualTo(new ClientMessage.AuthRefused("", "invalid: an event must be a JSON object"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[",
                "[]",
                "{}",
                "hello",
                "\"REQ\"",
                "[5]",
                "[null,\"a\"]",
                "[\"REQ\"]",
                "[\"REQ\",5,{}]",
                "[\"REQ\",null,{}]",
                "[\"COUNT\",{}]",
                "[\"CLOSE\"]",
                "[\"CLOSE\",5]",
                "[\"CLOSE\",\"a\",\"b\"]",
                "[\"CLOSE\",\"\"]",
                "[\"CLOSE\",\"a\"",
                "[\"NEG-OPEN\",\"a\",nul]",
                "['REQ','a',{}]",
                "[\"REQ"
            })
    void saysWhyItCannotReadWhatIsNoMessage(String text) {
        assertThat(parse(text))
                .isInstanceOfSatisfying(
                        ClientMessage.Unreadable.class,
                        unreadable -> assertThat(unreadable.reason()).startsWith("invalid: "));
    }

    @Test
    void namesUnknownVerbsAndTheirIds() {
        assertThat(parse("[\"NEG-OPEN\",\"a\",{},\"61\"]")).isEqualTo(new ClientMessage.UnknownVerb("NEG-OPEN", "a"));
        assertThat(parse("[\"PING\"]")).isEqualTo(new ClientMessage.UnknownVerb("PING", ""));
        assertThat(parse("[\"req\",{},\"a\"]")).isEqualTo(new ClientMessage.UnknownVerb("req", ""));
        assertThat(parse("[\"" + "X".repeat(5_000) + "\",\"a\"]"))
                .isEqualTo(new ClientMessage.UnknownVerb("X".repeat(256), "a"));
    }

    @Test
    void answersTenMegabytesOfNonsense() {
        int size = 10_000_000;

        assertThat(parse("[".repeat(size))).isInstanceOf(ClientMessage.Unreadable.class);
        assertThat(parse("[\"X\"," + "[".repeat(size))).isInstanceOf(ClientMessage.Unreadable.class);
        assertThat(parse("[\"EVENT\"," + "{\"a\":".repeat(size / 5))).isInstanceOf(ClientMessage.PublishRefused.class);
        assertThat(parse("[\"REQ\",\"a\",{\"since\":" + "9".repeat(size)))
                .isInstanceOf(ClientMessage.QueryRefused.class);
        assertThat(parse("[\"REQ\",\"a\",{\"#t\":[" + "\"\",".repeat(size / 3)))
                .isEqualTo(new ClientMessage.QueryRefused("a", "invalid: a filter has more than 3 values"));
        assertThat(parse("\"" + "a".repeat(size))).isInstanceOf(ClientMessage.Unreadable.class);
        assertThat(parse("[\"EVENT\",{\"tags\":[" + "[],".repeat(size / 3)))
                .isEqualTo(new ClientMessage.PublishRefused("", "invalid: more than 200000 tags"));
    }

    @Test
    void readsWhatTheClientSideWrites() {
        Filter filter = ((FilterParser.Result.Parsed)
                        new FilterParser(9).parse("{\"#e\":[\"" + ID + "\"],\"&t\":[\"\\\"\"],\"limit\":0}"))
                .filter();

        assertThat(parse(new String(ClientMessages.req("\"a\n", List.of(filter)), UTF_8)))
                .isEqualTo(new ClientMessage.Req("\"a\n", List.of(filter)));
        assertThat(parse(new String(ClientMessages.count("a", List.of(filter, Filter.ALL)), UTF_8)))
                .isEqualTo(new ClientMessage.Count("a", List.of(filter, Filter.ALL)));
        assertThat(parse(new String(ClientMessages.close("a"), UTF_8))).isEqualTo(new ClientMessage.Close("a"));
    }

    private ClientMessage parse(String text) {
        byte[] bytes = text.getBytes(UTF_8);
        return parser.parse(bytes, 0, bytes.length);
    }
}
