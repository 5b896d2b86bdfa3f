package postroad.app.transfer;

import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/// Cuts a source into chunks of whole lines, in bounded memory. Owned by the reading thread.
///
/// A line over the limit is skipped to its end and counted. A chunk ends when it is full, or when the source has
/// nothing more to read at once, so that lines typed or piped slowly are not held back.
final class LineReader {
    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

    private final String name;
    private final InputStream in;
    private final int maxLineBytes;
    private final byte[] buffer = new byte[64 << 10];
    private int at;
    private int end;
    private boolean ended;
    private boolean begun;
    private boolean skipping;
    private long number = 1;

    LineReader(Source source, int maxLineBytes) {
        this.name = source.name();
        this.in = source.in();
        this.maxLineBytes = maxLineBytes;
    }

    /// The next lines; empty at the end of the source.
    Optional<Chunk> next() throws IOException {
        Chunk chunk = new Chunk(name);
        while (!chunk.isFull()) {
            if (at == end && !fill(chunk)) {
                break;
            }
            takeLine(chunk);
        }
        if (ended && !skipping) {
            chunk.endLine(number);
        }
        return chunk.isEmpty() ? Optional.empty() : Optional.of(chunk);
    }

    /// Reads more; false at the end, or when there is a chunk to hand on and reading would wait.
    private boolean fill(Chunk chunk) throws IOException {
        if (ended || !chunk.isEmpty() && chunk.pending() == 0 && in.available() == 0) {
            return false;
        }
        int read = in.read(buffer);
        at = 0;
        end = Math.max(0, read);
        ended = read < 0;
        if (!begun) {
            begun = true;
            at = end >= 3 && java.util.Arrays.equals(buffer, 0, 3, BYTE_ORDER_MARK, 0, 3) ? 3 : 0;
        }
        return !ended;
    }

    private void takeLine(Chunk chunk) {
        int newline = at;
        while (newline < end && buffer[newline] != '\n') {
            newline++;
        }
        if (!skipping && (long) chunk.pending() + newline - at > maxLineBytes) {
            chunk.dropLine(number);
            skipping = true;
        }
        if (!skipping) {
            chunk.append(buffer, at, newline - at);
        }
        if (newline < end) {
            if (!skipping) {
                chunk.endLine(number);
            }
            skipping = false;
            number++;
            at = newline + 1;
        } else {
            at = end;
        }
    }
}
