package postroad.app.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.tomlj.Toml;
import org.tomlj.TomlArray;
import org.tomlj.TomlParseError;
import org.tomlj.TomlParseResult;
import org.tomlj.TomlPosition;
import org.tomlj.TomlTable;

/// Reads the TOML file, and says of each value on which line it stands. The only class that touches the parser.
final class TomlFile {
    private static final int MAX_BYTES = 1 << 20;

    /// A key with a value that stands in no quotes: the word that such a value begins with.
    private static final Pattern BARE =
            Pattern.compile("([A-Za-z0-9_.-]+)\\s*=\\s*([A-Za-z0-9][^\\s\"'#,=\\[\\]{}]*)\\s*(?:#.*)?");

    private TomlFile() {}

    static void read(Path file, ConfigReader.Taker taker) {
        String text = text(file);
        TomlParseResult result = Toml.parse(text);
        if (result.hasErrors()) {
            TomlParseError error = result.errors().getFirst();
            throw new ConfigException(
                    false, at(file, error.position()) + ": not TOML: " + firstLine(error) + advice(text, error));
        }
        read(file, result, List.of(), taker);
    }

    private static String text(Path file) {
        try {
            if (Files.size(file) > MAX_BYTES) {
                throw new ConfigException(false, file + ": a configuration file of more than " + MAX_BYTES + " bytes");
            }
            return Files.readString(file);
        } catch (IOException e) {
            throw ConfigReader.unreadable(file, e);
        }
    }

    private static void read(Path file, TomlTable table, List<String> path, ConfigReader.Taker taker) {
        for (String name : table.keySet()) {
            Object value = table.get(List.of(name));
            List<String> inner = new java.util.ArrayList<>(path);
            inner.add(name);
            if (value instanceof TomlTable nested) {
                read(file, nested, inner, taker);
            } else {
                var origin = new ConfigReader.Origin(at(file, table.inputPositionOf(List.of(name))), false);
                taker.take(String.join(".", inner), plain(value), origin);
            }
        }
    }

    private static Object plain(Object value) {
        return value instanceof TomlArray array
                ? array.toList().stream().map(TomlFile::plain).toList()
                : value;
    }

    private static String at(Path file, TomlPosition position) {
        return position == null ? file.toString() : file + ":" + position.line();
    }

    private static String firstLine(TomlParseError error) {
        return String.valueOf(error.getMessage()).lines().findFirst().orElse("");
    }

    /// What people who write such a line mean.
    private static String advice(String text, TomlParseError error) {
        int number = error.position() == null ? 0 : error.position().line();
        String line = text.lines()
                .skip(Math.max(0, number - 1))
                .findFirst()
                .orElse("")
                .strip();
        if (line.startsWith("[") && firstLine(error).contains("previously defined")) {
            return "; put the settings under the " + line.replaceFirst("\\s*#.*", "") + " that is there already";
        }
        Matcher bare = BARE.matcher(line);
        return bare.matches() && bare.group(2).matches(".*[A-Za-z:/].*")
                ? "; text needs quotes: " + bare.group(1) + " = \"" + bare.group(2) + "\""
                : "";
    }
}
