package postroad.app.transfer;

import java.util.Arrays;

/// Some successive lines of one source. Filled by the reading thread, then handed over.
final class Chunk {
    static final int MAX_LINES = 256;
    static final int USUAL_BYTES = 256 << 10;

    final String source;
    private byte[] bytes = new byte[64 << 10];
    private int length;
    private final int[] ends = new int[MAX_LINES];
    private final long[] numbers = new long[MAX_LINES];
    private int lines;
    private long tooLong;
    private long firstTooLong;

    Chunk(String source) {
        this.source = source;
    }

    byte[] bytes() {
        return bytes;
    }

    int lines() {
        return lines;
    }

    int from(int line) {
        return line == 0 ? 0 : ends[line - 1];
    }

    int to(int line) {
        return ends[line];
    }

    long number(int line) {
        return numbers[line];
    }

    int size() {
        return length;
    }

    long tooLong() {
        return tooLong;
    }

    long firstTooLong() {
        return firstTooLong;
    }

    boolean isEmpty() {
        return lines == 0 && tooLong == 0;
    }

    boolean isFull() {
        return pending() == 0 && (lines == MAX_LINES || length >= USUAL_BYTES);
    }

    /// Adds bytes to the line under way.
    void append(byte[] source, int from, int count) {
        if (length + count > bytes.length) {
            bytes = Arrays.copyOf(
                    bytes, Math.max(length + count, Math.min(2 * bytes.length, bytes.length + (8 << 20))));
        }
        System.arraycopy(source, from, bytes, length, count);
        length += count;
    }

    /// Length of the line under way.
    int pending() {
        return length - (lines == 0 ? 0 : ends[lines - 1]);
    }

    /// Ends the line under way; one of white space only is forgotten.
    void endLine(long number) {
        int from = lines == 0 ? 0 : ends[lines - 1];
        int to = length;
        while (to > from && isSpace(bytes[to - 1])) {
            to--;
        }
        if (to == from) {
            length = from;
            return;
        }
        length = to;
        numbers[lines] = number;
        ends[lines++] = to;
    }

    /// Forgets the line under way and counts it as too long.
    void dropLine(long number) {
        length = lines == 0 ? 0 : ends[lines - 1];
        if (tooLong++ == 0) {
            firstTooLong = number;
        }
    }

    private static boolean isSpace(byte b) {
        return b == ' ' || b == '\t' || b == '\r';
    }
}
