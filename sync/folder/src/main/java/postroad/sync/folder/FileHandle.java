package postroad.sync.folder;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;

/// A regular file held open.
///
/// Several threads may read and write at once; who closes it has seen to it that none does any more.
public final class FileHandle implements AutoCloseable {
    private static final int CLOSED = -1;

    private final AtomicInteger handle;
    private final Object shown;

    /// @param shown its name for people, put into words only when it is needed
    FileHandle(int handle, Object shown) {
        this.handle = new AtomicInteger(handle);
        this.shown = shown;
    }

    /// Reads up to `length` bytes at `offset` of the file; fewer come only at its end, and 0 there.
    public int read(long offset, byte[] into, int at, int length) throws TreeException {
        MemorySegment transfer = Scratch.ofThread().transfer();
        int done = 0;
        while (done < length) {
            int wanted = Math.min(length - done, Scratch.TRANSFER_BYTES);
            int count = (int) checked(Posix.read(handle(), offset + done, transfer, wanted));
            if (count == 0) {
                break;
            }
            MemorySegment.copy(transfer, JAVA_BYTE, 0, into, at + done, count);
            done += count;
        }
        return done;
    }

    /// Writes all of `length` bytes at `offset` of the file.
    public void write(long offset, byte[] from, int at, int length) throws TreeException {
        MemorySegment transfer = Scratch.ofThread().transfer();
        int done = 0;
        while (done < length) {
            int count = Math.min(length - done, Scratch.TRANSFER_BYTES);
            MemorySegment.copy(from, at + done, transfer, JAVA_BYTE, 0, count);
            writeAll(offset + done, transfer, count);
            done += count;
        }
    }

    /// A write may take less than it was given, at a limit or when a signal comes.
    private void writeAll(long offset, MemorySegment transfer, int length) throws TreeException {
        int done = 0;
        while (done < length) {
            long count = Posix.write(handle(), offset + done, transfer.asSlice(done), length - done);
            done += (int) checked(count == 0 ? -Errno.EIO : count);
        }
    }

    /// What the system knows of it now.
    public EntryStat stat() throws TreeException {
        checked(Posix.stat(handle()));
        return Posix.lastStat();
    }

    /// Sets its permission bits.
    public void setMode(int mode) throws TreeException {
        checked(Posix.chmod(handle(), mode));
    }

    /// Sets its modification time.
    void setTimes(long seconds, int nanos, Posix.AccessTime access) throws TreeException {
        checked(Posix.setTimes(handle(), seconds, nanos, access));
    }

    /// Makes it `size` bytes long.
    public void truncate(long size) throws TreeException {
        checked(Posix.truncate(handle(), size));
    }

    /// Reserves space for `size` bytes and makes it that long; where the file system cannot reserve, it only grows.
    public void allocate(long size) throws TreeException {
        if (size == 0) {
            return;
        }
        int result = Posix.allocate(handle(), size);
        if (result == -Errno.EOPNOTSUPP || result == -Errno.ENOSYS) {
            truncate(size);
        } else {
            checked(result);
        }
    }

    /// Waits until its content and what is needed to find it are on the disk.
    public void sync() throws TreeException {
        checked(Posix.sync(handle()));
    }

    /// Lets the system begin to write a range to the disk, so that a later sync waits less; a hint that never fails.
    public void startWriteBack(long offset, long length) {
        Posix.startWriteBack(handle(), offset, length);
    }

    /// Copies a range of `from` into this file without bringing it through this process where the system can: as
    /// shared blocks, else inside the kernel, else by reading and writing. Gives how many bytes there were to copy.
    public long copyRange(FileHandle from, long fromOffset, long toOffset, long length) throws TreeException {
        if (length > 0 && Posix.cloneRange(from.handle(), fromOffset, handle(), toOffset, length) == 0) {
            return length;
        }
        long done = 0;
        while (done < length) {
            long count = Posix.copyRange(from.handle(), fromOffset + done, handle(), toOffset + done, length - done);
            if (count < 0) {
                return done + copyByHand(from, fromOffset + done, toOffset + done, length - done);
            }
            if (count == 0) {
                break;
            }
            done += count;
        }
        return done;
    }

    /// Makes the first `length` bytes of this file those of `from` by sharing their blocks, which takes neither time
    /// nor room; false when the file system cannot. `length` has to be a multiple of its blocks.
    public boolean share(FileHandle from, long length) {
        return Posix.cloneRange(from.handle(), 0, handle(), 0, length) == 0;
    }

    private long copyByHand(FileHandle from, long fromOffset, long toOffset, long length) throws TreeException {
        byte[] buffer = new byte[(int) Math.min(length, Scratch.TRANSFER_BYTES)];
        long done = 0;
        while (done < length) {
            int wanted = (int) Math.min(buffer.length, length - done);
            int count = from.read(fromOffset + done, buffer, 0, wanted);
            if (count == 0) {
                break;
            }
            write(toOffset + done, buffer, 0, count);
            done += count;
        }
        return done;
    }

    /// Closes it; a second time does nothing.
    @Override
    public void close() {
        int open = handle.getAndSet(CLOSED);
        if (open != CLOSED) {
            Posix.close(open);
        }
    }

    /// Its name, for people.
    @Override
    public String toString() {
        return shown.toString();
    }

    int handle() {
        int open = handle.get();
        if (open == CLOSED) {
            throw new IllegalStateException(shown + " is closed");
        }
        return open;
    }

    private long checked(long result) throws TreeException {
        if (result < 0) {
            throw TreeException.of((int) -result, shown.toString());
        }
        return result;
    }
}
