package postroad.app;

import java.util.List;
import org.apache.commons.cli.Options;
import postroad.wire.Fingerprint;
import postroad.wire.Pins;

/// `postroad trust`: trusts a certificate in folder sync.
final class TrustVerb implements Verb {
    @Override
    public String name() {
        return "trust";
    }

    @Override
    public String words() {
        return "FP [NAME]";
    }

    @Override
    public String description() {
        return """
                Trusts the side with the fingerprint FP (64 hex digits, as it prints them itself by "postroad
                identity") to send to here and to receive from here. NAME is for people. Pasting a pairing line at
                the other side does the same for both at once. A receiver that runs already knows at once.
                """;
    }

    @Override
    public String example() {
        return """
                postroad trust 3f1e…c09a laptop
                """;
    }

    @Override
    public Options options() {
        return new Options().addOption(Verb.home());
    }

    @Override
    public int run(Arguments arguments, Console console) throws Exception {
        arguments.requireWords(1, Integer.MAX_VALUE, "the fingerprint FP");
        List<String> words = arguments.words();
        Fingerprint fingerprint = SyncSettings.fingerprint(words.getFirst(), "FP");
        var home = arguments.home(console);
        HomeFolder.prepare(home);
        String name = String.join(" ", words.subList(1, words.size()));
        boolean isNew;
        try {
            isNew = new Pins(home.folder()).add(fingerprint, name);
        } catch (IllegalArgumentException e) {
            throw new UsageException("NAME: " + e.getMessage());
        }
        console.say((isNew ? "trusted: " : "was trusted already: ") + fingerprint + (name.isEmpty() ? "" : " " + name));
        return DONE;
    }
}
