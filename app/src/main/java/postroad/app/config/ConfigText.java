package postroad.app.config;

/// Writes the configuration file.
public final class ConfigText {
    private static final int WIDTH = 100;

    private ConfigText() {}

    /// A file that holds every setting as a comment with its default, ready to be edited.
    public static String defaults() {
        StringBuilder out = new StringBuilder("""
                ## Postroad's configuration. Every line that begins with a single # is a setting at its default:
                ## drop the # to change it. Flags win over environment variables (POSTROAD_LISTEN,
                ## POSTROAD_LIMITS_MAX_LIMIT, ...), which win over this file. Sizes take units: "64 MiB".
                """);
        String table = "";
        for (Setting setting : Settings.ALL) {
            if (!setting.table().equals(table)) {
                table = setting.table();
                out.append("\n## ")
                        .append(Settings.TABLES.get(table))
                        .append("\n[")
                        .append(table)
                        .append("]\n");
            }
            out.append('\n');
            wrap(setting.comment(), out);
            out.append("# ")
                    .append(setting.name())
                    .append(" = ")
                    .append(setting.kind().write(setting.fallback()))
                    .append('\n');
        }
        return out.toString();
    }

    /// The settings in force, as a file that makes them, each with where it comes from.
    public static String inForce(Config config) {
        StringBuilder out = new StringBuilder();
        String table = "";
        for (Config.InForce one : config.inForce()) {
            int dot = one.key().indexOf('.');
            String its = dot < 0 ? "" : one.key().substring(0, dot);
            if (!its.equals(table)) {
                table = its;
                out.append("\n[").append(table).append("]\n");
            }
            out.append(one.key().substring(dot + 1)).append(" = ").append(one.toml());
            out.append("  # ").append(one.origin()).append('\n');
        }
        return out.toString();
    }

    private static void wrap(String text, StringBuilder out) {
        StringBuilder line = new StringBuilder("##");
        for (String word : text.split(" ", -1)) {
            if (line.length() + word.length() >= WIDTH) {
                out.append(line).append('\n');
                line = new StringBuilder("##");
            }
            line.append(' ').append(word);
        }
        out.append(line).append('\n');
    }
}
