package postroad.nostr.kit;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import postroad.nostr.core.Event;

/// An endless sequence of signed events that a seed determines to the last bit. Owned by one thread.
public interface Corpus {
    /// When the first event of every corpus is written, in seconds.
    long BEGIN = 1_700_000_000;

    /// The next event.
    Event next();

    /// The next `count` events.
    default List<Event> take(int count) {
        List<Event> events = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            events.add(next());
        }
        return events;
    }

    /// Shaped like real traffic: notes in threads, reactions, reposts, profiles, follow lists, articles, wraps, zaps;
    /// few authors and hashtags make most of it; time goes on, two events a second now and then.
    static Corpus traffic(long seed) {
        return new Traffic(seed);
    }

    /// Made to collide: a handful of authors and seconds, ties, versions, deletions by id and address (also of others'
    /// events and of what is not there), requests to vanish, expirations, private kinds, in any order of time.
    static Corpus tangle(long seed) {
        return new Tangle(seed);
    }

    /// Notes without tags by `authors` authors who take turns, one a second from `begin` (seconds) on.
    static Corpus plain(long seed, int authors, long begin) {
        return new Plain(seed, authors, begin);
    }

    /// Writes the first `count` events of [#traffic] as JSON lines.
    static void writeJsonLines(Path file, int count, long seed) throws IOException {
        Corpus corpus = traffic(seed);
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 18)) {
            for (int i = 0; i < count; i++) {
                Event event = corpus.next();
                byte[] line = new byte[event.jsonLength() + 1];
                event.copyJson(line, 0);
                line[line.length - 1] = '\n';
                out.write(line);
            }
        }
    }
}
