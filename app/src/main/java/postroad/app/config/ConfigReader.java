package postroad.app.config;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import postroad.nostr.relay.Limits;

/// Reads the configuration: flags win over the environment, which wins over the file, which wins over the defaults.
public final class ConfigReader {
    /// Variables that are the launcher's or the tests', or name folders, and no settings.
    private static final Set<String> OTHER_VARIABLES = Set.of(
            "POSTROAD_HOME",
            "POSTROAD_CONFIG",
            "POSTROAD_JDK",
            "POSTROAD_JAVA_OPTS",
            "POSTROAD_AOT",
            "POSTROAD_BUILD",
            "POSTROAD_LIB",
            "POSTROAD_REQUIRE_CLIENTS");

    private final Overrides overrides;
    private final Map<String, String> environment;
    private final Map<String, Object> values = new HashMap<>();
    private final Map<String, Origin> origins = new HashMap<>();

    private ConfigReader(Overrides overrides, Map<String, String> environment) {
        this.overrides = overrides;
        this.environment = environment;
    }

    /// Reads the configuration of the node in `home`.
    ///
    /// @throws ConfigException if a setting cannot be used
    public static Config read(Home home, Overrides overrides, Map<String, String> environment) {
        return new ConfigReader(overrides, environment).read(home);
    }

    private Config read(Home home) {
        for (Setting setting : Settings.ALL) {
            values.put(setting.key(), setting.fallback());
            origins.put(setting.key(), new Origin("default", false));
        }
        Optional<Path> file = file(home);
        // The TOML parser is loaded only where there is a file to parse.
        file.ifPresent(path -> TomlFile.read(path, this::take));
        List<String> unknown = takeEnvironment();
        overrides
                .settings()
                .forEach((key, text) ->
                        take(key, text, new Origin(overrides.flags().get(key), true)));
        follow();
        check();
        return Config.of(values, file, inForce(), unknown);
    }

    private Optional<Path> file(Home home) {
        Optional<String> named = overrides
                .file()
                .or(() ->
                        Optional.ofNullable(environment.get("POSTROAD_CONFIG")).filter(name -> !name.isEmpty()));
        if (named.isPresent()) {
            return named.map(Path::of);
        }
        return Files.exists(home.configFile()) ? Optional.of(home.configFile()) : Optional.empty();
    }

    private List<String> takeEnvironment() {
        List<String> unknown = new ArrayList<>(environment.keySet().stream()
                .filter(name -> name.startsWith("POSTROAD_") && !OTHER_VARIABLES.contains(name))
                .sorted()
                .toList());
        for (Setting setting : Settings.ALL) {
            String text = environment.get(setting.variable());
            if (text != null) {
                unknown.remove(setting.variable());
                take(setting.key(), text, new Origin(setting.variable(), false));
            }
        }
        return unknown;
    }

    /// Takes one value; a later one wins.
    private void take(String key, Object raw, Origin origin) {
        Setting setting = Settings.find(key)
                .orElseThrow(() -> new ConfigException(
                        origin.onCommandLine(), origin.where() + ": there is no setting " + key + suggestion(key)));
        try {
            values.put(key, setting.kind().read(raw));
            origins.put(key, origin);
        } catch (IllegalArgumentException e) {
            throw failure(key, origin, e.getMessage());
        }
    }

    private static ConfigException failure(String key, Origin origin, String message) {
        return new ConfigException(origin.onCommandLine(), origin.where() + ": " + key + " " + message);
    }

    static String suggestion(String key) {
        String name = key.substring(key.lastIndexOf('.') + 1);
        if (!name.equals(key) && Settings.find(name).isPresent()) {
            return "; " + name + " belongs to no table: it must stand before the first [table] of the file";
        }
        Optional<String> known =
                Suggestion.closest(key, Settings.ALL.stream().map(Setting::key).toList());
        Optional<String> top = name.equals(key) ? Optional.empty() : Suggestion.closest(name, topNames());
        if (top.isPresent()
                && (known.isEmpty() || Suggestion.distance(name, top.get()) < Suggestion.distance(key, known.get()))) {
            return "; did you mean " + top.get() + "? That belongs to no table: it must stand before the first [table]"
                    + " of the file";
        }
        return known.map(it -> "; did you mean " + it + "?").orElse("");
    }

