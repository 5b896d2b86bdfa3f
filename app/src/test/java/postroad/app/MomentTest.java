package postroad.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import postroad.app.transfer.ExportSummary;
import postroad.app.transfer.Exporter;
import postroad.nostr.core.Event;
import postroad.nostr.core.EventDraft;
import postroad.nostr.core.Filter;
import postroad.nostr.core.Signer;
import postroad.nostr.core.Tag;
import postroad.nostr.core.VerifiedEvent;
import postroad.nostr.kit.Keys;
import postroad.nostr.kit.ModelStore;
import postroad.nostr.store.EventStore;
import postroad.nostr.store.LmdbStore;
import postroad.nostr.store.StoreOptions;

/// Exports and backups are each of one moment, whatever is written meanwhile: a backup at a sequence number
/// holds what an export at that number says.
class MomentTest {
    private static final int EVENTS = 3_000;
    private static final int ROUNDS = 5;
    private static final long NOW = 2_000_000;

    @TempDir
    private Path folder;

    /// The lines of an export, and as of which number they are.
    private record Taken(long sequence, String lines) {}

    @Test
    void aBackupHoldsWhatAnExportOfTheSameSequenceSays() throws Exception {
        List<Event> events = events();
        ModelStore model = new ModelStore(Set.of());
        int written = 0;
        try (EventStore store = open(folder.resolve("store"));
                ExecutorService writer = Executors.newSingleThreadExecutor()) {
            Future<?> writing = writer.submit(() -> writeEach(store, events));
            List<Taken> taken = new ArrayList<>();
            for (int round = 0; round < ROUNDS; round++) {
                taken.add(export(store));
                taken.add(backup(store, folder.resolve("copy" + round)));
            }
            writing.get();
            Taken last = export(store);
            taken.add(last);

            assertThat(backup(store, folder.resolve("last"))).isEqualTo(last);
            assertThat(last.sequence).isEqualTo(EVENTS);
            for (Taken one : taken) {
                while (written < one.sequence) {
                    model.write(events.get(written++), NOW);
                }
                assertThat(one.lines).as("as of %s", one.sequence).isEqualTo(lines(model));
            }
        }
    }

    /// Notes, profiles that replace each other and deletions, each of which takes a number, so that the number
    /// tells how many of them there were.
    private static List<Event> events() {
        Signer signer = new Keys(5).signer(0);
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < EVENTS; i++) {
            EventDraft draft = switch (i % 4) {
                case 2 -> new EventDraft(1_000 + i, 0, List.of(), "profile " + i);
                case 3 -> deletion(1_000 + i, events.get(i / 4 * 4));
                default -> new EventDraft(1_000 + i, 1, List.of(), "note " + i);
            };
            events.add(signer.sign(draft));
        }
        return events;
    }

    private static EventDraft deletion(long time, Event target) {
        return new EventDraft(time, 5, List.of(Tag.of("e", target.id().hex())), "");
    }

    private static void writeEach(EventStore store, List<Event> events) {
        events.forEach(event -> store.write(List.of(VerifiedEvent.unchecked(event)), NOW));
    }

    private static Taken export(EventStore store) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ExportSummary summary = Exporter.run(store, List.of(Filter.ALL), NOW, out, count -> {});
        return new Taken(summary.sequence(), out.toString(UTF_8));
    }

    private static Taken backup(EventStore store, Path place) throws Exception {
        long sequence = store.backup(place);
        try (EventStore copy = open(place)) {
            Taken taken = export(copy);
            assertThat(taken.sequence).isEqualTo(sequence);
            return taken;
        }
    }

    private static String lines(ModelStore model) {
        StringBuilder lines = new StringBuilder();
        model.query(List.of("{}"), ModelStore.Asker.OPERATOR, NOW)
                .forEach(event -> lines.append(event.json()).append('\n'));
        return lines.toString();
    }

    private static EventStore open(Path place) {
        return LmdbStore.open(new StoreOptions(place, 1L << 30, 0, Set.of(), false, false));
    }
}
