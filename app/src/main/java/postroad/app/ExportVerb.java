package postroad.app;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;
import postroad.app.config.Home;
import postroad.app.transfer.Compression;
import postroad.app.transfer.ExportSummary;
import postroad.app.transfer.Exporter;
import postroad.app.transfer.ReversedLines;
import postroad.nostr.core.Filter;

/// `postroad export`: writes events as JSON lines.
final class ExportVerb implements Verb {
    @Override
    public String name() {
        return "export";
    }

    @Override
    public String words() {
        return "";
    }

    @Override
    public String description() {
        return """
                Writes the stored events as JSON lines: newest first, ties by lowest id, all of one moment, whose
                sequence number is told at the end. Private kinds are among them; what has expired is not. A running
                node exports through its control socket.

                With --reverse the same lines come the other way round: oldest first. They are held in a temporary
                file until the last one is known, which needs room for all of them once more: beside FILE with -o,
                else in the temporary folder. A "limit" in a filter still counts from the newest.

                With -o, the file appears only when it is whole; a name that ends in .gz or .zst is packed.
                Exit status 1 without a word when the reader of standard output goes away.
                """;
    }

    @Override
    public String example() {
        return """
                postroad export -o backup.jsonl.zst
                postroad export --since 7d --filter '{"kinds":[1]}' | head
                postroad export --reverse >from-the-beginning.jsonl
                """;
    }

    @Override
    public Options options() {
        return new Options()
                .addOption(Verb.home())
                .addOption(Verb.config())
                .addOption(Verb.value(
                        "since",
                        "TIME",
                        "nothing older: 2026-01-31, 2026-01-31T12:00:00Z, seconds, or 7d for a week ago"))
                .addOption(Verb.value("until", "TIME", "nothing newer"))
                .addOption(Verb.value("filter", "JSON", "only what this filter matches, or another when repeated"))
                .addOption(Verb.flag("reverse", "oldest first instead of newest first"))
                .addOption(Option.builder("o")
                        .longOpt("output")
                        .hasArg()
                        .argName("FILE")
                        .desc("write to a file instead of standard output")
                        .get());
    }

    @Override
    public int run(Arguments arguments, Console console) throws Exception {
        arguments.requireWords(0, 0, "");
        List<Filter> filters = filters(arguments);
        Progress progress = new Progress(console, "export", OptionalLong.empty(), () -> 0);
        ExportSummary summary;
        try {
            summary = write(arguments, console, filters, progress);
        } catch (IOException e) {
            if (Failures.isBrokenPipe(e)) {
                return FAILED;
            }
            throw e;
        }
        progress.end();
        console.say(String.format(
                Locale.ROOT,
                "export: %d events as of sequence %d in %.1f s",
                summary.events(),
                summary.sequence(),
                progress.seconds()));
        return DONE;
    }

    private static List<Filter> filters(Arguments arguments) {
        long now = System.currentTimeMillis() / 1000;
        long since = arguments
                .value("since")
                .map(text -> Times.parse("since", text, now))
                .orElse(Long.MIN_VALUE);
        long until = arguments
                .value("until")
                .map(text -> Times.parse("until", text, now))
                .orElse(Long.MAX_VALUE);
        List<String> texts = arguments.values("filter");
        List<Filter> filters = texts.isEmpty() ? List.of(Filter.ALL) : Filters.parse(texts);
        return filters.stream()
                .map(filter -> Filters.within(filter, since, until))
                .toList();
    }

