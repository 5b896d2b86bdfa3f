package postroad.nostr.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.stream.Stream;
import postroad.common.lmdb.Lmdb;

/// Copies a store as of one moment, compactly, while it is written to: into a folder of its own first, synced, then
/// moved to its place.
final class Backup {
    private Backup() {}

    /// Copies to `directory`, which is absent or empty, and returns the sequence number in the copy.
    static long of(Environment environment, Path directory) {
        Path target = directory.toAbsolutePath().normalize();
        boolean existed = Files.exists(target);
        try {
            requireEmpty(target);
            Path unfinished = Files.createDirectories(target).resolve(StoreFolder.UNFINISHED_BACKUP);
            try {
                Files.createDirectory(unfinished);
                Environment.check(Lmdb.envCopy(environment.handle(), unfinished.toString(), Lmdb.COMPACT), unfinished);
                long sequence = sequenceIn(unfinished);
                Path file = unfinished.resolve(Environment.DATA_FILE);
                hide(file);
                StoreFolder.sync(file);
                Files.move(file, target.resolve(Environment.DATA_FILE), StandardCopyOption.ATOMIC_MOVE);
                StoreFolder.deleteTree(unfinished);
                StoreFolder.sync(target);
                return sequence;
            } catch (IOException | RuntimeException e) {
                cleanUp(target, existed);
                throw e;
            }
        } catch (IOException e) {
            throw new StoreException("the backup to " + target + " failed: " + e, e);
        } catch (LmdbException e) {
            throw new StoreException("the backup to " + target + " failed: " + Lmdb.text(e.result()), e);
        }
    }

    private static void requireEmpty(Path target) throws IOException {
        if (!Files.exists(target)) {
            return;
        }
        if (!Files.isDirectory(target)) {
            throw new StoreException("the backup needs a folder, and " + target + " is a file");
        }
        try (Stream<Path> entries = Files.list(target)) {
            if (entries.findAny().isPresent()) {
                throw new StoreException("the backup needs an empty folder, and " + target + " is not");
            }
        }
    }

    /// Makes the file its owner's alone, as the original is; LMDB leaves that to the process's mask.
    private static void hide(Path file) throws IOException {
        if (Files.getFileStore(file).supportsFileAttributeView(PosixFileAttributeView.class)) {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        }
    }

    private static long sequenceIn(Path folder) {
        try (Environment copy = Environment.open(folder, Lmdb.RDONLY | Lmdb.NOLOCK, 0)) {
            return Opening.check(copy, Optional.empty());
        }
    }

    private static void cleanUp(Path target, boolean existed) throws IOException {
        StoreFolder.deleteTree(target.resolve(StoreFolder.UNFINISHED_BACKUP));
        Files.deleteIfExists(target.resolve(Environment.DATA_FILE));
        if (!existed) {
            Files.deleteIfExists(target);
        }
    }
}
