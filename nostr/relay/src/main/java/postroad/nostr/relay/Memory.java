package postroad.nostr.relay;

import io.netty.util.internal.PlatformDependent;

/// How the memory that clients can fill is shared out, in bytes over all connections.
///
/// @param messages messages that have begun and not ended, on the heap
/// @param ingest events that are not answered yet, on the heap
/// @param subscriptions filters of open subscriptions, on the heap
/// @param output frames that wait for their readers, outside of the heap
record Memory(long messages, long ingest, long subscriptions, long output) {
    /// Shares of what this JVM was given: an eighth and two quarters of the heap, three eighths of the
    /// direct memory.
    static Memory ofThisJvm() {
        long heap = Runtime.getRuntime().maxMemory();
        return new Memory(heap / 8, heap / 4, heap / 4, PlatformDependent.maxDirectMemory() / 8 * 3);
    }
}
