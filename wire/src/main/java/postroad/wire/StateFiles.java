package postroad.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/// Small files of the state folder: read with a bound, replaced as a whole, changed by one process at a
/// time.
final class StateFiles {
    private static final Set<PosixFilePermission> OWNER =
            EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

    /// A file lock belongs to the process, so threads take this one first.
    private static final ReentrantLock THREADS = new ReentrantLock();

    private StateFiles() {}

    static void makeFolder(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            Files.createDirectories(folder, mode(folder, PosixFilePermissions.fromString("rwx------")));
        }
    }

    /// All of a file that may have at most `most` bytes.
    static byte[] read(Path path, int most) throws IOException {
        byte[] bytes = new byte[most + 1];
        int count;
        try (var in = Files.newInputStream(path)) {
            count = in.readNBytes(bytes, 0, bytes.length);
        }
        if (count > most) {
            throw new IOException(path + " has more than " + most + " bytes; that is not what belongs there");
        }
        return Arrays.copyOf(bytes, count);
    }

    /// Replaces a file so that whoever reads it sees the old one or the new one, after a power cut too.
    /// It is the owner's alone from its first byte on. Callers hold the lock of the file.
    static void write(Path path, byte[] bytes) throws IOException {
        Path next = path.resolveSibling(path.getFileName() + ".new");
        Files.deleteIfExists(next);
        try (FileChannel channel = FileChannel.open(
                next,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                mode(path.toAbsolutePath().getParent(), OWNER))) {
            ByteBuffer from = ByteBuffer.wrap(bytes);
            while (from.hasRemaining()) {
                channel.write(from);
            }
            channel.force(true);
        }
        Files.move(next, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        syncFolder(path.toAbsolutePath().getParent());
    }

    private static void syncFolder(Path folder) throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    /// Takes away what others may do with a file, where the file system knows of others.
    static void restrict(Path path) throws IOException {
        if (posix(path) && !OWNER.containsAll(Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS))) {
            Files.setPosixFilePermissions(path, OWNER);
        }
    }

    /// Runs `change` while no other thread or process does the same with this lock file.
    static void locked(Path lockFile, Change change) throws IOException {
        THREADS.lock();
        try (FileChannel channel = FileChannel.open(
                        lockFile,
                        Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
                        mode(lockFile.toAbsolutePath().getParent(), OWNER));
                FileLock _ = channel.lock()) {
            change.make();
        } finally {
            THREADS.unlock();
        }
    }

    private static FileAttribute<?>[] mode(Path near, Set<PosixFilePermission> permissions) {
        return posix(near)
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)}
                : new FileAttribute<?>[0];
    }

    private static boolean posix(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }

    /// What is done under a lock.
    @FunctionalInterface
    interface Change {
        void make() throws IOException;
    }
}
