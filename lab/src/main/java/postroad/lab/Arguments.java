package postroad.lab;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// The options of one bench: `--name VALUE` each, or `--name` alone for a flag.
public final class Arguments {
    private final Map<String, List<String>> values = new HashMap<>();

    /// Reads them.
    ///
    /// @throws IllegalArgumentException for an option not in `known`, or without a value; the message
    ///     is for the user
    public Arguments(List<String> arguments, Set<String> known) {
        this(arguments, known, Set.of());
    }

    /// The same with `flags`, which have no value.
    public Arguments(List<String> arguments, Set<String> known, Set<String> flags) {
        for (int i = 0; i < arguments.size(); i += 2) {
            String name = arguments.get(i);
            if (flags.contains(name)) {
                values.put(name, List.of());
                i--;
                continue;
            }
            if (!known.contains(name)) {
                throw new IllegalArgumentException("unknown option " + name + "; there are "
                        + String.join(
                                ", ",
                                Stream.concat(known.stream(), flags.stream())
                                        .sorted()
                                        .toList()));
            }
            if (i + 1 == arguments.size()) {
                throw new IllegalArgumentException(name + " needs a value");
            }
            values.computeIfAbsent(name, first -> new ArrayList<>()).add(arguments.get(i + 1));
        }
    }

    /// The value of an option, the last where it is given several times.
    public Optional<String> text(String name) {
        List<String> all = values.get(name);
        return all == null ? Optional.empty() : Optional.of(all.getLast());
    }

    /// All values of an option that may be given several times.
    public List<String> texts(String name) {
        return values.getOrDefault(name, List.of());
    }

    /// Whether a flag is given.
    public boolean has(String flag) {
        return values.containsKey(flag);
    }

    /// The whole number that an option gives.
    ///
    /// @throws IllegalArgumentException if it is none, or below `least`
    public long number(String name, long byDefault, long least) {
        if (text(name).isEmpty()) {
            return byDefault;
        }
        String text = text(name).get();
        if (!text.matches("-?[0-9]{1,18}") || Long.parseLong(text) < least) {
            throw new IllegalArgumentException(name + " needs a whole number from " + least + ", not " + text);
        }
        return Long.parseLong(text);
    }

    /// The words that an option gives with commas between.
    public List<String> words(String name, String byDefault) {
        return List.of(text(name).orElse(byDefault).split(",", -1));
    }

    /// The whole numbers that an option gives with commas between.
    ///
    /// @throws IllegalArgumentException if one is none, or not from `least` to `most`
    public List<Integer> numbers(String name, String byDefault, int least, int most) {
        return words(name, byDefault).stream()
                .map(word -> number(name, word, least, most))
                .toList();
    }

    /// Reads one of several numbers of an option.
    ///
    /// @throws IllegalArgumentException if it is none, or not from `least` to `most`
    static int number(String name, String word, int least, int most) {
        if (!word.matches("[0-9]{1,9}") || Integer.parseInt(word) < least || Integer.parseInt(word) > most) {
            throw new IllegalArgumentException(
                    name + " needs whole numbers from " + least + " to " + most + " with commas between, not " + word);
        }
        return Integer.parseInt(word);
    }
}
