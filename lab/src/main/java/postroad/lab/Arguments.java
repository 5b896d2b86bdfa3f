package postroad.lab;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The options of one bench: `--name VALUE` each.
public final class Arguments {
    private final Map<String, String> values = new HashMap<>();

    /// Reads them.
    ///
    /// @throws IllegalArgumentException for an option not in `known`, or without a value; the message
    ///     is for the user
    public Arguments(List<String> arguments, Set<String> known) {
        for (int i = 0; i < arguments.size(); i += 2) {
            String name = arguments.get(i);
            if (!known.contains(name)) {
                throw new IllegalArgumentException("unknown option " + name + "; there are "
                        + String.join(", ", known.stream().sorted().toList()));
            }
            if (i + 1 == arguments.size()) {
                throw new IllegalArgumentException(name + " needs a value");
            }
            values.put(name, arguments.get(i + 1));
        }
    }

    /// The value of an option.
    public Optional<String> text(String name) {
        return Optional.ofNullable(values.get(name));
    }

    /// The whole number that an option gives.
    ///
    /// @throws IllegalArgumentException if it is none, or below `least`
    public long number(String name, long byDefault, long least) {
        String text = values.get(name);
        if (text == null) {
            return byDefault;
        }
        if (!text.matches("-?[0-9]{1,18}") || Long.parseLong(text) < least) {
            throw new IllegalArgumentException(name + " needs a whole number from " + least + ", not " + text);
        }
        return Long.parseLong(text);
    }
}
