package postroad.sync.peer;

import java.util.List;
import postroad.sync.core.Segment;

/// Content that is ready to be written: the frame's head, and the data of its segments in a buffer that goes back to
/// its pool once it is written.
///
/// @param segments what the data is
/// @param head the frame's header and list of segments
/// @param data a pool's buffer; the first `length` bytes count
/// @param link the only link that may carry it, or -1
@SuppressWarnings("ArrayRecordComponent") // handed on, never compared
record Block(List<Segment> segments, byte[] head, byte[] data, int length, int link) {
    /// Bytes of the files' content in it, before compression.
    long contentLength() {
        return segments.stream().mapToLong(Segment::length).sum();
    }

    /// Bytes of the whole frame on the wire.
    int frameLength() {
        return head.length + length;
    }
}
