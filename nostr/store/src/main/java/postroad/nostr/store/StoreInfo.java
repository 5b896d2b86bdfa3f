package postroad.nostr.store;

/// Figures of a store: sizes in bytes, the rest are counts.
public record StoreInfo(
        int format,
        long sequence,
        long events,
        long tombstones,
        long fileBytes,
        long usedBytes,
        long mapBytes,
        boolean writable,
        String state) {}
