package postroad.app;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.commons.cli.Options;
import postroad.app.transfer.Source;
import postroad.common.SecretKey;
import postroad.nostr.client.RelayConnection;
import postroad.nostr.core.Event;
import postroad.nostr.core.EventDraft;
import postroad.nostr.core.EventLimits;
import postroad.nostr.core.EventParser;
import postroad.nostr.core.Prefix;
import postroad.nostr.core.RelayMessage;
import postroad.nostr.core.Tag;

/// `postroad publish`: sends events to a relay, or signs a note and sends it.
final class PublishVerb implements Verb {
    @Override
    public String name() {
        return "publish";
    }

    @Override
    public String words() {
        return "URL [FILE…]";
    }

    @Override
    public String description() {
        return """
                Sends events to the relay at URL: signed ones from files of JSON lines or standard input, many in
                flight at a time; or, with --content and --key, one that is made and signed here. Prints for each
                event its id and "ok" or "refused", with the relay's words.

                Exit status 3 when some were refused, by the relay or because a line is no event; 1 when all were.
                """;
    }

    @Override
    public String example() {
        return """
                postroad publish ws://127.0.0.1:7447 --key me.key --content "hello" --tag t=intro
                postroad publish ws://127.0.0.1:7447 events.jsonl
                """;
    }

    @Override
    public Options options() {
        return RelayVerb.options()
                .addOption(Verb.value("content", "TEXT", "make an event with this content"))
                .addOption(Verb.value("key", "KEYFILE", "sign it with this key; postroad key makes one"))
                .addOption(Verb.value("kind", "N", "its kind (default: 1, a note)"))
                .addOption(Verb.value(
                        "tag", "TAG", "one of its tags: NAME=VALUE, or a JSON array of strings; may be repeated"))
                .addOption(Verb.flag("quiet", "print only refused events"))
                .addOption(Verb.json("print the relay's OKs as they are"));
    }

    @Override
    public int run(Arguments arguments, Console console) throws Exception {
        arguments.requireWords(1, arguments.has("content") ? 1 : 10_000, "the relay's URL");
        Optional<Event> own = arguments.has("content") ? Optional.of(signed(arguments, console)) : Optional.empty();
        if (own.isEmpty() && (arguments.has("key") || arguments.has("kind") || arguments.has("tag"))) {
            throw new UsageException("--key, --kind and --tag go with --content");
        }
        try (RelayConnection connection = RelayVerb.open(arguments, console)) {
            Sending sending = new Sending(connection, arguments, console);
            if (own.isPresent()) {
                sending.send(own.get());
            } else {
                sendLines(arguments, console, sending);
            }
            return sending.finish();
        }
    }

    private static Event signed(Arguments arguments, Console console) throws IOException {
        String file = arguments
                .value("key")
                .orElseThrow(() -> new UsageException("--content needs --key KEYFILE; postroad key KEYFILE makes one"));
        int kind = arguments.number("kind", 0, 65_535).orElse(1L).intValue();
        List<Tag> tags = arguments.values("tag").stream().map(PublishVerb::tag).toList();
        SecretKey key = KeyFile.read(Path.of(file), console);
        long now = System.currentTimeMillis() / 1000;
        try {
            return new EventDraft(now, kind, tags, arguments.value("content").orElseThrow()).sign(key);
        } catch (IllegalArgumentException e) {
            throw new UsageException(e.getMessage());
        }
    }

    static Tag tag(String text) {
        if (text.startsWith("[")) {
            try {
                return new Tag(new ObjectMapper().readValue(text, new TypeReference<List<String>>() {}));
            } catch (JsonProcessingException e) {
                throw new UsageException("--tag " + text + " is no JSON array of strings");
            }
        }
        int equals = text.indexOf('=');
        if (equals < 1) {
            throw new UsageException("--tag must be NAME=VALUE or a JSON array of strings, not " + text);
        }
        return Tag.of(text.substring(0, equals), text.substring(equals + 1));
    }

