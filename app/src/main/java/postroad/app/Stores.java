package postroad.app;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import postroad.app.config.ConfigException;
import postroad.app.config.ConfigReader;
import postroad.app.config.Home;
import postroad.nostr.store.EventStore;
import postroad.nostr.store.LmdbStore;
import postroad.nostr.store.StoreOptions;

/// Opens the store of a node that does not run.
final class Stores {
    private Stores() {}

    /// The store for reading; nothing of it is changed.
    ///
    /// @throws Failure when the home holds none, or may not be looked into
    static EventStore openToRead(Home home, Arguments arguments, Console console) {
        Path folder = home.store();
        if (!HomeFolder.isSearchable(home)) {
            throw new Failure(HomeFolder.unsearchable(home));
        }
        if (!Files.isDirectory(folder)) {
            throw new Failure("there is no store in " + home.folder() + "; name the home by --home or POSTROAD_HOME");
        }
        return LmdbStore.open(new StoreOptions(folder, mapBytes(home, arguments, console), 0, Set.of(), true, true));
    }

    /// The one setting that a reader has a use for, and only as a figure: a store opens however large it is. So a file
    /// that a node could not start with is no reason not to read the events.
    private static long mapBytes(Home home, Arguments arguments, Console console) {
        try {
            return ConfigReader.read(home, arguments.overrides(), console.environment())
                    .mapBytes();
        } catch (ConfigException e) {
            if (arguments.has("config")) {
                throw e;
            }
            console.say("warning: " + e.getMessage() + " (the events can be read all the same)");
            return StoreOptions.DEFAULT_MAP_BYTES;
        }
    }
}
