package postroad.sync.peer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import postroad.common.Bytes32;
import postroad.common.Sha256;
import postroad.sync.core.ChunkClass;
import postroad.sync.core.FileEnd;
import postroad.sync.core.FileVersion;
import postroad.sync.core.FrameCodec;
import postroad.sync.core.RootClaim;
import postroad.sync.core.Segment;
import postroad.sync.core.WantedFile;

/// Collects chunks of one file or many into a block, and hands it on when it is full. Owned by one worker.
///
/// Its buffer holds finished chunks first, then bytes that were read and are not cut yet: [#room] says where more may
/// be read to, [#chunk] turns the first of them into a chunk.
final class BlockBuilder implements AutoCloseable {
    /// Content in one block, unless a single chunk is longer.
    static final int BLOCK = 1 << 20;
    /// So many segments at most, so that the head of a block of tiny files stays small.
    private static final int MOST_SEGMENTS = 4096;

    private final Outgoing outgoing;
    private final BufferPool pool;
    private final Optional<Compressor> compressor;
    private final Sha256 sha = new Sha256();
    private final byte[] hash = new byte[Bytes32.LENGTH];
    private final List<Segment> segments = new ArrayList<>();
    private int link = WantedFile.ANY_LINK;

    private byte[] data;
    private int cut;
    private int read;

    private long id;
    private int attempt;
    private ChunkClass chunkClass;
    private long segmentOffset;
    private int segmentFrom;
    private int[] lengths = new int[64];
    private int chunks;

    BlockBuilder(Outgoing outgoing, BufferPool pool, Optional<Compressor> compressor) {
        this.outgoing = outgoing;
        this.pool = pool;
        this.compressor = compressor;
        data = pool.take(BLOCK);
    }

    /// Begins with a file's content at `offset`.
    void begin(long file, int tryOf, ChunkClass cutAs, long offset, int over) throws InterruptedException {
        if (over != link || segments.size() >= MOST_SEGMENTS || size(cutAs) > data.length) {
            flush();
            pool.give(data);
            data = pool.take(size(cutAs));
        }
        link = over;
        id = file;
        attempt = tryOf;
        chunkClass = cutAs;
        segmentOffset = offset;
        segmentFrom = cut;
        chunks = 0;
    }

    /// Where bytes may be read to: at [#readTo] in [#buffer], so many.
    int room() {
        return size(chunkClass) - read;
    }

    byte[] buffer() {
        return data;
    }

    int readTo() {
        return read;
    }

    /// `length` bytes were read to where [#readTo] says.
    void wasRead(int length) {
        read += length;
    }

    /// Where the bytes begin that are not cut yet.
    int uncutFrom() {
        return cut;
    }

    int uncut() {
        return read - cut;
    }

    /// Turns the next `length` bytes into a chunk and hashes them; the hash is in the returned array until the next.
    byte[] chunk(int length) {
        sha.update(data, cut, length).finish(hash, 0);
        if (chunks == lengths.length) {
            lengths = Arrays.copyOf(lengths, 2 * chunks);
        }
        lengths[chunks++] = length;
        cut += length;
        return hash;
    }

    /// The block is full: what is cut goes out, what is not stays and begins the next one.
    void next() throws InterruptedException {
        long offset = segmentOffset + (cut - segmentFrom);
        closeSegment(Optional.empty());
        flush();
        segmentOffset = offset;
        segmentFrom = cut;
    }

    /// The content begun with [#begin] is complete, and is not the end of its file.
    void end() {
        closeSegment(Optional.empty());
    }

    /// The content begun with [#begin] is complete up to the end of its file.
    ///
    /// @param version which was sent; empty when it is the one that was announced
    void end(Optional<FileVersion> version, Bytes32 root) {
        RootClaim claim = segmentOffset == 0 ? RootClaim.Head.of(root) : new RootClaim.Whole(root);
        closeSegment(Optional.of(new FileEnd(version, claim)));
    }

    /// Forgets what was collected since [#begin] or the last [#next].
    void abandon() {
        cut = segmentFrom;
        read = cut;
        chunks = 0;
    }

    private void closeSegment(Optional<FileEnd> end) {
        if (chunks > 0 || end.isPresent()) {
            segments.add(new Segment(id, attempt, chunkClass, segmentOffset, Arrays.copyOf(lengths, chunks), end));
        }
        chunks = 0;
        // What is closed stays, whatever becomes of the next file.
        segmentFrom = cut;
    }

    /// Whether there is no room worth filling.
    boolean isFull() {
        return cut > BLOCK - (16 << 10) || segments.size() >= MOST_SEGMENTS;
    }

    /// Hands on what is collected; what is not cut yet stays.
    void flush() throws InterruptedException {
        if (segments.isEmpty()) {
            return;
        }
        byte[] full = data;
        int length = cut;
        data = pool.take(size(chunkClass));
        System.arraycopy(full, cut, data, 0, read - cut);
        read -= cut;
        cut = 0;
        segmentFrom = 0;
        outgoing.content(block(full, length));
        segments.clear();
    }

    /// Waits while the receiver lets many answers wait.
    void awaitAnswersRead() throws InterruptedException {
        outgoing.awaitAnswersRead();
    }

    /// Two chunks fit at least, so that there is always a whole one to cut.
    private static int size(ChunkClass cutAs) {
        return Math.max(BLOCK, 2 * cutAs.max());
    }

    private Block block(byte[] full, int length) {
        List<Segment> of = List.copyOf(segments);
        if (compressor.isPresent()) {
            byte[] target = pool.take(length + (length >> 6) + 64);
            int compressed = compressor.get().compress(full, length, target);
            if (compressed >= 0) {
                pool.give(full);
                return new Block(of, FrameCodec.contentHead(of, true, length, compressed), target, compressed, link);
            }
            pool.give(target);
        }
        return new Block(of, FrameCodec.contentHead(of, false, length, length), full, length, link);
    }

    @Override
    public void close() {
        compressor.ifPresent(Compressor::close);
    }
}
