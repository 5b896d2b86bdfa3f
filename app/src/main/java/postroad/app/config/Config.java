package postroad.app.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import postroad.nostr.core.RelayUrl;
import postroad.nostr.relay.RelayConfig;
import postroad.nostr.store.StoreOptions;

/// The configuration in force.
///
/// @param relay what the relay is told
/// @param mapBytes address space of the store
/// @param reserveBytes free space below which the store takes no new events
/// @param file the file that was read, if there is one
/// @param inForce each setting as TOML, with where it comes from, in the table's order
/// @param unknownVariables environment variables that look like settings and are none
public record Config(
        RelayConfig relay,
        long mapBytes,
        long reserveBytes,
        Optional<Path> file,
        List<InForce> inForce,
        List<String> unknownVariables) {
    /// Copies the lists.
    public Config {
        inForce = List.copyOf(inForce);
        unknownVariables = List.copyOf(unknownVariables);
    }

    /// What is said of the unknown variables, one line each.
    public List<String> warnings() {
        return unknownVariables.stream()
                .map(name -> "warning: " + ConfigReader.unknownVariable(name))
                .toList();
    }

    /// One setting in force.
    public record InForce(String key, String toml, String origin) {}

    /// How the store in `home` is opened.
    public StoreOptions store(Home home) {
        return new StoreOptions(home.store(), mapBytes, reserveBytes, relay.urls(), true, false);
    }

    /// The configuration made of the values, one for each setting.
    static Config of(Map<String, Object> values, Optional<Path> file, List<InForce> inForce, List<String> unknown) {
        Values v = new Values(values);
        return new Config(
                v.relay(), v.number("store.map_bytes"), v.number("store.reserve_bytes"), file, inForce, unknown);
    }

    /// The relay's URLs, if it has been told any.
    public List<String> urls() {
        return relay.urls().stream().map(RelayUrl::text).sorted().toList();
    }
}
