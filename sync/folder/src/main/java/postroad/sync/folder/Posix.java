package postroad.sync.folder;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;

/// Linux's file system calls with byte names and folder handles.
///
/// Every method gives a result of 0 or more, or an error number of [Errno] with a minus sign. An
/// interrupted call is made again. All go through C's `syscall`, so that one native handle serves them
/// all: binding thirty functions costs a cold process more than it needs for a small session
/// (docs/decisions/0611). A name never has a NUL: [TreePath] and [LinkTarget] see to that, and [Tree]
/// for its own root.
final class Posix {
    static final int CURRENT_FOLDER = -100;

    // Flags of open.
    static final int READ = 0;
    static final int READ_WRITE = 2;
    static final int CREATE = 0x40;
    static final int EXCLUSIVE = 0x80;
    static final int NONBLOCK = 0x800;
    static final int NOATIME = 0x4_0000;
    static final int CLOEXEC = 0x8_0000;
    static final int PATH = 0x20_0000;
    static final int DIRECTORY = Machine.ARM ? 0x4000 : 0x1_0000;
    static final int NOFOLLOW = Machine.ARM ? 0x8000 : 0x2_0000;

    // Flags of openat2.
    static final long RESOLVE_NO_MAGICLINKS = 2;
    static final long RESOLVE_NO_SYMLINKS = 4;
    static final long RESOLVE_BENEATH = 8;

    // Flags of other calls.
    static final int AT_SYMLINK_NOFOLLOW = 0x100;
    static final int AT_REMOVEDIR = 0x200;
    static final int AT_NO_AUTOMOUNT = 0x800;
    static final int AT_EMPTY_PATH = 0x1000;
    static final int RENAME_NOREPLACE = 1;
    static final int RENAME_EXCHANGE = 2;

    private static final long UTIME_NOW = 0x3fff_ffff;
    private static final long UTIME_OMIT = 0x3fff_fffe;
    private static final int STATX_BASIC_STATS = 0x7ff;
    private static final long FICLONERANGE = 0x4020_940d;
    private static final long SYNC_FILE_RANGE_WRITE = 2;
    private static final int LOCK_EXCLUSIVE_NOW = 2 | 4;
    private static final int LOCK_SHARED_NOW = 1 | 4;
    private static final int WRITE_AND_SEARCH = 2 | 1;
    private static final byte[] ITSELF = {'.'};
    private static final byte[] NOTHING = {};

