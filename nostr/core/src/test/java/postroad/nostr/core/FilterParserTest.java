package postroad.nostr.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import postroad.common.Bytes32;

class FilterParserTest {
    private static final String ID = "0123456789abcdef".repeat(4);
    private static final String OTHER = "fedcba9876543210".repeat(4);

    @Test
    void readsEveryField() {
        Filter filter = parsed("{\"ids\":[\"" + ID + "\"],\"authors\":[\"" + OTHER + "\",\"" + ID
                + "\"],\"kinds\":[7,0,65535,7],\"#t\":[\"b\",\"a\",\"b\"],\"&t\":[\"c\"],\"#P\":[\"x\"],\"#e\":[\"" + ID
                + "\"],\"since\":0,\"until\":9,\"limit\":5}");

        assertThat(filter.ids()).isEqualTo(Optional.of(Filter.Set32.of(List.of(Bytes32.ofHex(ID)))));
        assertThat(filter.authors())
                .isEqualTo(Optional.of(Filter.Set32.of(List.of(Bytes32.ofHex(ID), Bytes32.ofHex(OTHER)))));
        assertThat(filter.kinds()).isEqualTo(Optional.of(Filter.Kinds.of(0, 7, 65_535)));
        assertThat(filter.tags())
                .containsExactly(
                        new TagCondition('t', false, List.of(TagValue.of("b"), TagValue.of("a"))),
                        new TagCondition('t', true, List.of(TagValue.of("c"))),
                        new TagCondition('P', false, List.of(TagValue.of("x"))),
                        new TagCondition('e', false, List.of(TagValue.of(ID))));
        assertThat(filter.since()).isZero();
        assertThat(filter.until()).isEqualTo(9);
        assertThat(filter.limit()).isEqualTo(OptionalInt.of(5));
    }

