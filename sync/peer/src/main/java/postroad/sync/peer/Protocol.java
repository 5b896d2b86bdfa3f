package postroad.sync.peer;

import postroad.sync.core.FrameCodec;

/// Which versions of the protocol this program speaks, and what it calls itself.
final class Protocol {
    static final int VERSION = FrameCodec.VERSION;
    static final int LEAST_VERSION = FrameCodec.LEAST_VERSION;
    static final String SOFTWARE = "postroad";

    /// Bytes of content that wait to be written, at most, besides what the workers hold.
    static final long QUEUED_CONTENT = 8 << 20;
    /// Bytes of entries that wait to be written, at most.
    static final long QUEUED_ENTRIES = 1 << 20;
    /// Buffers for blocks have this size, so that a compressed block that did not shrink fits too.
    static final int BUFFER = BlockBuilder.BLOCK + (32 << 10);

    private Protocol() {}
}