    private static final MethodHandle SYSCALL = Linker.nativeLinker()
            .downcallHandle(
                    Linker.nativeLinker().defaultLookup().find("syscall").orElseThrow(),
                    FunctionDescriptor.of(
                            JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
                    Linker.Option.firstVariadicArg(1),
                    Linker.Option.captureCallState("errno"));

    private Posix() {}

    /// The numbers of the calls, which differ between machines.
    private static final class Machine {
        static final boolean ARM = System.getProperty("os.arch").equals("aarch64");

        static final int CLOSE = ARM ? 57 : 3;
        static final int COPY_FILE_RANGE = ARM ? 285 : 326;
        static final int FACCESSAT = ARM ? 48 : 269;
        static final int FALLOCATE = ARM ? 47 : 285;
        static final int FCHMOD = ARM ? 52 : 91;
        static final int FCHMODAT = ARM ? 53 : 268;
        static final int FCHMODAT2 = 452;
        static final int FDATASYNC = ARM ? 83 : 75;
        static final int FLOCK = ARM ? 32 : 73;
        static final int FSTATFS = ARM ? 44 : 138;
        static final int FSYNC = ARM ? 82 : 74;
        static final int FTRUNCATE = ARM ? 46 : 77;
        static final int GETDENTS64 = ARM ? 61 : 217;
        static final int GETEUID = ARM ? 175 : 107;
        static final int IOCTL = ARM ? 29 : 16;
        static final int LINKAT = ARM ? 37 : 265;
        static final int MKDIRAT = ARM ? 34 : 258;
        static final int OPENAT = ARM ? 56 : 257;
        static final int OPENAT2 = 437;
        static final int PREAD64 = ARM ? 67 : 17;
        static final int PWRITE64 = ARM ? 68 : 18;
        static final int READLINKAT = ARM ? 78 : 267;
        static final int RENAMEAT2 = ARM ? 276 : 316;
        static final int STATX = ARM ? 291 : 332;
        static final int SYMLINKAT = ARM ? 36 : 266;
        static final int SYNCFS = ARM ? 267 : 306;
        static final int SYNC_FILE_RANGE = ARM ? 84 : 277;
        static final int UNLINKAT = ARM ? 35 : 263;
        static final int UTIMENSAT = ARM ? 88 : 280;

        private Machine() {}
    }

    /// Empty when this system's calls are known here, else why not, for people.
    static String fault() {
        String system = System.getProperty("os.name");
        if (!system.equals("Linux")) {
            return "folder sync runs on Linux only for now, not on " + system;
        }
        String machine = System.getProperty("os.arch");
        boolean known = machine.equals("amd64") || machine.equals("aarch64");
        return known ? "" : "folder sync knows amd64 and aarch64 machines, not " + machine;
    }

    static int open(int folder, byte[] name, int flags, int mode) {
        return open(folder, name, 0, name.length, flags, mode);
    }

    /// Opens `bytes[from, to)`; the last component alone heeds [#NOFOLLOW].
    static int open(int folder, byte[] bytes, int from, int to, int flags, int mode) {
        Scratch scratch = Scratch.ofThread();
        if (!scratch.putFirst(bytes, from, to)) {
            return -Errno.ENAMETOOLONG;
        }
        return (int) call(scratch, Machine.OPENAT, folder, scratch.firstPath, flags | CLOEXEC, mode);
    }

    /// Opens `bytes[from, to)` below `folder`, following no link on the way.
    static int openBeneath(int folder, byte[] bytes, int from, int to, int flags) {
        Scratch scratch = Scratch.ofThread();
        if (!scratch.putFirst(bytes, from, to)) {
            return -Errno.ENAMETOOLONG;
        }
        scratch.putLong(0, flags | CLOEXEC);
        scratch.putLong(8, 0);
        scratch.putLong(16, RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS);
        return (int) call(scratch, Machine.OPENAT2, folder, scratch.firstPath, scratch.answer, 24);
    }

    /// Whether this user may make names in `folder`.
    static int mayWriteIn(int folder) {
        return named(Machine.FACCESSAT, folder, ITSELF, WRITE_AND_SEARCH, 0);
    }

    /// A second handle for the folder itself, one that can be listed and synced.
    static int reopen(int folder, int flags) {
        return open(folder, ITSELF, READ | DIRECTORY | flags, 0);
    }

    /// Not made again when interrupted: the handle is gone then too.
    static void close(int handle) {
        once(Scratch.ofThread(), Machine.CLOSE, handle, 0, 0, 0, 0, 0);
    }

    /// Asks for what `name` in `folder` is, a link for itself; [#lastStat] has the answer.
    static int stat(int folder, byte[] name) {
        Scratch scratch = Scratch.ofThread();
        if (!scratch.putFirst(name, 0, name.length)) {
            return -Errno.ENAMETOOLONG;
        }
        return stat(scratch, folder, AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT);
    }

    /// The same for what is open.
    static int stat(int handle) {
        Scratch scratch = Scratch.ofThread();
        scratch.putFirst(NOTHING, 0, 0);
        return stat(scratch, handle, AT_EMPTY_PATH);
    }

    private static int stat(Scratch scratch, int folder, int flags) {
        return (int)
                call(scratch, Machine.STATX, folder, scratch.firstPath, flags, STATX_BASIC_STATS, scratch.answer, 0);
    }

    /// The answer to this thread's last successful [#stat].
    static EntryStat lastStat() {
        Scratch scratch = Scratch.ofThread();
        int mode = scratch.shortAt(0x1c);
        return new EntryStat(
                (scratch.intAt(0x88) & 0xffff_ffffL) << 32 | scratch.intAt(0x8c) & 0xffff_ffffL,
                scratch.longAt(0x20),
                scratch.longAt(0x28),
                scratch.longAt(0x70),
                scratch.intAt(0x78),
                scratch.longAt(0x60),
                scratch.intAt(0x68),
                mode & 07777,
                EntryStat.Type.ofMode(mode),
                scratch.intAt(0x10),
                scratch.intAt(0x14));
    }

    /// Lists on into `into`, of [Scratch#LISTING_BYTES]; gives how many bytes, 0 at the end.
    static int list(int folder, byte[] into) {
        Scratch scratch = Scratch.ofThread();
        MemorySegment transfer = scratch.transfer();
        int length = (int) call(scratch, Machine.GETDENTS64, folder, transfer.address(), into.length, 0);
        if (length > 0) {
            MemorySegment.copy(transfer, JAVA_BYTE, 0, into, 0, length);
        }
        return length;
    }

    static int makeFolder(int folder, byte[] name, int mode) {
        return named(Machine.MKDIRAT, folder, name, mode, 0);
    }

    static int unlink(int folder, byte[] name, int flags) {
        return named(Machine.UNLINKAT, folder, name, flags, 0);
    }

    static int rename(int fromFolder, byte[] from, int toFolder, byte[] to, int flags) {
        Scratch scratch = Scratch.ofThread();
        if (!scratch.putFirst(from, 0, from.length) || !scratch.putSecond(to)) {
            return -Errno.ENAMETOOLONG;
        }
        return (int)
                call(scratch, Machine.RENAMEAT2, fromFolder, scratch.firstPath, toFolder, scratch.secondPath, flags, 0);
    }

    /// Gives what `name` is, a link itself too, one more name.
    static int addName(int folder, byte[] name, int toFolder, byte[] to) {
        Scratch scratch = Scratch.ofThread();
        if (!scratch.putFirst(name, 0, name.length) || !scratch.putSecond(to)) {
            return -Errno.ENAMETOOLONG;
        }
        return (int) call(scratch, Machine.LINKAT, folder, scratch.firstPath, toFolder, scratch.secondPath, 0, 0);
    }

    static int makeLink(byte[] target, int folder, byte[] name) {
        Scratch scratch = Scratch.ofThread();
        if (!scratch.putFirst(name, 0, name.length) || !scratch.putSecond(target)) {
            return -Errno.ENAMETOOLONG;
        }
        return (int) call(scratch, Machine.SYMLINKAT, scratch.secondPath, folder, scratch.firstPath, 0);
    }

    /// Reads what a link names; [#lastTarget] has the answer of this length.
    static int readLink(int folder, byte[] name) {
        Scratch scratch = Scratch.ofThread();
        if (!scratch.putFirst(name, 0, name.length)) {
            return -Errno.ENAMETOOLONG;
        }
        return (int)
                call(scratch, Machine.READLINKAT, folder, scratch.firstPath, scratch.secondPath, Scratch.PATH_BYTES);
    }

    static byte[] lastTarget(int length) {
        return Scratch.ofThread().second(length);
    }

    /// What else is set with a modification time.
    enum AccessTime {
        /// It stays as it is.
        KEPT,
        /// It becomes the present: file systems by FUSE may take both times or none.
        NOW
    }

    /// Sets the modification time of `name`, a link's own.
    static int setTimes(int folder, byte[] name, long seconds, int nanos, AccessTime access) {
        Scratch scratch = Scratch.ofThread();
        if (!scratch.putFirst(name, 0, name.length)) {
            return -Errno.ENAMETOOLONG;
        }
        putTimes(scratch, seconds, nanos, access);
        return (int) call(scratch, Machine.UTIMENSAT, folder, scratch.firstPath, scratch.answer, AT_SYMLINK_NOFOLLOW);
    }

    /// The same for what is open.
    static int setTimes(int handle, long seconds, int nanos, AccessTime access) {
        Scratch scratch = Scratch.ofThread();
        putTimes(scratch, seconds, nanos, access);
        return (int) call(scratch, Machine.UTIMENSAT, handle, 0, scratch.answer, 0);
    }

    private static void putTimes(Scratch scratch, long seconds, int nanos, AccessTime access) {
        scratch.putLong(0, 0);
        scratch.putLong(
                8,
                switch (access) {
                    case KEPT -> UTIME_OMIT;
                    case NOW -> UTIME_NOW;
                });
        scratch.putLong(16, seconds);
        scratch.putLong(24, nanos);
    }

    static int chmod(int handle, int mode) {
        return (int) call(Scratch.ofThread(), Machine.FCHMOD, handle, mode, 0, 0);
    }

    /// Changes the mode of `name` unless it is a link; kernels before 6.6 answer `ENOSYS`.
    static int chmodNoFollow(int folder, byte[] name, int mode) {
        return named(Machine.FCHMODAT2, folder, name, mode, AT_SYMLINK_NOFOLLOW);
    }

    /// Changes the mode of what is open with [#PATH], whatever its mode is.
    static int chmodSeen(int handle, int mode) {
        int result = named(Machine.FCHMODAT2, handle, NOTHING, mode, AT_EMPTY_PATH);
        if (result != -Errno.ENOSYS && result != -Errno.EPERM) {
            return result;
        }
        return chmodFollowing(("/proc/self/fd/" + handle).getBytes(StandardCharsets.US_ASCII), mode);
    }

    /// Changes the mode of what `path` names, following links.
    static int chmodFollowing(byte[] path, int mode) {
        return named(Machine.FCHMODAT, CURRENT_FOLDER, path, mode, 0);
    }

    static long read(int handle, long offset, MemorySegment into, int length) {
        return call(Scratch.ofThread(), Machine.PREAD64, handle, into.address(), length, offset);
    }

    static long write(int handle, long offset, MemorySegment from, int length) {
        return call(Scratch.ofThread(), Machine.PWRITE64, handle, from.address(), length, offset);
    }

    static int sync(int handle) {
        return (int) call(Scratch.ofThread(), Machine.FSYNC, handle, 0, 0, 0);
    }

    static int syncData(int handle) {
        return (int) call(Scratch.ofThread(), Machine.FDATASYNC, handle, 0, 0, 0);
    }

    static int syncFileSystem(int handle) {
        return (int) call(Scratch.ofThread(), Machine.SYNCFS, handle, 0, 0, 0);
    }

    /// Starts to write a range to the disk without waiting for it.
    static int startWriteBack(int handle, long offset, long length) {
        return (int) call(Scratch.ofThread(), Machine.SYNC_FILE_RANGE, handle, offset, length, SYNC_FILE_RANGE_WRITE);
    }

    /// Shares a range of another file's blocks, where the file system can.
    static int cloneRange(int from, long fromOffset, int to, long toOffset, long length) {
        Scratch scratch = Scratch.ofThread();
        scratch.putLong(0, from);
        scratch.putLong(8, fromOffset);
        scratch.putLong(16, length);
        scratch.putLong(24, toOffset);
        return (int) call(scratch, Machine.IOCTL, to, FICLONERANGE, scratch.answer, 0);
    }

    /// Copies a range inside the kernel; gives how many bytes, 0 at the end of `from`.
    static long copyRange(int from, long fromOffset, int to, long toOffset, long length) {
        Scratch scratch = Scratch.ofThread();
        scratch.putLong(0, fromOffset);
        scratch.putLong(8, toOffset);
        return call(scratch, Machine.COPY_FILE_RANGE, from, scratch.answer, to, scratch.answer + 8, length, 0);
    }

    static int truncate(int handle, long size) {
        return (int) call(Scratch.ofThread(), Machine.FTRUNCATE, handle, size, 0, 0);
    }

    /// Reserves blocks for the first `size` bytes and makes the file that long.
    static int allocate(int handle, long size) {
        return (int) call(Scratch.ofThread(), Machine.FALLOCATE, handle, 0, 0, size);
    }

    /// Asks for the file system's facts; [#lastFileSystem] has the answer.
    static int fileSystem(int handle) {
        Scratch scratch = Scratch.ofThread();
        return (int) call(scratch, Machine.FSTATFS, handle, scratch.answer, 0, 0);
    }

    static FileSystem lastFileSystem() {
        Scratch scratch = Scratch.ofThread();
        long block = scratch.longAt(0x48);
        return new FileSystem(scratch.longAt(0), block, scratch.longAt(0x20) * block, scratch.longAt(0x10) * block);
    }

    /// Takes a file's lock or says [Errno#EAGAIN]; closing the handle, or its process's end, lets go.
    static int lock(int handle) {
        return (int) call(Scratch.ofThread(), Machine.FLOCK, handle, LOCK_EXCLUSIVE_NOW, 0, 0);
    }

    /// Takes a file's lock together with others who take it so; what this handle held before it gives up.
    static int lockShared(int handle) {
        return (int) call(Scratch.ofThread(), Machine.FLOCK, handle, LOCK_SHARED_NOW, 0, 0);
    }

    static int user() {
        return (int) call(Scratch.ofThread(), Machine.GETEUID, 0, 0, 0, 0);
    }

    private static int named(int number, int folder, byte[] name, long third, long fourth) {
        Scratch scratch = Scratch.ofThread();
        if (!scratch.putFirst(name, 0, name.length)) {
            return -Errno.ENAMETOOLONG;
        }
        return (int) call(scratch, number, folder, scratch.firstPath, third, fourth);
    }

    private static long call(Scratch scratch, int number, long a, long b, long c, long d) {
        return call(scratch, number, a, b, c, d, 0, 0);
    }

    private static long call(Scratch scratch, int number, long a, long b, long c, long d, long e, long f) {
        long result = once(scratch, number, a, b, c, d, e, f);
        while (result == -Errno.EINTR) {
            result = once(scratch, number, a, b, c, d, e, f);
        }
        return result;
    }

    private static long once(Scratch scratch, int number, long a, long b, long c, long d, long e, long f) {
        long result;
        try {
            result = (long) SYSCALL.invokeExact(scratch.state, (long) number, a, b, c, d, e, f);
        } catch (Throwable problem) {
            throw new IllegalStateException("system call " + number + " could not be made", problem);
        }
        return result == -1 ? -scratch.errno() : result;
    }
}
