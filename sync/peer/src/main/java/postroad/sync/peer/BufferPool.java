package postroad.sync.peer;

import java.util.ArrayDeque;

/// Buffers for content, used again and again so that the collector need not zero and move megabytes. Thread-safe.
///
/// Keeps at most `most` spare ones; how many are in use is bounded by the windows and queues around it.
final class BufferPool {
    private final int size;
    private final int most;
    private final ArrayDeque<byte[]> spare = new ArrayDeque<>();

    BufferPool(int size, int most) {
        this.size = size;
        this.most = most;
    }

    /// A buffer of at least `length` bytes with whatever content.
    byte[] take(int length) {
        if (length > size) {
            return new byte[length];
        }
        synchronized (spare) {
            byte[] buffer = spare.pollLast();
            if (buffer != null) {
                return buffer;
            }
        }
        return new byte[size];
    }

    /// A buffer of at least `length` bytes for something that may have to wait with many others: one of ours only if
    /// that fills most of it. So what waits takes little more memory than the bytes by which windows count it.
    byte[] takeToKeep(int length) {
        return length < size - size / 8 ? new byte[length] : take(length);
    }

    /// Takes a buffer back; the caller forgets it.
    void give(byte[] buffer) {
        if (buffer.length != size) {
            return;
        }
        synchronized (spare) {
            if (spare.size() < most) {
                spare.addLast(buffer);
            }
        }
    }
}
