package postroad.sync.core;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;

/// The judge of [PatternLine] and [PatternList]: each pattern as a regular expression over whole paths,
/// one character a byte.
final class SlowPatterns {
    private static final String NAMES = "(?:[^/]+/)*";

    private SlowPatterns() {}

    static boolean excludes(List<String> lines, String path, boolean folder) {
        boolean excluded = false;
        for (String line : lines) {
            boolean include = line.startsWith("!");
            if (matches(include ? line.substring(1) : line, path, folder)) {
                excluded = !include;
            }
        }
        return excluded;
    }

    private static boolean matches(String line, String path, boolean folder) {
        String pattern = line;
        if (pattern.endsWith("/")) {
            if (!folder) {
                return false;
            }
            pattern = pattern.substring(0, pattern.length() - 1);
        }
        boolean anchored = pattern.contains("/");
        if (pattern.startsWith("/")) {
            pattern = pattern.substring(1);
        }
        String regex = anchored ? regexOfPath(pattern) : NAMES + regexOfName(pattern);
        return Pattern.compile(regex, Pattern.DOTALL).matcher(path).matches();
    }

    private static String regexOfPath(String pattern) {
        String[] names = pattern.split("/", -1);
        StringBuilder regex = new StringBuilder();
        for (int i = 0; i < names.length; i++) {
            boolean last = i == names.length - 1;
            if (names[i].equals("**")) {
                regex.append(last ? ".+" : NAMES);
            } else {
                regex.append(regexOfName(names[i])).append(last ? "" : "/");
            }
        }
        return regex.toString();
    }

    private static String regexOfName(String name) {
        StringBuilder regex = new StringBuilder();
        for (int at = 0; at < name.length(); at++) {
            char each = name.charAt(at);
            switch (each) {
                case '*' -> regex.append("[^/]*");
                case '?' -> regex.append("[^/]");
                case '\\' -> regex.append(quoted(name.charAt(++at)));
                case '[' -> {
                    int end = name.indexOf(']', at + 2);
                    String set = name.substring(at + 1, end);
                    boolean negated = set.startsWith("!") || set.startsWith("^");
                    regex.append(negated ? "[^/" : "[")
                            .append(negated ? set.substring(1) : set)
                            .append(']');
                    at = end;
                }
                default -> regex.append(quoted(each));
            }
        }
        return regex.toString();
    }

    private static String quoted(char each) {
        return Pattern.quote(String.valueOf(each));
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
