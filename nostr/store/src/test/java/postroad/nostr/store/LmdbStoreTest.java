package postroad.nostr.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Set;

/// The store on LMDB keeps the contract.
class LmdbStoreTest extends EventStoreContract {
    static StoreOptions options(Path folder) {
        return new StoreOptions(folder, 1L << 30, 0, Set.of(OWN), false, false);
    }

    @Override
    EventStore open(Path folder) {
        LmdbStore store = LmdbStore.open(options(folder));
        assertThat(store.verify().problems()).isEmpty();
        return store;
    }
}
