package postroad.app;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.apache.commons.cli.Options;
import postroad.app.config.Home;
import postroad.app.config.Version;
import postroad.app.control.ControlClient;
import postroad.nostr.store.EventStore;

/// `postroad info`: figures of this node, or what a relay says of itself.
final class InfoVerb implements Verb {
    @Override
    public String name() {
        return "info";
    }

    @Override
    public String words() {
        return "[URL]";
    }

    @Override
    public String description() {
        return """
                Without a URL: the figures of this node and its store, whether it runs or not.
                With one: what the relay there says of itself (its NIP-11 document). The document lies at the relay's
                address with http:// for ws://, so that form is taken too.
                """;
    }

    @Override
    public String example() {
        return """
                postroad info
                postroad info wss://relay.example --json
                """;
    }

    @Override
    public Options options() {
        return new Options()
                .addOption(Verb.home())
                .addOption(Verb.config())
                .addOption(Verb.value("timeout", "SECONDS", "how long the relay may take to answer (default: 10)"))
                .addOption(Verb.json("print one JSON object"));
    }

    @Override
    public int run(Arguments arguments, Console console) throws Exception {
        arguments.requireWords(0, 1, "");
        if (!arguments.words().isEmpty()) {
            int seconds = arguments.number("timeout", 1, 3600).orElse(10L).intValue();
            console.out().println(RelayDocument.fetch(arguments.words().getFirst(), seconds, arguments.has("json")));
            return DONE;
        }
        Map<String, String> figures = figures(arguments, console);
        if (arguments.has("json")) {
            console.out().println(Json.of(Figures.typed(figures)));
        } else {
            figures.forEach((name, value) -> {
                if (!isEmptyCounter(name, value)) {
                    console.out().printf(Locale.ROOT, "%-26s %s%n", name, value);
                }
            });
        }
        return DONE;
    }

    /// People are spared what did not happen yet; scripts get every figure.
    private static boolean isEmptyCounter(String name, String value) {
        return value.isEmpty()
                || value.equals("0") && (name.startsWith("relay.refused.") || name.startsWith("relay.messages."));
    }

    private static Map<String, String> figures(Arguments arguments, Console console) throws Exception {
        Home home = arguments.home(console);
        Map<String, String> figures = new LinkedHashMap<>();
        figures.put("home", home.folder().toString());
        figures.putAll(HomeAccess.of(home, "info", console)
                .reach(ControlClient::info, () -> Stores.openToRead(home, arguments, console), InfoVerb::ofStopped));
        return figures;
    }

    private static Map<String, String> ofStopped(EventStore store) {
        Map<String, String> figures = new LinkedHashMap<>();
        figures.put("node", "stopped");
        figures.put("version", Version.text());
        figures.putAll(Figures.of(store.info()));
        // It is open for this answer only, and for reading; whether it can be written shows when a node starts.
        figures.remove("store.state");
        return figures;
    }
}
