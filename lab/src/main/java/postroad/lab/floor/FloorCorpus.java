package postroad.lab.floor;

import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import postroad.nostr.core.Event;
import postroad.nostr.core.EventLimits;
import postroad.nostr.core.EventParser;
import postroad.nostr.kit.Corpus;

/// The events of a run: signed, determined by the seed, made once and kept as JSON lines for the next run.
final class FloorCorpus {
    /// What every relay stores and shows to strangers. Deletions and private kinds are left out.
    private static final Set<Integer> KINDS = Set.of(0, 1, 3, 6, 7, 30_023);

    /// Notes of each author of the plain shape.
    private static final int NOTES_EACH = 20;

    /// A character that some relays escape before they hash, so that they refuse whoever does as NIP-01 says.
    private static final String DELETE = "\u007f";

    /// Raised when the same seed gives other events than before.
    private static final String VERSION = "v2";

    private FloorCorpus() {}

    /// Shaped like real traffic: profiles, notes in threads, follow lists, reposts, reactions and articles; few
    /// authors and hashtags make most of it.
    static List<Event> traffic(Path folder, int count, long seed) throws IOException {
        Corpus traffic = Corpus.traffic(seed);
        return kept(
                folder.resolve("traffic-" + VERSION + "-" + seed + "-" + count + ".jsonl"), count, welcome(traffic));
    }

    /// Twenty notes without tags of each author.
    static List<Event> plain(Path folder, int count, long seed) throws IOException {
        Corpus plain = Corpus.plain(seed, Math.max(1, count / NOTES_EACH), Corpus.BEGIN);
        return kept(folder.resolve("plain-" + VERSION + "-" + seed + "-" + count + ".jsonl"), count, welcome(plain));
    }

    /// Notes that are in neither, older than all of both, so that they change no answer.
    static Corpus fresh(long seed) {
        return welcome(Corpus.plain(seed + 1_000_003, 500, Corpus.BEGIN - 10_000_000));
    }

    /// Those that every relay takes.
    private static Corpus welcome(Corpus corpus) {
        return () -> {
            while (true) {
                Event event = corpus.next();
                if (KINDS.contains(event.kind())
                        && event.expiration() == 0
                        && !event.json().contains(DELETE)) {
                    return event;
                }
            }
        };
    }

    private static List<Event> kept(Path file, int count, Corpus corpus) throws IOException {
        if (Files.exists(file)) {
            List<Event> events = read(file);
            if (events.size() == count) {
                return events;
            }
        }
        List<Event> events = corpus.take(count);
        write(file, events);
        return events;
    }

    private static List<Event> read(Path file) throws IOException {
        EventParser parser = new EventParser(EventLimits.HARD);
        List<Event> events = new ArrayList<>();
        try (BufferedReader lines = Files.newBufferedReader(file)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                byte[] json = line.getBytes(StandardCharsets.UTF_8);
                switch (parser.parse(json, 0, json.length)) {
                    case EventParser.Result.Parsed(Event event) -> events.add(event);
                    case EventParser.Result.Refused(String id, String reason) ->
                        throw new IOException(file + ": " + id + ": " + reason + "; remove the file");
                }
            }
        }
        return events;
    }

    private static void write(Path file, List<Event> events) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        Path part = Files.createTempFile(file.toAbsolutePath().getParent(), "corpus", ".part");
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(part), 1 << 18)) {
            for (Event event : events) {
                out.write((event.json() + "\n").getBytes(StandardCharsets.UTF_8));
            }
        }
        Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
    }
}
