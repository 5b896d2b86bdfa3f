package postroad.app;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;
import postroad.app.config.Home;
import postroad.app.config.Overrides;

/// A verb's parsed words and options. Where an option with one value is given twice, the last one holds.
final class Arguments {
    private final CommandLine line;

    Arguments(CommandLine line) {
        this.line = line;
    }

    /// The words that are no options.
    List<String> words() {
        return line.getArgList();
    }

    /// Whether the option was given.
    boolean has(String option) {
        return line.hasOption(option);
    }

    /// The option's value.
    Optional<String> value(String option) {
        List<String> all = values(option);
        return all.isEmpty() ? Optional.empty() : Optional.of(all.getLast());
    }

    /// All values of an option that may be repeated.
    List<String> values(String option) {
        String[] values = line.getOptionValues(option);
        return values == null ? List.of() : Arrays.asList(values);
    }

    /// The options given among these, in the order of the command line, each time they were given.
    List<Option> inOrder(Set<String> options) {
        return Arrays.stream(line.getOptions())
                .filter(option -> options.contains(option.getLongOpt()))
                .toList();
    }

    /// A whole number of at least `min`.
    Optional<Long> number(String option, long min, long max) {
        return value(option).map(text -> {
            if (!text.matches("[0-9]{1,18}") || Long.parseLong(text) < min || Long.parseLong(text) > max) {
                String range = max == Long.MAX_VALUE ? "of at least " + min : "from " + min + " to " + max;
                throw new UsageException("--" + option + " must be a whole number " + range + ", not " + text);
            }
            return Long.valueOf(text);
        });
    }

    /// The node's folder.
    Home home(Console console) {
        return Home.of(value("home").orElse(""), console.environment());
    }

    /// The configuration file named, if one is.
    Overrides overrides() {
        return value("config").map(Overrides.NONE::withFile).orElse(Overrides.NONE);
    }

    /// The same with the relay's addresses, if `--url` names any.
    Overrides withUrls(Overrides overrides) {
        List<String> urls = values("url");
        return urls.isEmpty() ? overrides : overrides.with("urls", String.join(",", urls), "--url");
    }

    /// The first word, as a path of the system.
    byte[] path() {
        String path = words().getFirst();
        if (path.isEmpty()) {
            throw new UsageException("PATH is empty; . is the folder that you are in");
        }
        return ByteWords.bytes(path);
    }

    /// Refuses more than `most` words, or fewer than `least`.
    void requireWords(int least, int most, String what) {
        if (words().size() < least) {
            throw new UsageException(what + " is missing");
        }
        if (words().size() > most) {
            throw new UsageException("what is " + words().get(most) + " for? One word too many");
        }
    }
}
