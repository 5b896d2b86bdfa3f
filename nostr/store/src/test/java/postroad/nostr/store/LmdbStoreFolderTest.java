package postroad.nostr.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import postroad.common.lmdb.Lmdb;
import postroad.nostr.core.Event;

/// What may be wrong with a folder when a store is opened, and what the user is told.
class LmdbStoreFolderTest {
    @TempDir
    Path folder;

    private final Events events = new Events();

    @Test
    void tellsASecondProcessWhoHasTheStoreOpen() throws Exception {
        try (StoreProcess other = StoreProcess.start("hold", folder.resolve("store"), List.of())) {
            assertThat(other.line()).isEqualTo("open");

            assertThatThrownBy(() -> LmdbStore.open(LmdbStoreTest.options(folder.resolve("store"))))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("open in process " + other.pid());
            assertThatThrownBy(() -> LmdbStore.open(readOnly(folder.resolve("store"))))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("open in process " + other.pid());

            other.kill();
            LmdbStore.open(LmdbStoreTest.options(folder.resolve("store"))).close();
        }
    }

    @Test
    void isRefusedToASecondProcess() throws Exception {
        try (LmdbStore store = LmdbStore.open(LmdbStoreTest.options(folder));
                StoreProcess other = StoreProcess.start("hold", folder, List.of())) {
            assertThat(other.line())
                    .startsWith("refused")
                    .contains("open in process " + ProcessHandle.current().pid());
            assertThat(store.sequence()).isZero();
        }
    }

    @Test
    void tellsThatThisProcessHasTheStoreOpenAlready() {
        try (LmdbStore store = LmdbStore.open(LmdbStoreTest.options(folder))) {
            assertThatThrownBy(() -> LmdbStore.open(LmdbStoreTest.options(folder)))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("this process already");
            assertThat(Asking.write(store, 0, events.note(1, 1))).isInstanceOf(WriteOutcome.Stored.class);
        }
    }

    /// A descriptor that this process closes takes its lock along (POSIX); a refused opening must not have one.
    @Test
    void keepsTheLockWhenASecondOpeningInThisProcessWasRefused() throws Exception {
        try (LmdbStore store = LmdbStore.open(LmdbStoreTest.options(folder))) {
            assertThatThrownBy(() -> LmdbStore.open(readOnly(folder))).isInstanceOf(StoreException.class);
            assertThatThrownBy(() -> LmdbStore.open(LmdbStoreTest.options(folder)))
                    .isInstanceOf(StoreException.class);

            try (StoreProcess other = StoreProcess.start("hold", folder, List.of())) {
                assertThat(other.line()).startsWith("refused");
            }
            assertThat(store.sequence()).isZero();
        }
    }

    @Test
    void holdsWhatWasAcknowledgedBeforeAKill() throws Exception {
        Random random = new Random(9);
        Path place = folder.resolve("store");
        List<String> acknowledged = new ArrayList<>();
        for (int round = 0; round < 4; round++) {
            try (StoreProcess writer = StoreProcess.start("write", place, List.of())) {
                assertThat(writer.line()).isEqualTo("open");
                for (int i = 20 + random.nextInt(400); i > 0; i--) {
                    acknowledged.add(writer.line());
                }
                acknowledged.addAll(writer.kill());
            }
            acknowledged.removeIf(id -> id.length() != 64);
            try (LmdbStore store = LmdbStore.open(LmdbStoreTest.options(place))) {
                assertThat(store.verify().problems()).isEmpty();
                assertThat(Asking.ids(store, "{}", 0)).containsAll(acknowledged);
            }
        }
    }

    @Test
    void refusesANewerFormatAndNamesBoth() {
        LmdbStore.open(LmdbStoreTest.options(folder)).close();
        try (Environment environment = Environment.open(folder, 0, 1 << 20);
                WriteTransaction transaction = new WriteTransaction(environment)) {
            transaction.begin();
            environment.openTables(transaction, false);
            transaction.put(Table.META, Keys.FORMAT, 7);
            transaction.commit();
        }

        assertThatThrownBy(() -> LmdbStore.open(LmdbStoreTest.options(folder)))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("format 7")
                .hasMessageContaining("up to 1");
    }

