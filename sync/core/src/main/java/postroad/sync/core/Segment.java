package postroad.sync.core;

import java.util.Arrays;
import java.util.Optional;

/// Chunks of one file that follow each other, as part of a block of content.
///
/// @param id the file's number in the stream of entries
/// @param attempt which time the file is sent, from 0
/// @param chunkClass how the file was cut
/// @param offset where its first chunk begins in the file
/// @param chunkLengths bytes of each chunk; taken as it is, so its maker leaves it alone
/// @param end with the file's last chunk: what was sent. An empty file has no chunks and an end; a file that
///     is here as a whole, from its offset 0 to its end, has the root's head only
@SuppressWarnings("ArrayRecordComponent") // equality is by content
public record Segment(
        long id, int attempt, ChunkClass chunkClass, long offset, int[] chunkLengths, Optional<FileEnd> end) {
    /// The most attempts of a file.
    public static final int MAX_ATTEMPTS = 16;

    /// Checks the ranges.
    public Segment {
        if (id < 0 || attempt < 0 || attempt >= MAX_ATTEMPTS || offset < 0) {
            throw new IllegalArgumentException("no segment: id " + id + ", attempt " + attempt + ", at " + offset);
        }
        if (chunkLengths.length == 0 && end.isEmpty()) {
            throw new IllegalArgumentException("a segment has neither chunks nor an end");
        }
        long sum = 0;
        for (int each : chunkLengths) {
            if (each < 1 || each > chunkClass.max()) {
                throw new IllegalArgumentException("a chunk of class " + chunkClass + " has " + each + " bytes");
            }
            sum += each;
        }
        if (offset > Long.MAX_VALUE - sum) {
            throw new IllegalArgumentException("a segment ends past 2^63");
        }
        long start = offset;
        long endsAt = offset + sum;
        end.ifPresent(each -> checkEnd(each, start, endsAt));
    }

    private static void checkEnd(FileEnd end, long offset, long endsAt) {
        end.version().filter(each -> each.size() != endsAt).ifPresent(each -> {
            throw new IllegalArgumentException("a file of " + each.size() + " bytes ends at " + endsAt);
        });
        if (offset == 0 != end.root() instanceof RootClaim.Head) {
            throw new IllegalArgumentException("a segment from " + offset + " has the root in the wrong length");
        }
    }

    /// Where its last chunk ends in the file.
    public long endsAt() {
        return offset + length();
    }

    /// How many bytes its chunks have together.
    public long length() {
        long length = 0;
        for (int each : chunkLengths) {
            length += each;
        }
        return length;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Segment that
                && id == that.id
                && attempt == that.attempt
                && chunkClass == that.chunkClass
                && offset == that.offset
                && Arrays.equals(chunkLengths, that.chunkLengths)
                && end.equals(that.end);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(id) * 31 + Long.hashCode(offset);
    }

    @Override
    public String toString() {
        return "Segment[" + id + ", attempt " + attempt + ", " + chunkClass + ", at " + offset + ", "
                + Arrays.toString(chunkLengths) + end.map(each -> ", " + each).orElse("") + "]";
    }
}
