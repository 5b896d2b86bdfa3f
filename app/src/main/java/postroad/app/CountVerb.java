package postroad.app;

import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.commons.cli.Options;
import postroad.nostr.client.CountAnswer;
import postroad.nostr.client.RelayConnection;

/// `postroad count`: prints how many of a relay's events match.
final class CountVerb implements Verb {
    @Override
    public String name() {
        return "count";
    }

    @Override
    public String words() {
        return "URL FILTER…";
    }

    @Override
    public String description() {
        return """
                Asks the relay at URL how many events match any FILTER (NIP-45), and prints the number.
                A FILTER goes to the relay as it is, so it may hold what only that relay knows.
                """;
    }

    @Override
    public String example() {
        return """
                postroad count ws://127.0.0.1:7447 '{"kinds":[1]}'
                """;
    }

    @Override
    public Options options() {
        return RelayVerb.options().addOption(Verb.json("print one JSON object"));
    }

    @Override
    public int run(Arguments arguments, Console console) throws Exception {
        arguments.requireWords(1, 1000, "the relay's URL");
        if (arguments.words().size() < 2) {
            throw new UsageException("the FILTER is missing; {} matches everything");
        }
        var filters =
                Filters.given(arguments.words().subList(1, arguments.words().size()));
        try (RelayConnection connection = RelayVerb.open(arguments, console)) {
            return switch (connection.countAsGiven(filters)) {
                case CountAnswer.Counted(long count, boolean approximate) -> {
                    print(count, approximate, arguments, console);
                    yield DONE;
                }
                case CountAnswer.Refused(String text) -> throw new Failure(RelayVerb.refusal(text, arguments));
            };
        }
    }

    private static void print(long count, boolean approximate, Arguments arguments, Console console) {
        if (arguments.has("json")) {
            Map<String, Object> answer = new LinkedHashMap<>();
            answer.put("count", count);
            answer.put("approximate", approximate);
            console.out().println(Json.of(answer));
            return;
        }
        console.out().println(count);
        if (approximate) {
            console.say("count: the relay says that this is approximate");
        }
    }
}
