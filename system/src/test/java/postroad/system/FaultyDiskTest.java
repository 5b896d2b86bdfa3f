package postroad.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import postroad.lab.crash.FaultyDisk;
import postroad.lab.crash.Recorder;
import postroad.lab.process.Child;
import postroad.lab.process.Jvm;
import postroad.nostr.store.LmdbStore;
import postroad.nostr.store.StoreOptions;

/// The store on a disk whose calls fail.
final class FaultyDiskTest {
    @TempDir
    private static Path shared;

    private static Recorder recorder;

    @TempDir
    private Path folder;

    @BeforeAll
    static void compile() throws Exception {
        Optional<Recorder> compiled = Recorder.compile(shared);
        assumeTrue(compiled.isPresent(), "no C compiler here: faults of the disk cannot be made");
        recorder = compiled.orElseThrow();
    }

    @Test
    void aFailedSyncEndsWritingUntilARestartWhileReadsGoOn() throws Exception {
        List<String> said = run("!sync");

        assertThat(said.get(0)).isEqualTo("first stored");
        assertThat(said.get(1)).startsWith("second error: ");
        assertThat(said.get(2)).startsWith("third error: ");
        assertThat(said.get(3)).isEqualTo("readable " + FaultyDisk.BATCH);
        demandSoundWith(1);
    }

    @Test
    void aFailedWriteOfTheMetaPageEndsWritingUntilARestartWhileReadsGoOn() throws Exception {
        List<String> said = run("!meta");

        assertThat(said.get(0)).isEqualTo("first stored");
        assertThat(said.get(1)).startsWith("second error: ");
        assertThat(said.get(2)).startsWith("third error: ");
        assertThat(said.get(3)).isEqualTo("readable " + FaultyDisk.BATCH);
        demandSoundWith(1);
    }

    @Test
    void aFullDiskRefusesOneBatchAndPassesWithoutARestart() throws Exception {
        List<String> said = run("!write");

        assertThat(said.get(0)).isEqualTo("first stored");
        assertThat(said.get(1)).startsWith("second error: ");
        assertThat(said.get(2)).isEqualTo("third stored");
        assertThat(said.get(3)).isEqualTo("readable " + 2 * FaultyDisk.BATCH);
        demandSoundWith(2);
    }

    private List<String> run(String fault) throws IOException, InterruptedException {
        Path marks = folder.resolve("marks");
        ProcessBuilder builder = new ProcessBuilder(Jvm.command(
                List.of("-Xmx128m"),
                FaultyDisk.class.getName(),
                List.of(folder.resolve("store").toString(), marks.toString(), fault)));
        recorder.preload(builder, folder.resolve("store"), folder.resolve("log"), marks);
        List<String> said = new ArrayList<>();
        try (Child child = Child.start(builder)) {
            for (String word : List.of("first", "second", "third", "readable")) {
                said.add(word + child.awaitLine(word, Duration.ofSeconds(60)));
            }
            assertThat(child.await(Duration.ofSeconds(60))).as(child.talk()).isZero();
        }
        return said;
    }

    private void demandSoundWith(int batches) {
        try (LmdbStore store = LmdbStore.open(StoreOptions.at(folder.resolve("store")))) {
            assertThat(store.verify().problems()).isEmpty();
            assertThat(store.info().events()).isEqualTo((long) batches * FaultyDisk.BATCH);
            assertThat(store.info().writable()).isTrue();
        }
    }
}
