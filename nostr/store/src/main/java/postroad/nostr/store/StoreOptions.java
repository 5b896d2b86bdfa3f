package postroad.nostr.store;

import java.nio.file.Path;
import java.util.Set;
import postroad.nostr.core.RelayUrl;

/// How a store is opened.
///
/// @param directory the store's folder, made when missing
/// @param mapBytes address space reserved for the file, which stays sparse; halved as long as the system refuses it
/// @param reserveBytes free space on the disk below which new events are refused
/// @param ownUrls this relay's addresses, for requests to vanish (NIP-62); `ALL_RELAYS` counts always
/// @param durable false for a throwaway store: no sync
/// @param readOnly true to read a store that must not be changed
public record StoreOptions(
        Path directory, long mapBytes, long reserveBytes, Set<RelayUrl> ownUrls, boolean durable, boolean readOnly) {
    /// Address space by default: 64 GiB.
    public static final long DEFAULT_MAP_BYTES = 64L << 30;

    /// Free space kept by default: 64 MiB.
    public static final long DEFAULT_RESERVE_BYTES = 64L << 20;

    /// Copies the set.
    public StoreOptions {
        ownUrls = Set.copyOf(ownUrls);
    }

    /// A durable store with the defaults.
    public static StoreOptions at(Path directory) {
        return new StoreOptions(directory, DEFAULT_MAP_BYTES, DEFAULT_RESERVE_BYTES, Set.of(), true, false);
    }
}
