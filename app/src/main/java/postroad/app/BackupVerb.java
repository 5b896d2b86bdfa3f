package postroad.app;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.commons.cli.Options;
import postroad.app.config.Home;

/// `postroad backup`: copies the store while it is in use.
final class BackupVerb implements Verb {
    @Override
    public String name() {
        return "backup";
    }

    @Override
    public String words() {
        return "DIR";
    }

    @Override
    public String description() {
        return """
                Copies the store as of one moment into DIR, which must be empty or not there yet, while the node goes
                on serving. The copy is compact and is a store: put it into a home as its folder "store" to use it.
                The configuration is not copied.
                """;
    }

    @Override
    public String example() {
        return """
                postroad backup /srv/backup/2026-01-31
                """;
    }

    @Override
    public Options options() {
        return new Options()
                .addOption(Verb.home())
                .addOption(Verb.config())
                .addOption(Verb.json("print the answer as one JSON object"));
    }

    @Override
    public int run(Arguments arguments, Console console) throws Exception {
        arguments.requireWords(1, 1, "the folder DIR");
        Path target = Path.of(arguments.words().getFirst()).toAbsolutePath().normalize();
        long sequence = backup(arguments, console, target);
        if (arguments.has("json")) {
            Map<String, Object> answer = new LinkedHashMap<>();
            answer.put("directory", target.toString());
            answer.put("sequence", sequence);
            console.out().println(Json.of(answer));
        } else {
            console.out().println("backup of sequence " + sequence + " in " + target);
            console.say("backup: " + HomeFolder.HOW_TO_USE.formatted(target));
        }
        return DONE;
    }

    private static long backup(Arguments arguments, Console console, Path target) throws Exception {
        Home home = arguments.home(console);
        return HomeAccess.of(home, "backup", console)
                .reach(
                        client -> client.backup(target),
                        () -> Stores.openToRead(home, arguments, console),
                        store -> store.backup(target));
    }
}
