package postroad.app;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.apache.commons.cli.Options;
import postroad.app.config.Config;
import postroad.app.config.ConfigReader;
import postroad.app.config.Home;
import postroad.app.transfer.ImportFailure;
import postroad.app.transfer.ImportOptions;
import postroad.app.transfer.ImportSummary;
import postroad.app.transfer.Importer;
import postroad.nostr.store.LmdbStore;

/// `postroad import`: takes events from JSON lines.
final class ImportVerb implements Verb {
    @Override
    public String name() {
        return "import";
    }

    @Override
    public String words() {
        return "[FILE…]";
    }

    @Override
    public String description() {
        return """
                Takes events from files of JSON lines, one event a line, or from standard input. Files may be packed
                by gzip or Zstandard, whatever their names. A running node takes them through its control socket, so
                that live subscriptions see them; otherwise the store is opened directly.

                Every id and signature is checked. Protected events (NIP-70) and old ones are taken, since an archive
                is the operator's own; created_at may lie no further ahead than the configuration allows. Older
                versions, duplicates, and what its author has deleted are left out and counted. So the same lines in
                any order, any number of times, give the same store.

                Requests to vanish (NIP-62) are followed when they say ALL_RELAYS or name this relay, by one of the
                URLs of the configuration or of --url; a running node goes by its own.

                Exit status 3 when some lines were refused: they are no acceptable events. The summary has each
                reason with the first line it applies to.
                """;
    }

    @Override
    public String example() {
        return """
                postroad import events.jsonl
                zstdcat backup.jsonl.zst | postroad import
                """;
    }

    @Override
    public Options options() {
        return new Options()
                .addOption(Verb.home())
                .addOption(Verb.config())
                .addOption(Verb.url())
                .addOption(Verb.flag("no-verify", "do not check signatures: only for lines that were checked before"))
                .addOption(Verb.json("print the summary as one JSON object"));
    }

    @Override
    public int run(Arguments arguments, Console console) throws Exception {
        boolean verify = !arguments.has("no-verify");
        if (!verify) {
            console.say("WARNING: --no-verify: signatures are NOT checked. Whatever these lines say will be served as");
            console.say("WARNING: genuine. Use it only for lines that this program or another you trust has checked.");
        }
        try (Inputs inputs = Inputs.of(arguments.words(), console)) {
            Progress progress = new Progress(console, "import", inputs.totalBytes(), inputs::bytes);
            // How many events the store holds afterwards; of a running node `info` tells.
            AtomicReference<String> held = new AtomicReference<>("");
            ImportSummary summary;
            try {
                summary = run(arguments, console, inputs, verify, soFar -> show(progress, soFar), held);
            } catch (ImportFailure e) {
                progress.end();
                print(e.soFar(), arguments, console);
                throw new Failure(
                        e.getMessage() + "; what is counted as stored stays, so import again when it is mended", e);
            }
            progress.end();
            print(summary, arguments, console);
            console.say(String.format(
                    Locale.ROOT,
                    "import: %d lines in %.1f s, %.0f a second",
                    summary.lines(),
                    progress.seconds(),
                    summary.lines() / progress.seconds()));
            if (!held.get().isEmpty()) {
                console.say("import: the store now holds " + held + " events"
                        + (summary.stored() > 0
                                ? "; what was stored and is not among them was replaced or deleted by later lines"
                                : ""));
            }
            return summary.refused().isEmpty() ? DONE : PARTLY;
        }
    }

    private static ImportSummary run(
            Arguments arguments,
            Console console,
            Inputs inputs,
            boolean verify,
            Consumer<ImportSummary> progress,
            AtomicReference<String> held)
            throws IOException, InterruptedException {
        Home home = arguments.home(console);
        return HomeAccess.of(home, "import", console)
                .reach(
                        client -> {
                            console.say("import: into the running node of " + home.folder());
                            return client.importAll(inputs, verify, progress);
                        },
                        () -> {
                            Config config = config(arguments, console);
                            HomeFolder.prepare(home);
                            return LmdbStore.open(config.store(home));
                        },
                        store -> {
                            console.say("import: into the store of " + home.folder());
                            long futureSeconds =
                                    config(arguments, console).relay().limits().futureSeconds();
                            ImportSummary summary = Importer.run(
                                    inputs,
                                    batch -> store.write(batch, System.currentTimeMillis() / 1000),
                                    ImportOptions.of(verify, futureSeconds),
                                    progress);
                            held.set(Long.toString(store.info().events()));
                            return summary;
                        });
    }

    private static Config config(Arguments arguments, Console console) {
        Home home = arguments.home(console);
        return ConfigReader.read(home, arguments.withUrls(arguments.overrides()), console.environment());
    }

    private static void show(Progress progress, ImportSummary soFar) {
        String more = String.format(Locale.ROOT, ", %,d stored, %,d refused", soFar.stored(), soFar.refusedCount());
        progress.at(soFar.lines(), more);
    }

    private static void print(ImportSummary summary, Arguments arguments, Console console) {
        if (arguments.has("json")) {
            console.out().println(json(summary));
            return;
        }
        summary.counts().forEach((name, count) -> {
            if (count > 0 || name.equals("read") || name.equals("stored") || name.equals("refused")) {
                console.out().printf(Locale.ROOT, "%-10s %d%n", label(name), count);
            }
        });
        summary.refused()
                .forEach((reason, one) ->
                        console.out().printf(Locale.ROOT, "  %d × %s (first: %s)%n", one.count(), reason, one.first()));
    }

    /// What people are told a count is; scripts get the same names as ever.
    private static String label(String name) {
        return name.equals("replaced") ? "outdated" : name;
    }

    private static String json(ImportSummary summary) {
        Map<String, Object> object = new LinkedHashMap<>(summary.counts());
        object.put(
                "refusals",
                summary.refused().entrySet().stream()
                        .map(entry -> {
                            Map<String, Object> one = new LinkedHashMap<>();
                            one.put("reason", entry.getKey());
                            one.put("count", entry.getValue().count());
                            one.put("first", entry.getValue().first());
                            return one;
                        })
                        .toList());
        return Json.of(object);
    }
}
