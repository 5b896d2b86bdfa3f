package postroad.app.config;

import java.util.Locale;

/// One line of the configuration: its key with the table in front, what it takes, its default, and what it is for.
record Setting(String key, Kind kind, Object fallback, String comment) {
    /// The table it stands in, "" for the top.
    String table() {
        int dot = key.indexOf('.');
        return dot < 0 ? "" : key.substring(0, dot);
    }

    /// Its key within the table.
    String name() {
        return key.substring(key.indexOf('.') + 1);
    }

    /// The environment variable that sets it.
    String variable() {
        return "POSTROAD_" + key.replace('.', '_').toUpperCase(Locale.ROOT);
    }
}
