package postroad.lab.crash;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import postroad.nostr.core.VerifiedEvent;
import postroad.nostr.kit.Corpus;
import postroad.nostr.store.EventStore;
import postroad.nostr.store.LmdbStore;
import postroad.nostr.store.StoreOptions;
import postroad.nostr.store.WriteResult;

/// A process that writes a [Workload] to a store and says after each batch that it is acknowledged: the one
/// that is recorded. Arguments: the store's folder, the file for marks, the seed, how many batches, whether
/// it syncs.
public final class StoreWriter {
    /// The time at which everything is written, in seconds: nothing of the workload has expired then.
    static final long NOW = Corpus.BEGIN;

    private static final int BATCHES_PER_LIFE = 25;

    private StoreWriter() {}

    public static void main(String[] args) throws IOException {
        Workload workload = new Workload(Long.parseLong(args[2]));
        int batches = Integer.parseInt(args[3]);
        StoreOptions options = options(Path.of(args[0]), Boolean.parseBoolean(args[4]));
        try (FileChannel marks = FileChannel.open(
                Path.of(args[1]), StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
            for (int written = 0; written < batches; written += BATCHES_PER_LIFE) {
                writeOneLife(options, workload, Math.min(BATCHES_PER_LIFE, batches - written), marks);
            }
        }
    }

    /// Opens the store, writes, and closes it: what opening and closing write is recorded, too.
    private static void writeOneLife(StoreOptions options, Workload workload, int batches, FileChannel marks)
            throws IOException {
        try (EventStore store = LmdbStore.open(options)) {
            for (int i = 0; i < batches; i++) {
                List<VerifiedEvent> batch =
                        workload.next().stream().map(VerifiedEvent::unchecked).toList();
                WriteResult result = store.write(batch, NOW);
                marks.write(ByteBuffer.wrap(Long.toString(result.sequence()).getBytes(UTF_8)));
            }
        }
    }

    private static StoreOptions options(Path folder, boolean durable) {
        StoreOptions options = StoreOptions.at(folder);
        return new StoreOptions(
                folder, options.mapBytes(), options.reserveBytes(), options.ownUrls(), durable, options.readOnly());
    }
}
