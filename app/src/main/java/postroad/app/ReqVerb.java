package postroad.app;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.commons.cli.Options;
import postroad.nostr.client.GivenFilter;
import postroad.nostr.client.RelayConnection;
import postroad.nostr.client.Subscription;
import postroad.nostr.core.Event;
import postroad.nostr.core.Filter;

/// `postroad req`: prints a relay's events that match.
final class ReqVerb implements Verb {
    /// A followed subscription is asked this often whether it is still there.
    private static final Duration LIVE = Duration.ofHours(1);

    @Override
    public String name() {
        return "req";
    }

    @Override
    public String words() {
        return "URL FILTER…";
    }

    @Override
    public String description() {
        return """
                Asks the relay at URL for the events that match any FILTER, and prints them as JSON lines as they
                come. Ends when the relay has sent what it gives of its stored events (when it gave less than "limit" asks
                for, and says that there are more, a line on standard error tells); with --follow it goes on with
                what is new. A FILTER goes to the relay as it is, so it may hold what only that relay knows, such as
                "search" (NIP-50).
                Events with a false id or signature are left out, with a warning.

                Exit status 1 when the relay refuses (its reason on standard error), is silent or goes away.
                """;
    }

    @Override
    public String example() {
        return """
                postroad req ws://127.0.0.1:7447 '{"kinds":[1],"limit":10}'
                postroad req wss://relay.example --follow '{"#t":["nostr"]}'
                """;
    }

    @Override
    public Options options() {
        return RelayVerb.options().addOption(Verb.flag("follow", "go on with new events until interrupted"));
    }

    @Override
    public int run(Arguments arguments, Console console) throws Exception {
        arguments.requireWords(1, 1000, "the relay's URL");
        if (arguments.words().size() < 2) {
            throw new UsageException("the FILTER is missing; {} matches everything");
        }
        List<GivenFilter> filters =
                Filters.given(arguments.words().subList(1, arguments.words().size()));
        try (RelayConnection connection = RelayVerb.open(arguments, console);
                Subscription subscription = connection.subscribeAsGiven(filters)) {
            int status = print(subscription, new Wanted(filters), arguments, console);
            RelayVerb.warnOfBadEvents(connection, console);
            return status;
        }
    }

    private static int print(Subscription subscription, Wanted wanted, Arguments arguments, Console console)
            throws InterruptedException {
        Duration patience = RelayVerb.timeout(arguments);
        while (true) {
            Optional<Subscription.Item> item = subscription.next(Duration.ZERO);
            if (item.isEmpty()) {
                // Nothing waits: what was printed goes out before we do.
                if (console.out().checkError()) {
                    return FAILED;
                }
                item = subscription.next(patience);
            }
            if (item.isEmpty() && patience.equals(LIVE)) {
                continue;
            }
            if (item.isEmpty()) {
                throw new Failure("the relay sent nothing for " + patience.toSeconds() + " s");
            }
            switch (item.get()) {
                case Subscription.Item.Found(Event event) -> {
                    wanted.count(event);
                    console.out().print(event.json() + "\n");
                }
                case Subscription.Item.EndOfStored(List<String> hints) -> {
                    if (!wanted.isAllHere()) {
                        warnOfMore(hints, console);
                    }
                    if (!arguments.has("follow")) {
                        return console.out().checkError() ? FAILED : DONE;
                    }
                    patience = LIVE;
                }
                case Subscription.Item.Refused(String text) -> throw new Failure(RelayVerb.refusal(text, arguments));
                case Subscription.Item.Lost(String reason) -> throw new Failure(reason);
            }
        }
    }

    /// Whether the relay gave as much as was asked for: as many events for each filter as its limit says.
    private static final class Wanted {
        private final List<Filter> filters;
        private final long[] found;

        Wanted(List<GivenFilter> given) {
            filters = given.stream().map(GivenFilter::checked).toList();
            found = new long[filters.size()];
        }

        void count(Event event) {
            for (int i = 0; i < found.length; i++) {
                found[i] += filters.get(i).matches(event.packed(), 0) ? 1 : 0;
            }
        }

        boolean isAllHere() {
            return IntStream.range(0, found.length)
                    .allMatch(i -> filters.get(i).limit().isPresent()
                            && found[i] >= filters.get(i).limit().getAsInt());
        }
    }

    /// An answer that was cut short must not look whole (NIP-67).
    private static void warnOfMore(List<String> hints, Console console) {
        if (hints.contains("more")) {
            console.err()
                    .println(
                            "postroad: the relay has more that matches; ask again with \"until\" of the last, or \"limit\"");
        }
    }
}
