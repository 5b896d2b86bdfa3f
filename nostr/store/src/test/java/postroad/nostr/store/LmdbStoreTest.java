package postroad.nostr.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Set;
import postroad.nostr.core.RelayUrl;

/// The store on LMDB keeps the contract.
class LmdbStoreTest extends EventStoreContract {
    static StoreOptions options(Path folder) {
        return options(folder, Set.of(OWN));
    }

    private static StoreOptions options(Path folder, Set<RelayUrl> urls) {
        return new StoreOptions(folder, 1L << 30, 0, urls, false, false);
    }

    @Override
    EventStore open(Path folder, Set<RelayUrl> urls) {
        LmdbStore store = LmdbStore.open(options(folder, urls));
        assertThat(store.verify().problems()).isEmpty();
        return store;
    }
}
