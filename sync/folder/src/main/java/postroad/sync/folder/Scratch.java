package postroad.sync.folder;

import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/// One thread's native memory for the arguments and answers of system calls, so that a call allocates nothing.
///
/// Kept in a thread-local: a pool of threads, not one thread per task, should use this package.
final class Scratch {
    /// The longest path that a call takes, its NUL included (the limit of Linux).
    static final int PATH_BYTES = 4096;
    /// How much one read or write of a file copies at once: a block of content.
    static final int TRANSFER_BYTES = 1024 * 1024;
    /// How much of a folder is listed by one call.
    static final int LISTING_BYTES = 32 * 1024;

    private static final int FIRST_PATH = 0;
    private static final int SECOND_PATH = FIRST_PATH + PATH_BYTES;
    private static final int ANSWER = SECOND_PATH + PATH_BYTES;
    private static final int ANSWER_BYTES = 256;
    private static final int BYTES = ANSWER + ANSWER_BYTES;

    private static final VarHandle ERRNO =
            Linker.Option.captureStateLayout().varHandle(MemoryLayout.PathElement.groupElement("errno"));
    private static final ThreadLocal<Scratch> OF_THREAD = ThreadLocal.withInitial(Scratch::new);

    final MemorySegment state;
    final MemorySegment memory;
    final long firstPath;
    final long secondPath;
    final long answer;
    private MemorySegment transfer = MemorySegment.NULL;

    private Scratch() {
        Arena arena = Arena.ofAuto();
        state = arena.allocate(Linker.Option.captureStateLayout());
        memory = arena.allocate(BYTES, 16);
        firstPath = memory.address() + FIRST_PATH;
        secondPath = memory.address() + SECOND_PATH;
        answer = memory.address() + ANSWER;
    }

    static Scratch ofThread() {
        return OF_THREAD.get();
    }

    int errno() {
        return (int) ERRNO.get(state, 0L);
    }

    /// Whether `bytes[from, to)` fits with its NUL; it is then at [#firstPath].
    boolean putFirst(byte[] bytes, int from, int to) {
        return put(FIRST_PATH, bytes, from, to);
    }

    /// Whether `bytes` fits with its NUL; it is then at [#secondPath].
    boolean putSecond(byte[] bytes) {
        return put(SECOND_PATH, bytes, 0, bytes.length);
    }

    private boolean put(int at, byte[] bytes, int from, int to) {
        int length = to - from;
        if (length >= PATH_BYTES) {
            return false;
        }
        MemorySegment.copy(bytes, from, memory, ValueLayout.JAVA_BYTE, at, length);
        memory.set(ValueLayout.JAVA_BYTE, at + length, (byte) 0);
        return true;
    }

    /// A copy of the first `length` bytes at [#secondPath].
    byte[] second(int length) {
        byte[] bytes = new byte[length];
        MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, SECOND_PATH, bytes, 0, length);
        return bytes;
    }

    long longAt(int offset) {
        return memory.get(ValueLayout.JAVA_LONG, ANSWER + offset);
    }

    int intAt(int offset) {
        return memory.get(ValueLayout.JAVA_INT, ANSWER + offset);
    }

    int shortAt(int offset) {
        return Short.toUnsignedInt(memory.get(ValueLayout.JAVA_SHORT, ANSWER + offset));
    }

    void putLong(int offset, long value) {
        memory.set(ValueLayout.JAVA_LONG, ANSWER + offset, value);
    }

    /// Memory of [#TRANSFER_BYTES], made when it is first asked for.
    MemorySegment transfer() {
        if (transfer.byteSize() == 0) {
            transfer = Arena.ofAuto().allocate(TRANSFER_BYTES, 4096);
        }
        return transfer;
    }
}
