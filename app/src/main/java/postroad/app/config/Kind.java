package postroad.app.config;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// What values a setting takes. A value comes as text from a flag or the environment, or typed from the file.
sealed interface Kind {
    /// The value in its Java form.
    ///
    /// @param raw a String, Long, Double, Boolean, a List of such, or whatever else the file held
    /// @throws IllegalArgumentException with what it must be
    Object read(Object raw);

    /// The value as TOML.
    String write(Object value);

    /// Text; empty where the setting is not made.
    record Text() implements Kind {
        @Override
        public String read(Object raw) {
            if (raw instanceof String text) {
                return text;
            }
            throw mustBe("text in quotation marks", raw);
        }

        @Override
        public String write(Object value) {
            return quoted((String) value);
        }
    }

    /// Yes or no.
    record Flag() implements Kind {
        @Override
        public Boolean read(Object raw) {
            return switch (raw) {
                case Boolean flag -> flag;
                case String text when text.equals("true") -> true;
                case String text when text.equals("false") -> false;
                default -> throw mustBe("true or false", raw);
            };
        }

        @Override
        public String write(Object value) {
            return value.toString();
        }
    }

    /// A whole number from `min` to `max`; `unit` is what it counts, for messages.
    record Whole(long min, long max, String unit) implements Kind {
        @Override
        public Long read(Object raw) {
            Long value = number(raw);
            if (value == null || value < min || value > max) {
                throw mustBe("a whole number" + unit + " from " + min + " to " + max, raw);
            }
            return value;
        }

        @Override
        public String write(Object value) {
            return grouped((Long) value);
        }
    }

    /// A number of bytes from `min` to `max`, also with a unit: `"64 MiB"`.
    record Size(long min, long max) implements Kind {
        private static final Map<String, Integer> SHIFTS =
                Map.of("", 0, "b", 0, "kib", 10, "mib", 20, "gib", 30, "tib", 40);

        @Override
        public Long read(Object raw) {
            Long value = raw instanceof String text ? parse(text) : number(raw);
            if (value == null || value < min || value > max) {
                throw mustBe("a size from " + human(min) + " to " + human(max) + ", such as \"64 MiB\"", raw);
            }
            return value;
        }

        private static Long parse(String text) {
            String digits = text.strip();
            int end = 0;
            while (end < digits.length() && Character.isDigit(digits.charAt(end))) {
                end++;
            }
            Integer shift = SHIFTS.get(digits.substring(end).strip().toLowerCase(Locale.ROOT));
            if (shift == null || end == 0 || end > 15) {
                return null;
            }
            return Math.multiplyExact(Long.parseLong(digits.substring(0, end)), 1L << Math.min(shift, 20))
                    << Math.max(0, shift - 20);
        }

        @Override
        public String write(Object value) {
            return quoted(human((Long) value));
        }

        static String human(long bytes) {
            String[] units = {"B", "KiB", "MiB", "GiB", "TiB"};
            int unit = 0;
            long rest = bytes;
            while (unit < units.length - 1 && rest >= 1024 && rest % 1024 == 0) {
                rest /= 1024;
                unit++;
            }
            return rest + " " + units[unit];
        }
    }

    /// One of some words.
    record Choice(List<String> words) implements Kind {
        @Override
        public String read(Object raw) {
            if (raw instanceof String text && words.contains(text.toLowerCase(Locale.ROOT))) {
                return text.toLowerCase(Locale.ROOT);
            }
            throw mustBe("one of " + String.join(", ", words), raw);
        }

        @Override
        public String write(Object value) {
            return quoted((String) value);
        }
    }

    /// Several values of one kind; commas between them on the command line and in the environment.
    record Several(Kind one) implements Kind {
        @Override
        public List<Object> read(Object raw) {
            List<?> parts = switch (raw) {
                case List<?> list -> list;
                case String text when text.isBlank() -> List.of();
                case String text ->
                    Arrays.stream(text.split(",", -1)).map(String::strip).toList();
                default -> throw mustBe("a list in square brackets", raw);
            };
            List<Object> values = new ArrayList<>();
            parts.forEach(part -> values.add(one.read(part)));
            return List.copyOf(values);
        }

        @Override
        public String write(Object value) {
            List<String> parts = new ArrayList<>();
            ((List<?>) value).forEach(part -> parts.add(one.write(part)));
            return "[" + String.join(", ", parts) + "]";
        }
    }

    /// Text that a check must let pass.
    record Checked(String what, Check check) implements Kind {
        @Override
        public String read(Object raw) {
            if (raw instanceof String text && check.isGood(text)) {
                return text;
            }
            throw mustBe(what, raw);
        }

        @Override
        public String write(Object value) {
            return quoted((String) value);
        }
    }

    /// Whether a text is fit.
    @FunctionalInterface
    interface Check {
        boolean isGood(String text);
    }

    private static Long number(Object raw) {
        if (raw instanceof Long value) {
            return value;
        }
        if (raw instanceof String text && text.strip().replace("_", "").matches("-?[0-9]{1,18}")) {
            return Long.valueOf(text.strip().replace("_", ""));
        }
        return null;
    }

    private static IllegalArgumentException mustBe(String what, Object raw) {
        String shown = raw instanceof String text ? quoted(text) : String.valueOf(raw);
        return new IllegalArgumentException("must be " + what + ", not " + shown);
    }

    private static String grouped(long value) {
        return value < 10_000 && value > -10_000
                ? Long.toString(value)
                : String.format(Locale.ROOT, "%,d", value).replace(',', '_');
    }

    /// A TOML basic string.
    static String quoted(String text) {
        StringBuilder out = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\t' -> out.append("\\t");
                default -> out.append(c < 0x20 || c == 0x7f ? String.format(Locale.ROOT, "\\u%04x", (int) c) : c);
            }
        }
        return out.append('"').toString();
    }
}
