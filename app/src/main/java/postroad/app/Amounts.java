package postroad.app;

import java.util.Locale;

/// Bytes, rates and times, for people to read and as they write them.
final class Amounts {
    private static final String[] UNITS = {"bytes", "kB", "MB", "GB", "TB", "PB"};

    private Amounts() {}

    /// `1.2 MB`; a thousand is a thousand.
    static String bytes(long bytes) {
        double value = bytes;
        int unit = 0;
        while (value >= 999.5 && unit < UNITS.length - 1) {
            value /= 1000;
            unit++;
        }
        String form = unit == 0 || value >= 99.95 ? "%.0f %s" : "%.1f %s";
        return String.format(Locale.ROOT, form, value, UNITS[unit]);
    }

    /// `1.2 MB/s`.
    static String rate(double bytesPerSecond) {
        return bytes((long) bytesPerSecond) + "/s";
    }

    /// `12 s`, `3 min 20 s`, `2 h 5 min`.
    static String duration(long seconds) {
        if (seconds < 100) {
            return seconds + " s";
        }
        return seconds < 6000
                ? seconds / 60 + " min " + seconds % 60 + " s"
                : seconds / 3600 + " h " + seconds / 60 % 60 + " min";
    }

    /// `1,234 files`, `1 file`.
    static String count(long number, String one, String many) {
        return String.format(Locale.ROOT, "%,d %s", number, number == 1 ? one : many);
    }

    /// Reads bytes a second: a number, perhaps with a part, and K, M or G for 1024, 1024² or 1024³.
    static long parseRate(String option, String text) {
        if (!text.matches("[0-9]{1,12}(\\.[0-9]{1,6})?[KkMmGg]?")) {
            throw new UsageException("--" + option + " must be bytes a second, such as 500K or 1.5M, not " + text);
        }
        int end = text.length() - 1;
        int power = "KMG".indexOf(Character.toUpperCase(text.charAt(end))) + 1;
        double number = Double.parseDouble(power == 0 ? text : text.substring(0, end));
        double rate = number * (1L << 10 * power);
        if (rate < 1 || rate > 1e15) {
            throw new UsageException("--" + option + " must be at least 1 byte a second, and no more than 10^15");
        }
        return (long) rate;
    }
}
