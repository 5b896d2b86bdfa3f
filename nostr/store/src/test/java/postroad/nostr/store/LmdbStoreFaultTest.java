package postroad.nostr.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import postroad.nostr.core.Event;

/// What happens when the disk is full, or fails.
class LmdbStoreFaultTest {
    private static final String NO_ROOM = "error: the disk is almost full";

    @TempDir
    Path folder;

    private final Events events = new Events();

    @Test
    void refusesNewEventsButNoDeletionsBelowTheReserve() {
        Event note = events.note(1, 1);
        try (LmdbStore store = LmdbStore.open(LmdbStoreTest.options(folder))) {
            Asking.write(store, 0, note);
        }
        StoreOptions options = new StoreOptions(folder, 1L << 30, Long.MAX_VALUE, Set.of(), true, false);
        try (LmdbStore store = LmdbStore.open(options)) {
            assertThat(store.info().writable()).isFalse();
            assertThat(store.info().state()).contains("almost full");

            List<WriteOutcome> outcomes = Asking.write(
                            store, 0, List.of(events.note(1, 2), note, events.deletion(1, 3, note), events.note(1, 4)))
                    .outcomes();

            assertThat(reason(outcomes.get(0))).startsWith(NO_ROOM);
            assertThat(outcomes.get(1)).isEqualTo(new WriteOutcome.Duplicate());
            assertThat(outcomes.get(2)).isEqualTo(new WriteOutcome.Stored(2));
            assertThat(reason(outcomes.get(3))).startsWith(NO_ROOM);
            assertThat(Asking.contents(store)).hasSize(1);
        }
    }

    @Test
    void goesOnReadingOnAFullDiskAndWritesAgainWhenThereIsRoom() throws Exception {
        Path mount = Files.createDirectory(folder.resolve("mount"));
        assumeTrue(
                LmdbStoreFolderTest.run("mount", "-t", "tmpfs", "-o", "size=8m", "none", mount.toString()),
                "no tmpfs can be mounted");
        Path ballast = mount.resolve("ballast");
        Files.write(ballast, new byte[4 << 20]);
        StoreOptions options = new StoreOptions(mount.resolve("store"), 1L << 30, 0, Set.of(), true, false);
        try (LmdbStore store = LmdbStore.open(options)) {
            List<Event> stored = fill(store, "error: the disk is full");

            assertThat(stored).isNotEmpty();
            assertThat(Asking.ids(store, "{}", 0)).hasSameSizeAs(stored);
            assertThat(store.verify().problems()).isEmpty();
            Files.delete(ballast);
            assertThat(Asking.write(store, 0, note(9_000_000))).isInstanceOf(WriteOutcome.Stored.class);
            assertThat(store.info().state()).isEqualTo("ok");
        } finally {
            LmdbStoreFolderTest.run("umount", mount.toString());
        }
    }

    @Test
    void refusesNewEventsWhenTheFileHasItsFullSizeUntilSomeAreDeleted() {
        StoreOptions options = new StoreOptions(folder, 2 << 20, 0, Set.of(), false, false);
        try (LmdbStore store = LmdbStore.open(options)) {
            List<Event> stored = fill(store, "error: the store has reached its size");

            assertThat(Asking.ids(store, "{}", 0)).hasSameSizeAs(stored);
            assertThat(store.info().writable()).isFalse();
            int deleted = 0;
            while (!store.info().writable() && deleted < stored.size()) {
                assertThat(Asking.write(store, 0, events.deletion(1, 1, stored.get(deleted++))))
                        .isInstanceOf(WriteOutcome.Stored.class);
            }
            assertThat(Asking.write(store, 0, note(9_000_000))).isInstanceOf(WriteOutcome.Stored.class);
            assertThat(store.verify().problems()).isEmpty();
        }
    }

