package postroad.app.config;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// What the command line says of the configuration.
///
/// @param file the file named by `--config`
/// @param settings key to text, as given
/// @param flags key to the flag that gave it, for messages
public record Overrides(Optional<String> file, Map<String, String> settings, Map<String, String> flags) {
    /// The command line says nothing.
    public static final Overrides NONE = new Overrides(Optional.empty(), Map.of(), Map.of());

    /// Copies the maps.
    public Overrides {
        settings = Map.copyOf(settings);
        flags = Map.copyOf(flags);
    }

    /// The same with one more setting.
    public Overrides with(String key, String text, String flag) {
        Map<String, String> more = new LinkedHashMap<>(settings);
        Map<String, String> named = new LinkedHashMap<>(flags);
        more.put(key, text);
        named.put(key, flag);
        return new Overrides(file, more, named);
    }

    /// The same with a file.
    public Overrides withFile(String name) {
        return new Overrides(Optional.of(name), settings, flags);
    }
}