    @Test
    void demandsNothingWhereNothingIsSaid() {
        assertThat(parsed("{}")).isEqualTo(Filter.ALL);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"ids\":[],\"authors\":[],\"kinds\":[],\"#t\":[],\"&t\":[]}",
                "{\"kinds\":[1,2,3],\"#d\":[\"\",\"a \\\"b\\\" \\\\ \\n\",\"ünï 😀\"],\"since\":0,\"until\":0,\"limit\":0}",
                "{\"since\":9223372036854775806,\"limit\":2147483647}"
            })
    void writesWhatItReadsBackAsTheSame(String json) {
        Filter filter = parsed(json);

        assertThat(parsed(filter.json())).isEqualTo(filter);
    }

    @ParameterizedTest
    @CsvSource({
        "limit,2147483648,2147483647",
        "limit,99999999999999999999,2147483647",
        "until,18446744073709551615,9223372036854775807",
        "since,9223372036854775808,9223372036854775807",
        "since,99999999999999999999,9223372036854775807"
    })
    void takesANumberTooLargeToMatterForTheLargest(String key, String number, long expected) {
        Filter filter = parsed("{\"" + key + "\":" + number + "}");

        long actual = key.equals("limit")
                ? filter.limit().orElseThrow()
                : key.equals("since") ? filter.since() : filter.until();
        assertThat(actual).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"ids\":[\"abc\"]}|invalid: values of ids must be 64 lower-case hex digits, not 3 characters",
                "{\"ids\":[5]}|invalid: values of ids must be strings",
                "{\"ids\":\"x\"}|invalid: the filter key ids must hold a list",
                "{\"ids\":null}|invalid: the filter key ids must hold a list",
                "{\"authors\":{}}|invalid: the filter key authors must hold a list",
                "{\"#t\":\"x\"}|invalid: the filter key #t must hold a list",
                "{\"#t\":[1]}|invalid: values of #t must be strings",
                "{\"&t\":[null]}|invalid: values of &t must be strings",
                "{\"#e\":[\"x\"]}|invalid: values of #e must be 64 lower-case hex digits, not 1 characters",
                "{\"&p\":[\"x\"]}|invalid: values of &p must be 64 lower-case hex digits, not 1 characters",
                "{\"kinds\":[65536]}|invalid: a kind is above 65535",
                "{\"kinds\":[-1]}|invalid: a kind must be a whole number without sign, fraction or exponent",
                "{\"kinds\":[1.0]}|invalid: a kind must be a whole number without sign, fraction or exponent",
                "{\"kinds\":[1e3]}|invalid: a kind must be a whole number without sign, fraction or exponent",
                "{\"kinds\":[\"1\"]}|invalid: a kind must be a whole number without sign, fraction or exponent",
                "{\"kinds\":[1,]}|invalid: a kind must be a whole number without sign, fraction or exponent",
                "{\"kinds\":1}|invalid: the filter key kinds must hold a list",
                "{\"since\":-1}|invalid: since must be a whole number without sign, fraction or exponent",
                "{\"since\":\"1\"}|invalid: since must be a whole number without sign, fraction or exponent",
                "{\"until\":1.5}|invalid: until must be a whole number without sign, fraction or exponent",
                "{\"until\":null}|invalid: until must be a whole number without sign, fraction or exponent",
                "{\"limit\":1e3}|invalid: limit must be a whole number without sign, fraction or exponent",
                "{\"limit\":-1}|invalid: limit must be a whole number without sign, fraction or exponent",
                "{\"limit\":100000000000000000000}|invalid: limit is a number of more than 20 digits",
                "{\"limit\":1,\"limit\":1}|invalid: the filter key \"limit\" is there twice",
                "{\"since\":0,\"since\":1}|invalid: the filter key \"since\" is there twice",
                "{\"until\":1,\"until\":1}|invalid: the filter key \"until\" is there twice",
                "{\"ids\":[],\"ids\":[]}|invalid: the filter key \"ids\" is there twice",
                "{\"authors\":[],\"authors\":[]}|invalid: the filter key \"authors\" is there twice",
                "{\"#t\":[],\"#t\":[]}|invalid: the filter key \"#t\" is there twice",
                "{\"#t\":[],\"\\u0023t\":[]}|invalid: the filter key \"#t\" is there twice",
                "{\"&t\":[],\"&t\":[]}|invalid: the filter key \"&t\" is there twice",
                "{\"#tt\":[\"x\"]}|unsupported: the filter key \"#tt\" is unknown",
                "{\"#\":[\"x\"]}|unsupported: the filter key \"#\" is unknown",
                "{\"#1\":[\"x\"]}|unsupported: the filter key \"#1\" is unknown",
                "{\"#é\":[\"x\"]}|unsupported: the filter key \"#é\" is unknown",
                "{\"author\":[\"x\"]}|unsupported: the filter key \"author\" is unknown",
                "{\"Kinds\":[1]}|unsupported: the filter key \"Kinds\" is unknown",
                "{\"\":[1]}|unsupported: the filter key \"\" is unknown",
                "{\"search\":\"x\"}|unsupported: this relay has no full-text search (NIP-50)",
                "[]|invalid: a filter must be a JSON object",
            })
    void refusesWhatItDoesNotUnderstandAndNeverWidens(String json, String reason) {
        assertThat(refused(json)).startsWith(reason + " (at byte ");
    }

    @Test
    void refusesUpperCaseInHex() {
        assertThat(refused("{\"authors\":[\"" + "A".repeat(64) + "\"]}")).contains("upper case is refused");
        assertThat(refused("{\"#e\":[\"" + "A".repeat(64) + "\"]}")).contains("upper case is refused");
    }

    @Test
    void countsTheValuesOfAllListsTogether() {
        FilterParser parser = new FilterParser(3);

        assertThat(parser.parse("{\"kinds\":[1,2],\"#t\":[\"a\"]}")).isInstanceOf(FilterParser.Result.Parsed.class);
        assertThat(parser.parse("{\"kinds\":[1,2],\"#t\":[\"a\",\"b\"]}"))
                .isInstanceOfSatisfying(
                        FilterParser.Result.Refused.class,
                        refused -> assertThat(refused.reason()).startsWith("invalid: a filter has more than 3 values"));
        assertThat(parser.parse("{\"kinds\":[1,2],\"#t\":[\"a\"]}")).isInstanceOf(FilterParser.Result.Parsed.class);
    }

    @Test
    void saysWhere() {
        assertThat(refused("{\"kinds\":[1]")).isEqualTo("invalid: not JSON at byte 12: ',' or '}' was expected");
        assertThat(refused("{\"kinds\":[1],\"authros\":[]}"))
                .isEqualTo(
                        "unsupported: the filter key \"authros\" is unknown (at byte 23, after …inds\":[1],\"authros\":)");
    }

    @Test
    void matchesNothingWhereAListIsEmpty() {
        for (String list : List.of("ids", "authors", "kinds", "#t", "&t")) {
            assertThat(parsed("{\"" + list + "\":[]}").matchesNothing())
                    .as(list)
                    .isTrue();
        }
        assertThat(parsed("{\"since\":2,\"until\":1}").matchesNothing()).isTrue();
        assertThat(parsed("{\"since\":1,\"until\":1}").matchesNothing()).isFalse();
        assertThat(parsed("{}").matchesNothing()).isFalse();
    }

    private static Filter parsed(String json) {
        FilterParser.Result result = new FilterParser(100).parse(json);
        assertThat(result).as(json).isInstanceOf(FilterParser.Result.Parsed.class);
        return ((FilterParser.Result.Parsed) result).filter();
    }

    private static String refused(String json) {
        FilterParser.Result result = new FilterParser(100).parse(json);
        assertThat(result).as(json).isInstanceOf(FilterParser.Result.Refused.class);
        return ((FilterParser.Result.Refused) result).reason();
    }
}