    @Test
    void letsNoOtherEventOfABatchSufferFromOneThatFails() {
        Event broken = events.note(1, 1);
        try (LmdbStore store = LmdbStore.open(LmdbStoreTest.options(folder))) {
            Asking.write(store, 0, broken);
        }
        dropRecord(1);
        try (LmdbStore store = LmdbStore.open(LmdbStoreTest.options(folder))) {
            List<WriteOutcome> outcomes = Asking.write(
                            store,
                            0,
                            List.of(note(2), events.deletion(1, 9, broken), note(3), events.deletion(1, 9, broken)))
                    .outcomes();

            assertThat(outcomes.get(0)).isEqualTo(new WriteOutcome.Stored(2));
            assertThat(reason(outcomes.get(1))).startsWith("error: ");
            assertThat(outcomes.get(2)).isEqualTo(new WriteOutcome.Stored(3));
            assertThat(reason(outcomes.get(3))).startsWith("error: ");
            assertThat(Asking.ids(store, "{}", 0)).hasSize(2);
        }
    }

    /// Damages a store in a way that only a bug could.
    private void dropRecord(long sequence) {
        try (Environment environment = Environment.open(folder, 0, 1 << 20);
                WriteTransaction transaction = new WriteTransaction(environment)) {
            transaction.begin();
            environment.openTables(transaction, false);
            assertThat(transaction.delete(Table.EVENT, Keys.number(sequence))).isTrue();
            transaction.commit();
        }
    }

    @ParameterizedTest
    @CsvSource({"sync, 5", "meta, 5", "meta, 28"})
    void writesNoMoreAfterAFailedSyncButGoesOnReading(String what, String error) throws Exception {
        Path shim = folder.resolve("failsync.so");
        Path source = Path.of("src/test/native/failsync.c").toAbsolutePath();
        assumeTrue(
                System.getProperty("os.name").equals("Linux")
                        && LmdbStoreFolderTest.run(
                                "cc", "-shared", "-fPIC", "-O1", "-o", shim.toString(), source.toString(), "-ldl"),
                "no C compiler");
        Path store = folder.resolve("store");
        Path trigger = folder.resolve("fail");
        List<String> environment =
                List.of("LD_PRELOAD=" + shim, "FAIL_TRIGGER=" + trigger, "FAIL_WHAT=" + what, "FAIL_ERROR=" + error);
        try (StoreProcess other = StoreProcess.start("fail", store, environment)) {
            assertThat(other.line()).isEqualTo("first Stored[sequence=1]");
            other.say(trigger.toString());

            assertThat(other.line()).startsWith("second Failed[reason=error: writing failed");
            assertThat(other.line()).startsWith("third Failed[reason=error: writing failed");
            assertThat(other.line()).isEqualTo("rows 1");
            assertThat(other.line()).startsWith("state false writing failed");
            assertThat(other.line()).isEqualTo("backup 1");
            assertThat(other.line()).isEmpty();
        }
        try (LmdbStore again = LmdbStore.open(LmdbStoreTest.options(store))) {
            assertThat(again.verify().problems()).isEmpty();
            assertThat(Asking.ids(again, "{}", 0)).isNotEmpty();
            assertThat(Asking.write(again, 0, note(5))).isInstanceOf(WriteOutcome.Stored.class);
        }
    }

    /// Writes until an event is refused for this reason, and returns what was stored.
    private List<Event> fill(LmdbStore store, String expected) {
        List<Event> stored = new ArrayList<>();
        for (int time = 1; time < 20_000; time++) {
            Event note = note(time);
            WriteOutcome outcome = Asking.write(store, 0, note);
            if (outcome instanceof WriteOutcome.Failed(String reason)) {
                assertThat(reason).startsWith(expected);
                return stored;
            }
            stored.add(note);
        }
        throw new AssertionError("never full");
    }

    private Event note(long time) {
        return events.event(1, time, 1, time + "x".repeat(3000));
    }

    private static String reason(WriteOutcome outcome) {
        return ((WriteOutcome.Failed) outcome).reason();
    }
}