    private static ExportSummary write(Arguments arguments, Console console, List<Filter> filters, Progress progress)
            throws IOException, InterruptedException {
        Optional<String> name = arguments.value("output");
        if (name.isEmpty() || name.get().equals("-")) {
            OutputStream out = new Checked(console.out());
            ExportSummary summary = inOrder(arguments, console, filters, out, temporaryFolder(), progress);
            out.flush();
            return summary;
        }
        Path file = Path.of(name.get());
        requirePlace(file);
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            try (OutputStream out = packed(file, new Named(file, Files.newOutputStream(file)))) {
                return inOrder(arguments, console, filters, out, temporaryFolder(), progress);
            }
        }
        return staged(arguments, console, filters, file, progress);
    }

    /// Says what is wrong with the name that was given, before a name is made of it that nobody gave.
    private static void requirePlace(Path file) {
        Path folder = file.toAbsolutePath().normalize().getParent();
        if (Files.isDirectory(file)) {
            throw new Failure(file + ": it is a folder; name a file");
        }
        if (!Files.isDirectory(folder)) {
            throw new Failure(file + ": there is no folder " + folder + "; make it first");
        }
        if (!Files.exists(file) && !Files.isWritable(folder)) {
            throw new Failure(file + ": cannot write to the folder " + folder + ": permission denied");
        }
    }

    private static Path temporaryFolder() {
        return Path.of(System.getProperty("java.io.tmpdir"));
    }

    /// Writes beside the file, and takes its name when all is safe on the disk.
    private static ExportSummary staged(
            Arguments arguments, Console console, List<Filter> filters, Path file, Progress progress)
            throws IOException, InterruptedException {
        Path absolute = file.toAbsolutePath();
        Path stage = absolute.resolveSibling("." + absolute.getFileName() + ".part");
        OutputStream begun = begin(file, stage);
        try {
            ExportSummary summary;
            try (OutputStream out = packed(file, begun)) {
                summary = inOrder(arguments, console, filters, out, absolute.getParent(), progress);
            }
            try (FileChannel channel = FileChannel.open(stage, StandardOpenOption.WRITE)) {
                channel.force(true);
            }
            Files.move(stage, absolute, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            return summary;
        } finally {
            Files.deleteIfExists(stage);
        }
    }

    private static OutputStream begin(Path file, Path stage) throws IOException {
        try {
            return new Named(file, Files.newOutputStream(stage));
        } catch (FileSystemException e) {
            throw new Failure(file + ": cannot be written: " + Failures.reason(e), e);
        }
    }

    private static OutputStream packed(Path file, OutputStream out) throws IOException {
        return Compression.pack(file.toString(), new BufferedOutputStream(out, 256 << 10));
    }

    /// Exports newest first, or with `--reverse` the other way round.
    ///
    /// @param spool where lines are held that are to be reversed
    private static ExportSummary inOrder(
            Arguments arguments, Console console, List<Filter> filters, OutputStream out, Path spool, Progress progress)
            throws IOException, InterruptedException {
        if (!arguments.has("reverse")) {
            return export(arguments, console, filters, out, progress);
        }
        try (ReversedLines lines = ReversedLines.in(spool)) {
            ExportSummary summary = export(arguments, console, filters, lines, progress);
            lines.writeTo(out);
            return summary;
        }
    }

    private static ExportSummary export(
            Arguments arguments, Console console, List<Filter> filters, OutputStream out, Progress progress)
            throws IOException, InterruptedException {
        Home home = arguments.home(console);
        return HomeAccess.of(home, "export", console)
                .reach(
                        client -> client.export(filters, out, events -> progress.at(events, "")),
                        () -> Stores.openToRead(home, arguments, console),
                        store -> {
                            long now = System.currentTimeMillis() / 1000;
                            return Exporter.run(store, filters, now, out, events -> progress.at(events, ""));
                        });
    }

    /// A file that names itself when it cannot be written on, such as on a full disk.
    private static final class Named extends OutputStream {
        private final Path file;
        private final OutputStream out;

        Named(Path file, OutputStream out) {
            this.file = file;
            this.out = out;
        }

        @Override
        public void write(int one) throws IOException {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            try {
                out.write(bytes, from, length);
            } catch (IOException e) {
                throw new IOException(file + ": cannot be written on: " + e.getMessage(), e);
            }
        }

        @Override
        public void close() throws IOException {
            out.close();
        }
    }

    /// A print stream that says when its reader has gone.
    private static final class Checked extends OutputStream {
        private final PrintStream out;

        Checked(PrintStream out) {
            this.out = out;
        }

        @Override
        public void write(int one) throws IOException {
            out.write(one);
            check();
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            out.write(bytes, from, length);
            check();
        }

        @Override
        public void flush() throws IOException {
            out.flush();
            check();
        }

        private void check() throws IOException {
            if (out.checkError()) {
                throw new IOException("Broken pipe");
            }
        }
    }
}
