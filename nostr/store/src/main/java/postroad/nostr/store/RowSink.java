package postroad.nostr.store;

import java.lang.foreign.MemorySegment;

/// Takes rows as they lie in the store.
@FunctionalInterface
public interface RowSink {
    /// Takes one event: its packed form ([postroad.nostr.core.PackedEvent]) is `length` bytes of `base`
    /// from `at`, valid during the call only.
    ///
    /// @return false to pause after this row, which counts as taken
    boolean row(MemorySegment base, long at, int length, long sequence);
}
