package postroad.app;

import java.nio.file.Files;
import org.apache.commons.cli.Options;
import postroad.app.config.Config;
import postroad.app.config.ConfigReader;
import postroad.app.config.Home;
import postroad.app.config.Overrides;

/// `postroad up`: runs a node until it is told to stop.
final class UpVerb implements Verb {
    @Override
    public String name() {
        return "up";
    }

    @Override
    public String words() {
        return "";
    }

    @Override
    public String description() {
        return """
                Starts the relay, and prints "relay ws://ADDR:PORT" on standard output once it serves. Events are
                kept in the node's home, which is made when missing. SIGTERM or SIGINT (Ctrl-C) end it: what is in
                flight is written and answered, connections are closed with a reason, and the exit status is 0.

                Without options it listens on 127.0.0.1:7447, for this machine only.
                """;
    }

    @Override
    public String example() {
        return """
                postroad up
                postroad up --listen 0.0.0.0:7447 --url wss://relay.example --auth required
                """;
    }

    @Override
    public Options options() {
        return new Options()
                .addOption(Verb.home())
                .addOption(Verb.config())
                .addOption(Verb.value("listen", "ADDR:PORT", "where to listen; port 0 takes a free one"))
                .addOption(Verb.url())
                .addOption(Verb.value("auth", "MODE", "off, optional or required"))
                .addOption(
                        Verb.value("set", "KEY=VALUE", "any setting, such as limits.max_limit=1000; may be repeated"));
    }

    @Override
    public int run(Arguments arguments, Console console) throws Exception {
        arguments.requireWords(0, 0, "");
        // One line a message; must be said before the first logger is made.
        if (System.getProperty("java.util.logging.SimpleFormatter.format") == null) {
            System.setProperty("java.util.logging.SimpleFormatter.format", "%1$tF %1$tT %4$s: %5$s%6$s%n");
        }
        Home home = arguments.home(console);
        Config config = ConfigReader.read(home, overrides(arguments), console.environment());
        config.warnings().forEach(console::say);
        HomeFolder.requireHome(home);
        if (!Files.exists(home.store())) {
            // A start that fails for an address leaves no new home behind.
            Listening.tryAt(config.relay().listen());
        }
        HomeFolder.prepare(home);
        try (StopSignal stop = StopSignal.listen()) {
            try (Node node = Node.start(home, config, console)) {
                greet(node, home, config, console);
                stop.await();
                console.say("postroad: stopping");
            }
            stop.succeeded();
            return DONE;
        }
    }

    private static Overrides overrides(Arguments arguments) {
        Overrides overrides = arguments.overrides();
        for (String text : arguments.values("set")) {
            int equals = text.indexOf('=');
            if (equals < 1) {
                throw new UsageException("--set must be KEY=VALUE, not " + text);
            }
            overrides = overrides.with(text.substring(0, equals), text.substring(equals + 1), "--set");
        }
        if (arguments.has("listen")) {
            overrides = overrides.with("listen", arguments.value("listen").orElseThrow(), "--listen");
        }
        if (arguments.has("auth")) {
            overrides = overrides.with("auth", arguments.value("auth").orElseThrow(), "--auth");
        }
        return arguments.withUrls(overrides);
    }

    private static void greet(Node node, Home home, Config config, Console console) {
        var info = node.store().info();
        console.say("postroad: home " + home.folder() + ", " + info.events() + " events, sequence " + info.sequence());
        config.file().ifPresent(file -> console.say("postroad: configuration " + file));
        String urls = config.urls().isEmpty() ? "whatever host a client names" : String.join(" ", config.urls());
        console.say("postroad: auth "
                + config.relay().auth().name().toLowerCase(java.util.Locale.ROOT) + ", known as " + urls
                + ", sockets by "
                + node.transport());
        console.out().println("relay " + node.url());
        console.out().flush();
        console.say("postroad: serving; Ctrl-C stops");
    }
}
