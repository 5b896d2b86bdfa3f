package postroad.lab.crash;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Collectors;
import postroad.nostr.core.Event;
import postroad.nostr.core.VerifiedEvent;
import postroad.nostr.kit.Corpus;
import postroad.nostr.store.EventStore;
import postroad.nostr.store.LmdbStore;
import postroad.nostr.store.StoreOptions;
import postroad.nostr.store.WriteOutcome;

/// A process that writes three batches to a store, the second one on a disk that fails, and says what
/// became of each: `stored`, or the reason. Then it says how many events it can still read. Arguments: the
/// store's folder, the file for marks, the fault (`!sync`, `!meta` or `!write`). Runs under the [Recorder],
/// which makes the fault.
public final class FaultyDisk {
    /// Events of one batch.
    public static final int BATCH = 20;

    private static final long SEED = 77;

    private FaultyDisk() {}

    public static void main(String[] args) throws IOException {
        PrintStream out = new PrintStream(System.out, true, UTF_8);
        Corpus corpus = notes();
        try (FileChannel marks = FileChannel.open(
                        Path.of(args[1]),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.APPEND);
                EventStore store = LmdbStore.open(StoreOptions.at(Path.of(args[0])))) {
            out.println("first " + write(store, corpus.take(BATCH)));
            marks.write(ByteBuffer.wrap(args[2].getBytes(UTF_8)));
            out.println("second " + write(store, corpus.take(BATCH)));
            out.println("third " + write(store, corpus.take(BATCH)));
            out.println("readable " + PowerLoss.content(store).size());
        }
    }

    /// The events of the batches, one after another: all of regular kinds, so that each one stays.
    public static Corpus notes() {
        Corpus traffic = Corpus.traffic(SEED);
        return () -> {
            Event event = traffic.next();
            while (event.kind() != 1) {
                event = traffic.next();
            }
            return event;
        };
    }

    private static String write(EventStore store, List<Event> events) {
        List<VerifiedEvent> batch =
                events.stream().map(VerifiedEvent::unchecked).toList();
        return store.write(batch, StoreWriter.NOW).outcomes().stream()
                .map(FaultyDisk::word)
                .distinct()
                .collect(Collectors.joining(" | "));
    }

    private static String word(WriteOutcome outcome) {
        return switch (outcome) {
            case WriteOutcome.Stored ignored -> "stored";
            case WriteOutcome.Failed(String reason) -> reason;
            default -> outcome.toString();
        };
    }
}
