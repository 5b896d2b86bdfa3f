package postroad.app;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Writes small JSON answers for scripts, without loading a JSON library.
final class Json {
    private Json() {}

    /// One value on one line: a Map by text, a List, text, a number, a boolean.
    static String of(Object value) {
        StringBuilder out = new StringBuilder();
        write(value, out);
        return out.toString();
    }

    private static void write(Object value, StringBuilder out) {
        switch (value) {
            case Map<?, ?> map -> {
                String comma = "{";
                for (var entry : map.entrySet()) {
                    out.append(comma);
                    string(entry.getKey().toString(), out);
                    out.append(':');
                    write(entry.getValue(), out);
                    comma = ",";
                }
                out.append(map.isEmpty() ? "{}" : "}");
            }
            case List<?> list -> {
                out.append('[');
                for (int i = 0; i < list.size(); i++) {
                    out.append(i == 0 ? "" : ",");
                    write(list.get(i), out);
                }
                out.append(']');
            }
            case Number number -> out.append(number);
            case Boolean flag -> out.append(flag);
            default -> string(value.toString(), out);
        }
    }

    private static void string(String text, StringBuilder out) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> out.append(c < 0x20 ? String.format(Locale.ROOT, "\\u%04x", (int) c) : c);
            }
        }
        out.append('"');
    }
}
