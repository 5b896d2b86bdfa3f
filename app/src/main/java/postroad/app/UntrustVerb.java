package postroad.app;

import java.util.List;
import org.apache.commons.cli.Options;
import postroad.wire.Fingerprint;
import postroad.wire.Pins;

/// `postroad untrust`: takes trust back.
final class UntrustVerb implements Verb {
    @Override
    public String name() {
        return "untrust";
    }

    @Override
    public String words() {
        return "FP|NAME";
    }

    @Override
    public String description() {
        return """
                Trusts the side with the fingerprint FP, or the one called NAME, no more. A session that runs goes
                on to its end; the next one is refused. Exit status 1 when it was not trusted.
                """;
    }

    @Override
    public String example() {
        return """
                postroad untrust laptop
                """;
    }

    @Override
    public Options options() {
        return new Options().addOption(Verb.home());
    }

    @Override
    public int run(Arguments arguments, Console console) throws Exception {
        arguments.requireWords(1, Integer.MAX_VALUE, "the fingerprint FP or its NAME");
        Pins pins = new Pins(arguments.home(console).folder());
        String word = String.join(" ", arguments.words());
        List<Pins.Pin> named =
                pins.all().stream().filter(pin -> pin.name().equals(word)).toList();
        if (named.size() > 1) {
            throw new Failure("several are called " + word + "; name one by its fingerprint (postroad identity)");
        }
        Fingerprint fingerprint = named.isEmpty()
                ? SyncSettings.fingerprint(word, "FP")
                : named.getFirst().fingerprint();
        if (pins.find(fingerprint).isEmpty() || !pins.remove(fingerprint)) {
            throw new Failure(fingerprint + " was not trusted");
        }
        console.say("trusted no more: " + fingerprint);
        return DONE;
    }
}
