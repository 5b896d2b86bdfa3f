package postroad.app;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.apache.commons.cli.Options;
import postroad.common.SecretKey;
import postroad.nostr.client.ClientOptions;
import postroad.nostr.client.RelayConnection;
import postroad.nostr.core.Prefix;
import postroad.nostr.core.RelayMessage;
import postroad.wire.WebSocketUrl;

/// What the verbs that speak to any relay have in common: connecting, time-outs, and AUTH.
final class RelayVerb {
    private static final long DEFAULT_TIMEOUT = 30;

    static final String AUTH_HINT = "prove a key with --auth KEYFILE (postroad key KEYFILE makes one)";

    private RelayVerb() {}

    static Options options() {
        return new Options()
                .addOption(Verb.value(
                        "timeout",
                        "SECONDS",
                        "how long the relay may keep us waiting (default: " + DEFAULT_TIMEOUT + ")"))
                .addOption(Verb.value("auth", "KEYFILE", "prove this key to the relay first (NIP-42)"));
    }

    static Duration timeout(Arguments arguments) {
        return Duration.ofSeconds(arguments.number("timeout", 1, 86_400).orElse(DEFAULT_TIMEOUT));
    }

    /// Connects to the relay that the first word names, and proves the key given.
    static RelayConnection open(Arguments arguments, Console console) throws IOException, InterruptedException {
        String url = arguments.words().getFirst();
        if (!url.contains("://")) {
            throw new UsageException("not a relay URL: " + url + " (it must begin with ws:// or wss://)");
        }
        try {
            WebSocketUrl.parse(url);
        } catch (IllegalArgumentException e) {
            throw new UsageException(e.getMessage());
        }
        Duration timeout = timeout(arguments);
        Optional<SecretKey> key = Optional.empty();
        if (arguments.has("auth")) {
            key = Optional.of(KeyFile.read(Path.of(arguments.value("auth").orElseThrow()), console));
        }
        ClientOptions options = ClientOptions.DEFAULT
                .withAnswer(timeout)
                .withLink(
                        ClientOptions.DEFAULT.link().withConnectTimeout(timeout).withHandshakeTimeout(timeout))
                .withNotices(notice -> console.say("notice: " + notice));
        RelayConnection connection = RelayConnection.open(url, options);
        try {
            if (key.isPresent()) {
                authenticate(connection, key.get());
            }
            return connection;
        } catch (IOException | RuntimeException | InterruptedException e) {
            connection.close();
            throw e;
        }
    }

    private static void authenticate(RelayConnection connection, SecretKey key)
            throws IOException, InterruptedException {
        RelayMessage.Ok ok = connection.authenticate(key);
        if (!ok.accepted()) {
            throw new Failure(connection.url() + " refused the key: " + ok.text());
        }
    }

    /// A relay's refusal with what to do about it.
    static String refusal(String text, Arguments arguments) {
        return "the relay refused: " + text + (wantsAuth(text, arguments) ? "; " + AUTH_HINT : "");
    }

    /// Whether a refusal asks for a key that was not given.
    static boolean wantsAuth(String text, Arguments arguments) {
        return text.startsWith(Prefix.AUTH_REQUIRED.with("").strip()) && !arguments.has("auth");
    }

    /// Tells of events that were not shown.
    static void warnOfBadEvents(RelayConnection connection, Console console) {
        RelayConnection.Stats stats = connection.stats();
        warn(stats.forged(), "had a false signature and were left out", console);
        warn(stats.unasked(), "were not asked for and were left out", console);
        warn(stats.unreadable(), "could not be read and were left out", console);
    }

    private static void warn(long count, String what, Console console) {
        if (count > 0) {
            console.say("warning: " + count + " of the relay's messages " + what);
        }
    }
}
