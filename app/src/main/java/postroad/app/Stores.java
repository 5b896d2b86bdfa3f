package postroad.app;

import java.nio.file.Files;
import postroad.app.config.Config;
import postroad.app.config.Home;
import postroad.nostr.store.EventStore;
import postroad.nostr.store.LmdbStore;
import postroad.nostr.store.StoreOptions;

/// Opens the store of a node that does not run.
final class Stores {
    private Stores() {}

    /// The store for reading; nothing of it is changed.
    ///
    /// @throws Failure when the home holds none
    static EventStore openToRead(Home home, Config config) {
        if (!Files.isDirectory(home.store())) {
            throw new Failure("there is no store in " + home.folder() + "; name the home by --home or POSTROAD_HOME");
        }
        StoreOptions options = config.store(home);
        return LmdbStore.open(new StoreOptions(
                options.directory(), options.mapBytes(), options.reserveBytes(), options.ownUrls(), true, true));
    }
}
