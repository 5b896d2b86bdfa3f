package postroad.lab.crash;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import postroad.nostr.core.Event;
import postroad.nostr.core.EventDraft;
import postroad.nostr.core.Signer;
import postroad.nostr.kit.Corpus;
import postroad.nostr.kit.Keys;

/// An endless sequence of batches for a store, the same for the same seed: real traffic, events that
/// collide in every way, and now and then one that is large. Owned by one thread.
final class Workload {
    private static final int LARGEST_BATCH = 40;
    private static final int LARGEST_EVENT = 300_000;

    private final Random random;
    private final Corpus traffic;
    private final Corpus tangle;
    private final Signer writer;

    Workload(long seed) {
        random = new Random(seed);
        traffic = Corpus.traffic(seed);
        tangle = Corpus.tangle(seed + 1);
        writer = new Keys(seed + 2).signer(0);
    }

    /// The next batch, often a single event, as a quiet relay writes them.
    List<Event> next() {
        int size = random.nextInt(3) == 0 ? 1 : 1 + random.nextInt(LARGEST_BATCH);
        List<Event> batch = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            batch.add(event(random.nextInt(100)));
        }
        return batch;
    }

    private Event event(int dice) {
        if (dice < 2) {
            int length = 10_000 + random.nextInt(LARGEST_EVENT);
            return writer.sign(
                    new EventDraft(Corpus.BEGIN + random.nextInt(1_000_000), 1, List.of(), "long ".repeat(length / 5)));
        }
        return dice < 60 ? traffic.next() : tangle.next();
    }
}
