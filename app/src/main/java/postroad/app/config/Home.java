package postroad.app.config;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;

/// The folder in which a node keeps everything.
///
/// @param folder absolute
public record Home(Path folder) {
    /// Makes the path absolute.
    public Home {
        folder = folder.toAbsolutePath().normalize();
    }

    /// The folder named by `flag` (empty for none), else by `POSTROAD_HOME`, else the platform's data folder.
    public static Home of(String flag, Map<String, String> environment) {
        if (!flag.isEmpty()) {
            return new Home(Path.of(flag));
        }
        String variable = environment.getOrDefault("POSTROAD_HOME", "");
        if (!variable.isEmpty()) {
            return new Home(Path.of(variable));
        }
        return new Home(platformFolder(environment, System.getProperty("os.name", "")));
    }

    static Path platformFolder(Map<String, String> environment, String system) {
        String user = environment.getOrDefault("HOME", System.getProperty("user.home", "."));
        if (system.toLowerCase(Locale.ROOT).startsWith("mac")) {
            return Path.of(user, "Library", "Application Support", "postroad");
        }
        String data = environment.getOrDefault("XDG_DATA_HOME", "");
        // The XDG specification has relative paths ignored.
        if (!data.isEmpty() && Path.of(data).isAbsolute()) {
            return Path.of(data, "postroad");
        }
        return Path.of(user, ".local", "share", "postroad");
    }

    /// Where the events are.
    public Path store() {
        return folder.resolve("store");
    }

    /// The configuration file, unless another is named.
    public Path configFile() {
        return folder.resolve("config.toml");
    }

    /// Where a running node is spoken to.
    public Path controlSocket() {
        return folder.resolve("control.sock");
    }
}