    @Test
    void refusesWhatIsNoStore() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "text");
        Path text = Files.createDirectory(folder.resolve("text"));
        Files.writeString(text.resolve("data.mdb"), "once upon a time ".repeat(1000));
        Path shorter = Files.createDirectory(folder.resolve("shorter"));
        Files.writeString(shorter.resolve("data.mdb"), "once");

        assertRefused(file, "is a file");
        assertRefused(text, "is not a Postroad store");
        assertRefused(shorter, "is not a Postroad store");
        assertRefused(foreign(), "not a Postroad store");
        assertThatThrownBy(() -> LmdbStore.open(readOnly(folder.resolve("absent"))))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("there is no store");
        assertThat(folder.resolve("absent")).doesNotExist();
    }

    /// LMDB's file, but somebody else's.
    private Path foreign() throws IOException {
        Path place = Files.createDirectory(folder.resolve("foreign"));
        try (Environment environment = Environment.open(place, 0, 1 << 20);
                WriteTransaction transaction = new WriteTransaction(environment)) {
            transaction.begin();
            Lmdb.dbiOpen(transaction.handle(), "somebody's", Lmdb.CREATE, transaction.data());
            transaction.commit();
        }
        return place;
    }

    private static void assertRefused(Path place, String words) {
        assertThatThrownBy(() -> LmdbStore.open(LmdbStoreTest.options(place)))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining(words)
                .hasMessageContaining(place.toString());
    }

    @Test
    void makesAStoreAnewThatACrashLeftHalfMade() throws Exception {
        Files.createDirectories(folder.resolve("new"));
        Files.writeString(folder.resolve("new/data.mdb"), "half");

        try (LmdbStore store = LmdbStore.open(LmdbStoreTest.options(folder))) {
            assertThat(store.sequence()).isZero();
            assertThat(folder.resolve("new")).doesNotExist();
        }
    }

    @Test
    void refusesABackupThatACrashLeftHalfMade() throws Exception {
        Files.createDirectories(folder.resolve("unfinished-backup"));

        assertRefused(folder, "backup that was not finished");
    }

    @Test
    void keepsBackupsFromOtherUsers() throws Exception {
        try (LmdbStore store = LmdbStore.open(LmdbStoreTest.options(folder.resolve("store")))) {
            store.backup(folder.resolve("copy"));
        }

        for (String place : List.of("store", "copy")) {
            assertThat(Files.getPosixFilePermissions(folder.resolve(place).resolve("data.mdb")))
                    .containsExactlyInAnyOrder(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
        }
    }

    @Test
    void leavesNothingOfABackupThatFailed() throws Exception {
        Path mount = Files.createDirectory(folder.resolve("mount"));
        assumeTrue(run("mount", "-t", "tmpfs", "-o", "size=64k", "none", mount.toString()), "no tmpfs can be mounted");
        try (LmdbStore store = LmdbStore.open(LmdbStoreTest.options(folder.resolve("store")))) {
            write(store, 500);

            assertThatThrownBy(() -> store.backup(mount.resolve("copy")))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("backup to " + mount.resolve("copy"))
                    .hasMessageContaining("No space left");
            assertThat(mount).isEmptyDirectory();
            assertThat(store.backup(folder.resolve("copy"))).isEqualTo(500);
        } finally {
            run("umount", mount.toString());
        }
    }

    @Test
    void servesACopyOfAnOpenStoreThatProvesWhole() throws Exception {
        Path copy = folder.resolve("copy");
        try (LmdbStore store = LmdbStore.open(LmdbStoreTest.options(folder.resolve("store")))) {
            Asking.write(store, 0, List.of(events.note(1, 1), events.event(1, 2, 0)));
            copyFolder(folder.resolve("store"), copy);
        }

        try (LmdbStore store = LmdbStore.open(LmdbStoreTest.options(copy))) {
            assertThat(Asking.contents(store)).hasSize(2);
        }
    }

    @Test
    void neverServesATornCopyOfAnOpenStore() throws Exception {
        Random random = new Random(3);
        int refused = 0;
        int served = 0;
        Path early = folder.resolve("early");
        Path late = folder.resolve("late");
        try (LmdbStore store = LmdbStore.open(LmdbStoreTest.options(folder.resolve("store")))) {
            write(store, 400);
            copyFolder(folder.resolve("store"), early);
            write(store, 40);
            copyFolder(folder.resolve("store"), late);
        }
        for (int i = 0; i < 40; i++) {
            Path mixed = folder.resolve("mixed" + i);
            copyFolder(late, mixed);
            takePages(early.resolve("data.mdb"), mixed.resolve("data.mdb"), 1 + random.nextInt(30), random);
            try (LmdbStore store = LmdbStore.open(LmdbStoreTest.options(mixed))) {
                assertThat(store.verify().problems()).isEmpty();
                assertThat(Asking.contents(store)).hasSizeBetween(400, 440);
                served++;
            } catch (StoreException e) {
                assertThat(e).hasMessageContaining("copied while it was in use").hasMessageContaining("torn");
                refused++;
            }
        }
        assertThat(refused).isPositive();
        assertThat(served).isPositive();
    }

    @Test
    void neverCrashesOnACopyWithDamagedPages() throws Exception {
        Random random = new Random(4);
        Path copy = folder.resolve("copy");
        try (LmdbStore store = LmdbStore.open(LmdbStoreTest.options(folder.resolve("store")))) {
            write(store, 300);
            copyFolder(folder.resolve("store"), copy);
        }
        int refused = 0;
        for (int i = 0; i < 60; i++) {
            Path damaged = folder.resolve("damaged" + i);
            copyFolder(copy, damaged);
            damage(damaged.resolve("data.mdb"), random);
            try {
                LmdbStore.open(LmdbStoreTest.options(damaged)).close();
            } catch (StoreException e) {
                refused++;
            }
        }
        assertThat(refused).isGreaterThan(30);
    }

    @Test
    void neverTakesAStoreThatHasLostItsFileForANewOne() throws Exception {
        for (String rest : List.of("open", "lock.mdb")) {
            Path gone = Files.createDirectory(folder.resolve("gone-" + rest));
            Files.createFile(gone.resolve(rest));
            assertLost(gone, "data.mdb is gone");
        }
        Path alone = Files.createDirectory(folder.resolve("alone"));
        Files.createFile(alone.resolve("data.mdb"));
        assertLost(alone, "data.mdb is empty");

        Path store = folder.resolve("store");
        LmdbStore.open(LmdbStoreTest.options(store)).close();
        Files.write(store.resolve("data.mdb"), new byte[0]);
        assertLost(store, "data.mdb is empty");
        Files.delete(store.resolve("data.mdb"));
        assertLost(store, "data.mdb is gone");
    }

    private static void assertLost(Path place, String words) {
        for (StoreOptions options : List.of(LmdbStoreTest.options(place), readOnly(place))) {
            assertThatThrownBy(() -> LmdbStore.open(options))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining(words)
                    .hasMessageContaining("put a backup in its place")
                    .hasMessageContaining(place.toString());
        }
        assertThat(place.resolve("new")).doesNotExist();
    }

    @Test
    void refusesAFileThatWasCutOffAtAnyPlace() throws Exception {
        Random random = new Random(8);
        try (LmdbStore store = LmdbStore.open(LmdbStoreTest.options(folder.resolve("store")))) {
            write(store, 300);
        }
        long size = Files.size(folder.resolve("store/data.mdb"));
        for (int i = 0; i < 40; i++) {
            Path cut = Files.createDirectory(folder.resolve("cut" + i));
            Files.copy(folder.resolve("store/data.mdb"), cut.resolve("data.mdb"));
            try (FileChannel channel = FileChannel.open(cut.resolve("data.mdb"), StandardOpenOption.WRITE)) {
                channel.truncate(i < 4 ? i : random.nextLong(size));
            }
            assertThatThrownBy(() -> LmdbStore.open(LmdbStoreTest.options(cut)))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining(cut.toString());
        }
    }

    @Test
    void checksAFileThatIsLongerThanItSaysUnlessItsProcessCrashed() throws Exception {
        Path alone = Files.createDirectory(folder.resolve("alone"));
        Path store = folder.resolve("store");
        try (LmdbStore open = LmdbStore.open(LmdbStoreTest.options(store))) {
            write(open, 300);
        }
        assertSuspicion(store, "");

        Files.copy(store.resolve("data.mdb"), alone.resolve("data.mdb"));
        Files.write(alone.resolve("data.mdb"), new byte[8192], StandardOpenOption.APPEND);
        assertSuspicion(alone, "may have been copied while it was in use");
        try (LmdbStore open = LmdbStore.open(LmdbStoreTest.options(alone))) {
            assertThat(open.sequence()).isEqualTo(300);
            assertSuspicion(alone, "");
        }
        damage(alone.resolve("data.mdb"), new Random(2));
        assertRefused(alone, "torn");
    }

    private static void assertSuspicion(Path place, String words) {
        assertThat(Opening.suspicion(new StoreFolder(place, true)).orElse("")).isEqualTo(words);
    }

    @Test
    void tellsThatAFolderCannotBeWrittenAndReadsItAllTheSame() throws Exception {
        Path mount = Files.createDirectory(folder.resolve("mount"));
        assumeTrue(run("mount", "-t", "tmpfs", "-o", "size=16m", "none", mount.toString()), "no tmpfs can be mounted");
        try {
            Path place = mount.resolve("store");
            try (LmdbStore store = LmdbStore.open(LmdbStoreTest.options(place))) {
                Asking.write(store, 0, events.note(1, 1));
            }
            assertThat(run("mount", "-o", "remount,ro", mount.toString())).isTrue();

            assertThatThrownBy(() -> LmdbStore.open(LmdbStoreTest.options(place)))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("can't be written")
                    .hasMessageContaining(place.toString());
            try (LmdbStore store = LmdbStore.open(readOnly(place))) {
                assertThat(Asking.ids(store, "{}", 0)).hasSize(1);
                assertThat(Asking.write(store, 0, events.note(1, 2)))
                        .isEqualTo(new WriteOutcome.Failed("error: the store is open for reading only"));
                assertThat(store.removeExpired(5, 5)).isZero();
                assertThat(store.info().writable()).isFalse();
                assertThat(store.info().state()).contains("reading only");
            }
        } finally {
            run("umount", mount.toString());
        }
    }

    @Test
    void tellsWhoHasNoRightToWrite() throws Exception {
        LmdbStore.open(LmdbStoreTest.options(folder)).close();
        assumeTrue(!System.getProperty("user.name").equals("root"), "root may write everywhere");
        Set<PosixFilePermission> before = Files.getPosixFilePermissions(folder);
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("r-xr-xr-x"));
        try {
            assertRefused(folder, "can't be written");
            try (LmdbStore store = LmdbStore.open(readOnly(folder))) {
                assertThat(store.sequence()).isZero();
            }
        } finally {
            Files.setPosixFilePermissions(folder, before);
        }
    }

    @Test
    void takesLessAddressSpaceWhenTheSystemHasNotSoMuch() {
        StoreOptions options = new StoreOptions(folder, 1L << 50, 0, Set.of(), false, false);

        try (LmdbStore store = LmdbStore.open(options)) {
            assertThat(store.info().mapBytes()).isLessThan(1L << 48);
            assertThat(Asking.write(store, 0, events.note(1, 1))).isInstanceOf(WriteOutcome.Stored.class);
        }
    }

    @Test
    void findsWhatDoesNotFitTogether() {
        try (LmdbStore store = LmdbStore.open(LmdbStoreTest.options(folder))) {
            Asking.write(store, 0, List.of(events.note(1, 1), events.note(1, 2)));
            assertThat(store.verify()).isEqualTo(new StoreCheck.Report(2, List.of()));
        }
        try (Environment environment = Environment.open(folder, 0, 1 << 20);
                WriteTransaction transaction = new WriteTransaction(environment)) {
            transaction.begin();
            environment.openTables(transaction, false);
            transaction.first(Table.AUTHOR);
            byte[] key = Keys.copy(transaction.keyAddress(), transaction.keyLength());
            transaction.delete(Table.AUTHOR, key);
            transaction.put(
                    Table.TOMBSTONE,
                    Keys.goneAuthor(events.author(1).publicKey().bytes()),
                    1);
            transaction.commit();
        }

        try (LmdbStore store = LmdbStore.open(LmdbStoreTest.options(folder))) {
            assertThat(store.verify().problems())
                    .containsExactlyInAnyOrder(
                            "record 2 is not in the table author",
                            "record 1 is of or to an author who has vanished",
                            "the table author has 1 keys where records ask for 2");
        }
    }

    private void write(LmdbStore store, int count) {
        List<Event> batch = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            batch.add(events.note(i % 7, 1000 + i));
        }
        Asking.batches(batch, 50, new Random(1)).forEach(part -> Asking.write(store, 0, part));
    }

    static StoreOptions readOnly(Path place) {
        return new StoreOptions(place, 1L << 30, 0, Set.of(), true, true);
    }

    private static void copyFolder(Path from, Path to) throws IOException {
        Files.createDirectories(to);
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    /// Overwrites pages of one file by the other's of the same place, as a copy in the midst of writing would.
    private static void takePages(Path from, Path to, int pages, Random random) throws IOException {
        try (FileChannel source = FileChannel.open(from, StandardOpenOption.READ);
                FileChannel target = FileChannel.open(to, StandardOpenOption.WRITE)) {
            long count = source.size() / 4096;
            for (int i = 0; i < pages; i++) {
                long at = 4096L * random.nextLong(count);
                ByteBuffer page = ByteBuffer.allocate(4096);
                source.read(page, at);
                target.write(page.flip(), at);
            }
        }
    }

    /// Overwrites some bytes within the heads of some pages behind the first two, or cuts the file.
    private static void damage(Path file, Random random) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            long count = channel.size() / 4096;
            if (random.nextInt(10) == 0) {
                channel.truncate(4096 * (2 + random.nextLong(count - 2)));
                return;
            }
            for (int i = 0; i < 25; i++) {
                byte[] noise = new byte[1 + random.nextInt(8)];
                random.nextBytes(noise);
                channel.write(ByteBuffer.wrap(noise), 4096 * (2 + random.nextLong(count - 2)) + random.nextInt(300));
            }
        }
    }

    static boolean run(String... command) throws IOException, InterruptedException {
        try {
            return new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void advisesWhatHelpsAgainstTheReason() {
        assertThat(StoreFolder.remedy("No space left on device")).contains("make room");
        assertThat(StoreFolder.remedy("Disk quota exceeded")).contains("make room");
        assertThat(StoreFolder.remedy("permission denied")).contains("write access");
    }

    @Test
    void givesWhatRootMakesToTheOwnerOfTheHome() throws Exception {
        assumeTrue(System.getProperty("user.name").equals("root"), "only root may give files away");
        Files.setAttribute(folder, "unix:uid", 65_534);
        UserPrincipal owner = Files.getOwner(folder);
        Path place = folder.resolve("store");

        try (LmdbStore _ = LmdbStore.open(LmdbStoreTest.options(place))) {
            assertThat(owners(place)).containsOnlyKeys("", "data.mdb", "lock", "lock.mdb", "open");
            assertThat(owners(place).values()).containsOnly(owner);
        }
        Files.delete(place.resolve("lock"));
        Files.delete(place.resolve("lock.mdb"));
        LmdbStore.open(LmdbStoreTest.options(place)).close();

        assertThat(owners(place).values()).containsOnly(owner);
    }

    @Test
    void givesTheLockAwayEvenWhenTheStoreCannotBeOpened() throws Exception {
        assumeTrue(System.getProperty("user.name").equals("root"), "only root may give files away");
        Files.writeString(folder.resolve("data.mdb"), "no store");
        Files.setAttribute(folder, "unix:uid", 65_534);

        assertThatThrownBy(() -> LmdbStore.open(LmdbStoreTest.options(folder))).isInstanceOf(StoreException.class);

        assertThat(Files.getOwner(folder.resolve("lock"))).isEqualTo(Files.getOwner(folder));
        assertThat(Files.getOwner(folder.resolve("data.mdb"))).isNotEqualTo(Files.getOwner(folder));
    }

    @Test
    void namesAFileThatTheUserMayNotWriteAndItsOwner() throws Exception {
        assumeTrue(!System.getProperty("user.name").equals("root"), "root may write everywhere");
        LmdbStore.open(LmdbStoreTest.options(folder)).close();
        for (String name : List.of("lock", "lock.mdb", "data.mdb")) {
            Path file = folder.resolve(name);
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--r--r--"));

            assertThatThrownBy(() -> LmdbStore.open(LmdbStoreTest.options(folder)))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining(file + ": permission denied; it belongs to " + Files.getOwner(file))
                    .message()
                    .matches(text -> text.contains("or delete it") == name.startsWith("lock"));
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        }
    }

    private static Map<String, UserPrincipal> owners(Path folder) throws IOException {
        Map<String, UserPrincipal> owners = new HashMap<>();
        owners.put("", Files.getOwner(folder));
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                owners.put(file.getFileName().toString(), Files.getOwner(file));
            }
        }
        return owners;
    }
}
