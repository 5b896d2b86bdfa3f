package postroad.app;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import postroad.app.transfer.Compression;
import postroad.app.transfer.Source;
import postroad.app.transfer.Sources;

/// The files named on the command line, or standard input, opened one after the other and unpacked.
final class Inputs implements Sources, AutoCloseable {
    private static final String STANDARD_INPUT = "-";

    private final Console console;
    private final ArrayDeque<String> names;
    private final OptionalLong totalBytes;
    private final AtomicLong bytes = new AtomicLong();
    private Optional<Source> open = Optional.empty();

    private Inputs(Console console, List<String> names, OptionalLong totalBytes) {
        this.console = console;
        this.names = new ArrayDeque<>(names);
        this.totalBytes = totalBytes;
    }

    /// The inputs of these names; `-`, or none at all, is standard input.
    ///
    /// @throws Failure when one is missing, before anything is read
    static Inputs of(List<String> words, Console console) throws IOException {
        List<String> names = words.isEmpty() ? List.of(STANDARD_INPUT) : words;
        long total = 0;
        boolean isKnown = true;
        for (String name : names) {
            if (name.equals(STANDARD_INPUT)) {
                isKnown = false;
                continue;
            }
            Path file = Path.of(name);
            if (Files.isDirectory(file)) {
                throw new Failure(name + ": it is a folder; name files");
            }
            if (!Files.isReadable(file)) {
                throw new Failure(name + (Files.exists(file) ? ": permission denied" : ": there is no such file"));
            }
            isKnown &= Files.isRegularFile(file);
            total += Files.size(file);
        }
        if (console.inIsTerminal() && names.contains(STANDARD_INPUT)) {
            console.say("reading events from the terminal; end with Ctrl-D");
        }
        return new Inputs(console, names, isKnown ? OptionalLong.of(total) : OptionalLong.empty());
    }

    /// How many bytes there are in all, packed as they are; empty where that is not known.
    OptionalLong totalBytes() {
        return totalBytes;
    }

    /// How many of them are read.
    long bytes() {
        return bytes.get();
    }

    @Override
    public Optional<Source> next() throws IOException {
        close();
        if (!names.isEmpty()) {
            String name = names.poll();
            boolean isStandard = name.equals(STANDARD_INPUT);
            InputStream raw = isStandard ? console.in() : Files.newInputStream(Path.of(name));
            open = Optional.of(new Source(isStandard ? "standard input" : name, unpacked(name, raw)));
        }
        return open;
    }

    private InputStream unpacked(String name, InputStream raw) throws IOException {
        try {
            return Compression.unpack(new Counting(raw, bytes));
        } catch (IOException e) {
            throw new IOException(name + ": " + e.getMessage(), e);
        }
    }

    @Override
    public void close() throws IOException {
        if (open.isPresent()) {
            open.get().in().close();
            open = Optional.empty();
        }
    }

    private static final class Counting extends FilterInputStream {
        private final AtomicLong count;

        Counting(InputStream in, AtomicLong count) {
            super(in);
            this.count = count;
        }

        @Override
        public int read() throws IOException {
            int one = super.read();
            count.addAndGet(one < 0 ? 0 : 1);
            return one;
        }

        @Override
        public int read(byte[] target, int from, int length) throws IOException {
            int read = super.read(target, from, length);
            count.addAndGet(Math.max(0, read));
            return read;
        }
    }
}