    private static List<String> topNames() {
        return Settings.ALL.stream()
                .filter(setting -> setting.table().isEmpty())
                .map(Setting::key)
                .toList();
    }

    /// A variable that looks like a setting and is none, with what may have been meant.
    static String unknownVariable(String name) {
        List<String> known = Stream.concat(Settings.ALL.stream().map(Setting::variable), OTHER_VARIABLES.stream())
                .toList();
        String prefix = "POSTROAD_";
        return name + " is no setting"
                + Suggestion.closest(
                                name.substring(prefix.length()),
                                known.stream()
                                        .map(one -> one.substring(prefix.length()))
                                        .toList())
                        .map(it -> "; did you mean " + prefix + it + "?")
                        .orElse("");
    }

    /// A default that would be larger than what was set follows it.
    private void follow() {
        follow("default_limit", "max_limit", 0);
        follow("event_bytes", "message_bytes", Limits.ENVELOPE_BYTES);
        follow("content_bytes", "event_bytes", Limits.AROUND_CONTENT_BYTES);
    }

    private void follow(String follower, String leader, long around) {
        Long most = (Long) values.get("limits." + leader) - around;
        String key = "limits." + follower;
        if (isDefault(key) && (Long) values.get(key) > most) {
            values.put(key, most);
            origins.put(key, new Origin("follows " + leader, false));
        }
    }

    private boolean isDefault(String key) {
        return origins.get(key).where().equals("default");
    }

    /// Settings that do not go together.
    private void check() {
        atMost("limits.default_limit", "limits.max_limit");
        fits("limits.event_bytes", "limits.message_bytes", Limits.ENVELOPE_BYTES);
        fits("limits.content_bytes", "limits.event_bytes", Limits.AROUND_CONTENT_BYTES);
        atMost("limits.outbox_pause_bytes", "limits.outbox_bytes");
        atMost("timeouts.ping", "timeouts.idle");
        Origin listen = origins.get("listen");
        try {
            Listen.address((String) values.get("listen"));
        } catch (IllegalArgumentException e) {
            throw failure("listen", listen, e.getMessage());
        }
    }

    /// What is held must leave room for what stands around it, or nobody could send the largest that the relay says it
    /// takes.
    private void fits(String held, String holder, long around) {
        if ((Long) values.get(held) <= (Long) values.get(holder) - around) {
            return;
        }
        Origin origin = origins.get(held);
        throw new ConfigException(
                origin.onCommandLine(),
                origin.where() + ": " + held + " (" + written(held) + ") must be at least " + around
                        + " bytes less than " + holder + " (" + written(holder) + "), which has to hold it");
    }

    private void atMost(String lower, String upper) {
        if ((Long) values.get(lower) <= (Long) values.get(upper)) {
            return;
        }
        Origin blamed = isDefault(lower) ? origins.get(upper) : origins.get(lower);
        throw new ConfigException(
                blamed.onCommandLine(),
                blamed.where() + ": " + lower + " (" + written(lower) + ") must not be more than " + upper + " ("
                        + written(upper) + ")");
    }

    private String written(String key) {
        return Settings.find(key).orElseThrow().kind().write(values.get(key));
    }

    private List<Config.InForce> inForce() {
        return Settings.ALL.stream()
                .map(setting -> new Config.InForce(
                        setting.key(),
                        setting.kind().write(values.get(setting.key())),
                        origins.get(setting.key()).where()))
                .toList();
    }

    /// Where a value was given, as messages name it.
    record Origin(String where, boolean onCommandLine) {}

    /// Takes what a file says.
    @FunctionalInterface
    interface Taker {
        void take(String key, Object raw, Origin origin);
    }

    static ConfigException unreadable(Path file, IOException e) {
        String why = switch (e) {
            case NoSuchFileException f -> "there is no such file";
            case AccessDeniedException f -> "permission denied";
            case CharacterCodingException f -> "it is not UTF-8 text";
            default -> "cannot be read: " + e.getMessage();
        };
        return new ConfigException(false, file + ": " + why);
    }
}
