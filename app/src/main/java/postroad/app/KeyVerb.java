package postroad.app;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.commons.cli.Options;
import postroad.common.Bytes32;
import postroad.common.Schnorr;
import postroad.common.SecretKey;

/// `postroad key`: makes a key to sign with.
final class KeyVerb implements Verb {
    @Override
    public String name() {
        return "key";
    }

    @Override
    public String words() {
        return "FILE";
    }

    @Override
    public String description() {
        return """
                Makes FILE with a fresh secret key, readable by its owner only, and prints its public key. When the
                file is there already, prints whose key it is and changes nothing. The file holds 64 hex digits;
                nsec1… as other programs keep it is read too. Whoever has the file can sign as you: keep it safe.
                """;
    }

    @Override
    public String example() {
        return """
                postroad key me.key
                """;
    }

    @Override
    public Options options() {
        return new Options().addOption(Verb.json("print one JSON object"));
    }

    @Override
    public int run(Arguments arguments, Console console) throws Exception {
        arguments.requireWords(1, 1, "the FILE");
        Path file = Path.of(arguments.words().getFirst());
        boolean isNew = !Files.exists(file);
        SecretKey key = isNew ? KeyFile.create(file) : KeyFile.read(file, console);
        console.say(isNew ? "made " + file : "read " + file);
        Bytes32 publicKey = Schnorr.publicKey(key);
        String npub = Bech32.encode("npub", publicKey);
        if (arguments.has("json")) {
            Map<String, Object> answer = new LinkedHashMap<>();
            answer.put("file", file.toString());
            answer.put("pubkey", publicKey.hex());
            answer.put("npub", npub);
            console.out().println(Json.of(answer));
        } else {
            console.out().println("pubkey " + publicKey.hex());
            console.out().println("npub   " + npub);
        }
        return DONE;
    }
}
