package postroad.app;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.cli.Options;
import postroad.wire.Fingerprint;
import postroad.wire.Identity;
import postroad.wire.Pins;

/// `postroad identity`: who this side is in folder sync, and whom it trusts.
final class IdentityVerb implements Verb {
    @Override
    public String name() {
        return "identity";
    }

    @Override
    public String words() {
        return "";
    }

    @Override
    public String description() {
        return """
                Prints the fingerprint by which others know this side in folder sync, and those that are trusted
                here, each with its name. The first time, makes the key and its certificate in the home folder,
                readable by their owner alone.
                """;
    }

    @Override
    public String example() {
        return """
                postroad identity
                """;
    }

    @Override
    public Options options() {
        return new Options().addOption(Verb.home()).addOption(Verb.json("print one JSON object"));
    }

    @Override
    public int run(Arguments arguments, Console console) throws Exception {
        arguments.requireWords(0, 0, "");
        var home = arguments.home(console);
        HomeFolder.prepare(home);
        Path folder = home.folder();
        Fingerprint own = Identity.loadOrCreate(folder).fingerprint();
        List<Pins.Pin> pins = new Pins(folder).all();
        if (arguments.has("json")) {
            Map<String, Object> answer = new LinkedHashMap<>();
            answer.put("fingerprint", own.text());
            answer.put("home", folder.toString());
            answer.put(
                    "trusted",
                    pins.stream()
                            .map(pin -> Map.of("fingerprint", pin.fingerprint().text(), "name", pin.name()))
                            .toList());
            console.out().println(Json.of(answer));
            return DONE;
        }
        console.out().println("fingerprint " + own);
        pins.forEach(
                pin -> console.out().println(("trusted     " + pin.fingerprint() + " " + pin.name()).stripTrailing()));
        return DONE;
    }
}