    private static void sendLines(Arguments arguments, Console console, Sending sending) throws Exception {
        List<String> files = arguments.words().subList(1, arguments.words().size());
        EventParser parser = new EventParser(EventLimits.HARD);
        try (Inputs inputs = Inputs.of(files, console)) {
            Optional<Source> source = inputs.next();
            while (source.isPresent()) {
                sendLines(source.get(), parser, sending);
                source = inputs.next();
            }
        }
    }

    private static void sendLines(Source source, EventParser parser, Sending sending) throws Exception {
        BufferedReader reader = new BufferedReader(new InputStreamReader(source.in(), StandardCharsets.UTF_8));
        long number = 0;
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
            number++;
            if (line.isBlank()) {
                continue;
            }
            byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
            switch (parser.parse(bytes, 0, bytes.length)) {
                case EventParser.Result.Parsed(Event event) -> sending.send(event);
                case EventParser.Result.Refused(String id, String reason) ->
                    sending.skip(source.name() + ":" + number + ": " + reason);
            }
        }
    }

    /// Events on their way, in order, and what became of them.
    private static final class Sending {
        private final RelayConnection connection;
        private final Arguments arguments;
        private final Console console;
        private final ArrayDeque<CompletableFuture<RelayMessage.Ok>> inFlight = new ArrayDeque<>();
        private long accepted;
        private long duplicate;
        private long refused;
        private boolean authWanted;

        Sending(RelayConnection connection, Arguments arguments, Console console) {
            this.connection = connection;
            this.arguments = arguments;
            this.console = console;
        }

        void send(Event event) throws IOException, InterruptedException {
            inFlight.add(connection.submit(event));
            while (!inFlight.isEmpty() && inFlight.peek().isDone()) {
                take();
            }
        }

        void skip(String why) {
            refused++;
            console.say(why);
        }

        int finish() throws InterruptedException {
            while (!inFlight.isEmpty()) {
                take();
            }
            if (accepted + refused > 1) {
                String known = duplicate == 0 ? "" : " (" + duplicate + " of them the relay had already)";
                console.say("publish: " + accepted + " accepted" + known + ", " + refused + " refused");
            }
            if (authWanted) {
                console.say("publish: the relay wants to know who sends this: " + RelayVerb.AUTH_HINT);
            }
            if (refused == 0) {
                return console.out().checkError() ? FAILED : DONE;
            }
            return accepted == 0 ? FAILED : PARTLY;
        }

        private void take() throws InterruptedException {
            long seconds = RelayVerb.timeout(arguments).toSeconds();
            try {
                show(inFlight.poll().get(seconds, TimeUnit.SECONDS));
            } catch (ExecutionException e) {
                throw lost(e.getCause().getMessage(), e);
            } catch (TimeoutException e) {
                throw lost("the relay sent no OK within " + seconds + " s", e);
            }
        }

        private Failure lost(String why, Exception e) {
            long unknown = inFlight.size() + 1L;
            return new Failure(
                    why + "; " + accepted + " were accepted, " + refused + " refused, of " + unknown
                            + " or more it is not known; publishing them again does no harm",
                    e);
        }

        private void show(RelayMessage.Ok ok) {
            if (ok.accepted()) {
                accepted++;
                duplicate += ok.text().startsWith(Prefix.DUPLICATE.with("").strip()) ? 1 : 0;
            } else {
                refused++;
                authWanted |= RelayVerb.wantsAuth(ok.text(), arguments);
            }
            if (ok.accepted() && arguments.has("quiet")) {
                return;
            }
            if (arguments.has("json")) {
                console.out().print(Json.of(List.of("OK", ok.eventId(), ok.accepted(), ok.text())) + "\n");
                return;
            }
            String text = ok.text().isEmpty() ? "" : " " + ok.text();
            console.out().print(ok.eventId() + (ok.accepted() ? " ok" : " refused") + text + "\n");
        }
    }
}
